"""METEOR 1.5 (Denkowski and Lavie 2014), by the same numbers as its Java program.

Each word of a segment is matched with one of the reference by the same word, the same stem, a
shared WordNet synset, or a paraphrase. The counts are lengths, function words, matches of each
module on both sides, and chunks (runs of matches that stand in the same order on both sides); they
add up, so a corpus is scored by the same functions as a segment. The modules that need data run
where the data are (see `meteor_data`), and `signature` says which ones did.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError, nearest
from concordant.metrics.lexical import _native
from concordant.metrics.lexical.meteor.data import (
    FUNCTION_WORDS,
    PART,
    Resources,
    load_resources,
    stems,
)
from concordant.metrics.lexical.meteor.languages import MODULES, language_of
from concordant.metrics.lexical.meteor.normalise import ENGLISH_PREFIXES, normalise_lines
from concordant.metrics.lexical.texts import check_texts, divide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from concordant.metrics.lexical.meteor.languages import Language
    from concordant.metrics.lexical.texts import Floats

COLUMNS = (
    "translation length", "reference length",
    "translation function words", "reference function words",
    *(
        f"{module} {side} {kind} words"
        for module in MODULES
        for side in ("translation", "reference")
        for kind in ("content", "function")
    ),
    "chunks",
)  # fmt: skip
COMPONENTS = ("meteor", "precision", "recall", "fragmentation", *MODULES)
BEAM = 40


def counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    language: str = "en",
    modules: Sequence[str] | None = None,
    resources: Resources | None = None,
    normalise: bool | None = None,
    lowercase: bool = True,
    threads: int = 1,
) -> Floats:
    """Counts of each segment with its best reference, in the order of COLUMNS: (segments, 21).

    Without `modules` all run that the resources allow; without `normalise` the texts are tokenised
    by METEOR's rules where it has any for the language.

    >>> row = counts(["the cats sat"], [["the cat sat down"]], modules=["exact", "stem"])[0]
    >>> {name: value for name, value in zip(COLUMNS, row.tolist()) if value}["chunks"]
    1.0
    """
    chosen, data = _modules(language, modules, resources)
    texts, given = check_texts(translations, references)
    lines = [*texts, *chain.from_iterable(given)]
    lines = _prepare(lines, language, data, normalise, lowercase, threads)
    numbers = [len(refs) for refs in given]
    owners = np.repeat(np.arange(len(texts)), numbers)
    pairs = np.stack([owners, len(texts) + np.arange(len(owners))], axis=1).astype(np.int64)
    rows = _pair_counts(lines, pairs, language, chosen, data, threads)
    if len(rows) == len(texts):
        return rows
    order = np.lexsort((-score(rows, language=language), owners))
    first = np.cumsum(numbers) - numbers
    return np.asarray(rows[order[first]])


def score(counts: Floats, *, language: str = "en") -> Floats:
    """METEOR in [0, 1], better when higher, of counts (last axis).

    >>> rows = counts(["the cat sat"], [["the cat sat down"]], modules=["exact"])
    >>> score(rows).round(4).tolist()
    [0.3799]
    """
    parameters = language_of(language)
    found, known = precision(counts, language=language), recall(counts, language=language)
    there = (found > 0) & (known > 0)
    safe_found, safe_known = np.where(there, found, 1.0), np.where(there, known, 1.0)
    mean = 1.0 / ((1.0 - parameters.alpha) / safe_found + parameters.alpha / safe_known)
    penalty = parameters.gamma * fragmentation(counts) ** parameters.beta
    return np.where(there, np.maximum(mean * (1.0 - penalty), 0.0), 0.0)


def precision(counts: Floats, *, language: str = "en") -> Floats:
    """The weighted share of the translation's words that are matched, in [0, 1]."""
    return _share(counts, 0, language_of(language))


def recall(counts: Floats, *, language: str = "en") -> Floats:
    """The weighted share of the reference's words that are matched, in [0, 1]."""
    return _share(counts, 1, language_of(language))


def fragmentation(counts: Floats) -> Floats:
    """Chunks for each matched word, in [0, 1]: 0 is a match of the whole text in one piece."""
    matched = _module_counts(counts).sum(axis=(-3, -2, -1)) / 2.0
    return divide(counts[..., -1], matched)


def components(counts: Floats, *, language: str = "en") -> Floats:
    """METEOR's parts as features, in the order of COMPONENTS; a module's is its share of words."""
    words = counts[..., 0] + counts[..., 1]
    matched = np.moveaxis(_module_counts(counts).sum(axis=(-2, -1)), -1, 0)
    columns = [
        score(counts, language=language),
        precision(counts, language=language),
        recall(counts, language=language),
        fragmentation(counts),
        *(divide(module, words) for module in matched),
    ]
    return np.stack(columns, axis=-1)


def signature(
    *,
    language: str = "en",
    modules: Sequence[str] | None = None,
    resources: Resources | None = None,
    normalise: bool | None = None,
    lowercase: bool = True,
) -> str:
    """What computes the number: the version, the language, the modules that run and their data.

    >>> signature(modules=["exact", "stem"]).split("|")[3]
    'modules:exact+stem'
    """
    chosen, data = _modules(language, modules, resources)
    read = [each for each in chosen if each in {"synonym", "paraphrase"}]
    norm = language_of(language).apostrophes is not None if normalise is None else normalise
    parts = [
        "metric:meteor", "version:1.5", f"lang:{language}", f"modules:{'+'.join(chosen)}",
        *([f"data:{data.digest(language, read)}"] if read else []),
        f"norm:{'yes' if norm else 'no'}", f"case:{'lc' if lowercase else 'mixed'}",
    ]  # fmt: skip
    return "|".join(parts)


def lacking(
    *,
    language: str = "en",
    modules: Sequence[str] | None = None,
    resources: Resources | None = None,
) -> str:
    """A sentence on the matches that METEOR goes without, for lack of their data; "" if none.

    >>> lacking(modules=["exact"])
    ''
    """
    known = [module for module in MODULES if module in language_of(language).weights]
    run, _ = _modules(language, modules, resources)
    missing = [module for module in known if module not in run]
    if modules is not None or not missing:
        return ""
    cure = f" Install its data: concordant resources install {PART}." if language == "en" else ""
    return (
        f"meteor used {' and '.join(run)} matches only; the data for {' and '.join(missing)} "
        f"matches is not installed, so its scores differ from full METEOR's.{cure}"
    )


def _modules(
    code: str, wanted: Sequence[str] | None, resources: Resources | None
) -> tuple[tuple[str, ...], Resources]:
    """The modules that run, in METEOR's order, and the resources they run with."""
    known = language_of(code).weights
    data = load_resources() if resources is None else resources
    if wanted is None:
        return data.modules(code), data
    for module in wanted:
        if module not in known:
            hint = nearest(module, list(known))
            raise SpecError(
                f'METEOR module "{module}" is not one of {", ".join(known)} (for {code}){hint}'
            )
    return tuple(module for module in MODULES if module == "exact" or module in wanted), data


def _prepare(
    lines: list[str],
    code: str,
    data: Resources,
    normalise: bool | None,
    lowercase: bool,
    threads: int,
) -> list[str]:
    """The lines as they are cut into tokens at spaces."""
    language = language_of(code)
    if normalise is None:
        normalise = language.apostrophes is not None
    if normalise:
        prefixes = data.prefixes(code) if language.apostrophes is not None else ENGLISH_PREFIXES
        lines = normalise_lines(lines, language, prefixes, threads=threads)
    # Whole lines, and last: the rules look at capitals, and what a sigma becomes at what follows.
    return [line.lower() for line in lines] if lowercase else lines


def _pair_counts(
    lines: list[str],
    pairs: Any,
    code: str,
    modules: Sequence[str],
    data: Resources,
    threads: int,
) -> Floats:
    """The counts of each pair of lines; what is known of a word is looked up once a batch."""
    words, tokens, starts = _native.meteor_tokens(lines)
    known: dict[str, Any] = {}
    if "stem" in modules:
        known["stems"] = _native.java_hashes(stems(words, code))
    if "synonym" in modules:
        synsets = [data.synonyms.of(word) for word in words]
        known["synset_starts"] = np.cumsum([0, *map(len, synsets)], dtype=np.int32)
        known["synsets"] = np.array(list(chain.from_iterable(synsets)), dtype=np.int32)
    if "paraphrase" in modules:
        phrases = data.paraphrases(code)
        known |= {"phrases": phrases.nodes(words), "paraphrases": phrases.table}
    return _native.meteor_counts(
        tokens, starts, pairs,
        np.array([word.lower() in FUNCTION_WORDS for word in words], dtype=np.uint8),
        _native.java_hashes(words), **known, beam=BEAM, threads=threads,
    )  # fmt: skip


def _module_counts(counts: Floats) -> Floats:
    """Matched words by module, side (translation, reference) and kind (content, function)."""
    return counts[..., 4:-1].reshape(*counts.shape[:-1], len(MODULES), 2, 2)


def _share(counts: Floats, side: int, language: Language) -> Floats:
    weights = np.array([language.weights.get(module, 0.0) for module in MODULES])
    delta = np.array([language.delta, 1.0 - language.delta])
    function = counts[..., 2 + side]
    length = delta[0] * (counts[..., side] - function) + delta[1] * function
    matched = (_module_counts(counts)[..., side, :] * weights[:, None] * delta).sum(axis=(-2, -1))
    return divide(matched, length)

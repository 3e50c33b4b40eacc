"""Random arguments for every function of the lexical kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from inputs import alphabet, damaged, random_numbers, random_starts, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from types import ModuleType
    from typing import Any

    from inputs import Keywords, Row

TOKENISERS = ("13a", "intl", "char", "none", "zh", "chrf")


def batch(rng: Random, longest: int) -> Keywords:
    """Translations and their references, some of them copies of each other."""
    pieces = alphabet(rng)
    references = []
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        many = rng.choice((1, 1, 1, 1, 1, 2, 2, 3, 17))
        references.append([text(rng, longest, pieces) for _ in range(many)])
    if references and rng.random() < 0.02:
        references[-1] *= rng.choice((0, 100, 300))
    translations = [text(rng, longest, pieces) for _ in references]
    for i, given in enumerate(references):
        if given and rng.random() < 0.3:
            translations[i] = given[0][: rng.randint(0, longest)] + translations[i][:10]
    if rng.random() < 0.02:
        translations.append("")
    return {
        "translations": translations,
        "references": references,
        "threads": rng.choice((0, 1, 2, 5)),
    }


def _bleu(rng: Random, _: ModuleType) -> Keywords:
    options = {"tokeniser": rng.choice(TOKENISERS), "order": rng.choice((0, 1, 2, 3, 4, 4, 4, 5))}
    return {**batch(rng, 5_000), **options}


def _chrf(rng: Random, _: ModuleType) -> Keywords:
    options = {
        "char_order": rng.choice((0, 1, 2, 5, 6, 6, 6, 7)),
        "word_order": rng.choice((0, 0, 1, 2, 2, 4, 5)),
        "beta": rng.choice((1.0, 2.0, 3.0, 0.0, -1.0, float("inf"), float("nan"))),
        "whitespace": rng.random() < 0.5,
        "tokeniser": rng.choice(TOKENISERS),
    }
    return {**batch(rng, 5_000), **options}


def _grid(rng: Random, _: ModuleType) -> Keywords:
    """Candidates against references, which may be the same list."""
    pieces = alphabet(rng)
    candidates = [text(rng, 1_000, pieces) for _ in range(rng.choice((0, 1, 3, 8)))]
    others = [text(rng, 1_000, pieces) for _ in range(rng.choice((0, 1, 3)))]
    return {
        "candidates": candidates,
        "references": candidates if rng.random() < 0.4 else others,
        "char_order": rng.choice((0, 1, 5, 6, 6, 7)),
        "word_order": rng.choice((0, 0, 2, 4, 5)),
        "whitespace": rng.random() < 0.5,
        "tokeniser": rng.choice(TOKENISERS),
    }


def _aggregate(rng: Random, native: ModuleType) -> Keywords:
    given = _grid(rng, native)
    wrong = rng.random() < 0.1
    weights = np.array([rng.random() for _ in range(len(given["references"]) + wrong)])
    return {**given, "weights": weights}


def _skip(rng: Random, _: ModuleType) -> Keywords:
    skip = rng.choice((-1, -1, 0, 1, 2, 50, 2**63 - 1, -(2**63)))
    return {**batch(rng, 2_000), "tokeniser": rng.choice(TOKENISERS), "skip": skip}


def _lcs(rng: Random, _: ModuleType) -> Keywords:
    return {**batch(rng, 5_000), "tokeniser": rng.choice(TOKENISERS)}


def _edits(rng: Random, _: ModuleType) -> Keywords:
    return batch(rng, 600)


def _tokenise(rng: Random, _: ModuleType) -> Keywords:
    texts = [text(rng, 20_000) for _ in range(3)]
    return {"texts": texts, "tokeniser": rng.choice((*TOKENISERS, "", "ja-mecab", "\ud800"))}


def _classes(rng: Random, _: ModuleType) -> Keywords:
    size = rng.choice((0, 1, 0x80, 0x3000, 0x110000))
    return {"classes": (bytes(rng.choices(range(6), k=500)) * (size // 500 + 1))[:size]}


def _traits(rng: Random, _: ModuleType) -> Keywords:
    """What texts are looked at with, and some of them."""
    pieces = alphabet(rng)
    made: Keywords = {
        "script_of": np.resize(random_numbers(rng, 500, 256).astype(np.uint8), 0x110000),
        "scripts": rng.choice((1, 3, 255)),
        "times": rng.choice((1, 2, 4)),
        "period": rng.choice((0, 1, 8)),
    }
    texts = [text(rng, 5_000, pieces) for _ in range(rng.randint(0, 4))]
    given = {"texts": texts, "lowered": [each.lower() for each in texts]}
    return {**made, **given, "threads": rng.choice((0, 1, 3))}


def _languages(rng: Random, _: ModuleType) -> Keywords:
    """A table of n-grams, some of which the texts have."""
    pieces, languages = alphabet(rng), rng.choice((1, 3, 255))
    grams = {text(rng, 4, pieces).encode("utf-8", "surrogatepass")[:6] for _ in range(20)}
    keys = [int.from_bytes(gram, "big") | len(gram) << 56 for gram in grams if gram]
    starts = random_starts(rng, len(keys), 5).astype(np.uint32)
    entries = int(starts[-1])
    made: Keywords = {
        "keys": np.array(keys, dtype=np.uint64),
        "starts": starts,
        "languages": random_numbers(rng, entries, languages).astype(np.uint8),
        "weights": random_numbers(rng, entries, 256).astype(np.uint8),
        "floor": np.full(languages, -15, dtype=np.float32),
        "prior": np.zeros(languages, dtype=np.float32),
    }
    made = {**(damaged(rng, made) if rng.random() < 0.3 else made), "step": 0.04}
    texts = [text(rng, 5_000, pieces) for _ in range(rng.randint(0, 4))]
    return {**made, "texts": texts, "threads": rng.choice((0, 1, 3))}


def _nist(rng: Random, native: ModuleType) -> Keywords:
    """The weights are made from some references and asked about others."""
    given = batch(rng, 2_000)
    known = [
        refs for refs in (given if rng.random() < 0.5 else batch(rng, 500))["references"] if refs
    ]
    return {**given, "weights": native.NistWeights(known, rng.choice(TOKENISERS))}


def _normalise(rng: Random, _: ModuleType) -> Keywords:
    prefixes = [text(rng, 5) for _ in range(4)]
    return {
        "lines": [text(rng, 5_000) for _ in range(3)],
        "apostrophes": rng.choice(("english", "french", "apart", "other")),
        "prefixes": prefixes[:2],
        "numeric_prefixes": prefixes[2:],
        "keep_punctuation": rng.random() < 0.5,
        "threads": rng.choice((0, 1, 3)),
    }


def _lines(rng: Random, _: ModuleType) -> Keywords:
    pieces = alphabet(rng)
    return {"lines": [text(rng, 5_000, pieces) for _ in range(rng.randint(0, 5))]}


def _stems(rng: Random, _: ModuleType) -> Keywords:
    letters = "aeiouyyslngdtcbrm'Yxw\u00e9"
    endings = ("ed", "ing", "ingly", "ational", "sses", "ies", "ly", "iviti", "fulness", "'s'", "")
    words = ["".join(rng.choices(letters, k=rng.randint(0, 12))) for _ in range(50)]
    return {"words": [word + rng.choice(endings) for word in words] + [text(rng, 50)]}


def _paraphrases(rng: Random, one_word: int) -> Keywords:
    """A trie whose nodes are numbered level by level, as the kernel wants them."""
    nodes = one_word
    children = []
    while len(children) < nodes:
        children.append(rng.choice((0, 0, 1, 2)) if nodes < 40 else 0)
        nodes += children[-1]
    words = [sorted(rng.sample(range(one_word), k=min(n, one_word))) for n in children]
    entry_starts = random_starts(rng, nodes, 3).astype(np.int32)
    return {
        "child_starts": np.cumsum([0, *map(len, words)]).astype(np.int32),
        "child_words": np.array([word for some in words for word in some], dtype=np.int32),
        "entry_starts": entry_starts,
        "entries": random_numbers(rng, int(entry_starts[-1]), nodes),
    }


def _table(rng: Random, _: ModuleType) -> Keywords:
    arrays = _paraphrases(rng, rng.randint(2, 10))
    return damaged(rng, arrays) if rng.random() < 0.7 else arrays


def _meteor(rng: Random, native: ModuleType) -> Keywords:
    words, texts, one_word = rng.choice((2, 3, 50)), rng.randint(2, 6), rng.randint(2, 10)
    starts = random_starts(rng, texts, rng.choice((3, 20, 80)))
    synset_starts = random_starts(rng, words, 3).astype(np.int32)
    arrays = {
        "tokens": random_numbers(rng, int(starts[-1]), words),
        "starts": starts,
        "pairs": random_numbers(rng, 2 * rng.randint(0, 5), texts).astype(np.int64).reshape(-1, 2),
        "function_words": random_numbers(rng, words, 2).astype(np.uint8),
        "keys": random_numbers(rng, words, rng.choice((words, 2**31 - 1))),
        "stems": random_numbers(rng, words, 5),
        "synset_starts": synset_starts,
        "synsets": random_numbers(rng, int(synset_starts[-1]), 6),
        "phrases": random_numbers(rng, words, one_word + 1) - 1,
    }
    if rng.random() < 0.2:
        arrays = damaged(rng, arrays)
    for name in ("stems", "synset_starts", "synsets", "phrases"):
        if rng.random() < 0.1:
            arrays[name] = None
    table = native.Paraphrases(**_paraphrases(rng, one_word)) if rng.random() < 0.8 else None
    options = {"beam": rng.choice((0, 1, 2, 40)), "threads": rng.choice((0, 1, 3))}
    return {**arrays, **options, "paraphrases": table}


ARGUMENTS: dict[str, Row] = {
    "bleu_counts": _bleu,
    "chrf_counts": _chrf,
    "chrf_grid": _grid,
    "chrf_aggregate": _aggregate,
    "skip_counts": _skip,
    "lcs_counts": _lcs,
    "tokenise": _tokenise,
    "set_character_classes": _classes,
    "ter_counts": _edits,
    "wer_counts": _edits,
    "per_counts": _edits,
    "character_counts": _edits,
    "TextTraits": _traits,
    "LanguageTable": _languages,
    "NistWeights": _nist,
    "meteor_counts": _meteor,
    "meteor_normalise": _normalise,
    "meteor_tokens": _lines,
    "porter2_stems": _stems,
    "java_hashes": _stems,
    "Paraphrases": _table,
}
# How a class or a function with its own ways is called; all others take their arguments by name.
CALLS: dict[str, Callable[[ModuleType, Keywords], Any]] = {
    "TextTraits": lambda native, given: native.TextTraits(*[*given.values()][:-3]).count(
        *[*given.values()][-3:]
    ),
    "LanguageTable": lambda native, given: native.LanguageTable(*[*given.values()][:-2]).scores(
        *[*given.values()][-2:]
    ),
    "NistWeights": lambda native, given: native.NistWeights.counts(
        given["weights"], *[given[name] for name in ("translations", "references", "threads")]
    ),
    "set_character_classes": lambda native, given: native.set_character_classes(*given.values()),
}
EXPECTED = (TypeError, ValueError)
ANY_NUMBER: frozenset[str] = frozenset()  # functions whose results need not be finite

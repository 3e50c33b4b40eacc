"""Measures by name: their titles, directions and options, and how a name becomes a `Measure`."""

from __future__ import annotations

import copyreg
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from concordant.errors import SpecError, nearest
from concordant.metrics.lexical import bleu, character, ngrams, nist, ter, wer
from concordant.metrics.lexical.measure import ANYTHING, Measure, Steps
from concordant.metrics.lexical.meteor import meteor
from concordant.metrics.lexical.meteor.languages import LANGUAGES
from concordant.metrics.lexical.tokenisers import TOKENISERS
from concordant.metrics.scope import Scope
from concordant.specs import choose, parse_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from concordant.metrics.lexical.measure import Compute, Counter

CASE = ("mixed", "lc")
TOK = tuple(TOKENISERS)
SPACED = Scope(unspaced="character")


@dataclass(frozen=True)
class Family:
    """A kind of measure: what it is called, its direction, its options (the first is default)."""

    title: str
    sign: int
    options: Mapping[str, Sequence[str]]
    steps: Callable[[Mapping[str, str]], Steps]


def _bleu(options: Mapping[str, str]) -> Steps:
    score = partial(bleu.bleu, smoothing=options["smooth"])
    return Steps(
        partial(bleu.counts, tokeniser=options["tok"], lowercase=options["case"] == "lc"),
        partial(score, effective_order=True),
        score,
        scope=_words("bleu", options),
    )


def _words(name: str, options: Mapping[str, str]) -> Scope:
    """The scope of a measure of words, by how its tokeniser finds them."""
    tokeniser = TOKENISERS[options["tok"]]
    if tokeniser.language:
        return Scope((tokeniser.language,), f"{name} with another tokeniser, such as tok=13a")
    if options["tok"] == "char" or tokeniser.model is not None:
        return Scope()
    chinese, japanese, other = (f"{name}(tok={tok})" for tok in ("zh", "ja-mecab", "char"))
    return Scope(unspaced=f"{chinese} for Chinese, {japanese} for Japanese, {other} for others")


def _chrf(options: Mapping[str, str], word_order: int) -> Steps:
    beta = float(options["beta"])
    how: dict[str, Any] = {
        "char_order": int(options["nc"]),
        "word_order": word_order,
        "tokeniser": "chrf",
        "whitespace": options["space"] == "yes",
        "lowercase": options["case"] == "lc",
    }
    score = partial(ngrams.chrf, beta=beta)
    return Steps(
        partial(ngrams.counts, beta=beta, **how),
        score,
        score,
        grid=partial(ngrams.grid_counts, **how),
        aggregate=partial(ngrams.aggregate_counts, **how),
    )


def _ter(options: Mapping[str, str]) -> Steps:
    count = partial(
        ter.counts,
        case_sensitive=options["case"] == "mixed",
        normalized=options["norm"] == "yes",
        no_punct=options["punct"] == "no",
        asian_support=options["asian"] == "yes",
    )
    asian = options["asian"] == "yes" and options["norm"] == "yes"
    scope = Scope(unspaced="" if asian else "ter(norm=yes,asian=yes)")
    return Steps(count, ter.ter, ter.ter, scope=scope)


def _edits(
    options: Mapping[str, str], count: Counter, score: Compute, scope: Scope = ANYTHING
) -> Steps:
    return Steps(partial(count, lowercase=options["case"] == "lc"), score, score, scope=scope)


def _nist(options: Mapping[str, str]) -> Steps:
    how: dict[str, Any] = {"tokeniser": options["tok"], "lowercase": options["case"] == "lc"}
    return Steps(
        partial(nist.counts, **how),
        nist.nist,
        nist.nist,
        prepare=lambda references: {"weights": nist.weights(references, **how)},
        scope=_words("nist", options),
    )


def _meteor(options: Mapping[str, str]) -> Steps:
    wanted = None if options["modules"] == "all" else options["modules"].split("+")
    how: dict[str, Any] = {"language": options["lang"], "modules": wanted}
    score = partial(meteor.score, language=options["lang"])
    return Steps(
        partial(meteor.counts, **how),
        score,
        score,
        data=partial(meteor.signature, **how),
        scope=Scope(
            () if options["lang"] == "other" else (options["lang"],),
            "meteor with the language of the texts, as in meteor(lang=de), or chrf",
            "chrf",
            partial(meteor.lacking, **how),
        ),
    )


def _rouge(options: Mapping[str, str], name: str, count: Counter) -> Steps:
    counter = partial(count, tokeniser=options["tok"], lowercase=options["case"] == "lc")
    return Steps(counter, ngrams.rouge, ngrams.rouge, scope=_words(name, options))


CHRF_OPTIONS = {"case": CASE, "nc": ("6", "5", "4", "3", "2", "1"), "space": ("no", "yes"),
                "beta": ("2", "1", "3")}  # fmt: skip
METEOR_MODULES = ("all", "exact", "exact+stem", "exact+stem+synonym")
ROUGE_OPTIONS = {"case": ("lc", "mixed"), "tok": TOK}

MEASURES = {
    "bleu": Family(
        "BLEU (Papineni et al. 2002)",
        1,
        {"case": CASE, "tok": TOK, "smooth": ("exp", "floor", "add-k", "none")},
        _bleu,
    ),
    "chrf": Family("chrF (Popović 2015)", 1, CHRF_OPTIONS, partial(_chrf, word_order=0)),
    "chrf++": Family("chrF++ (Popović 2017)", 1, CHRF_OPTIONS, partial(_chrf, word_order=2)),
    "ter": Family(
        "TER (Snover et al. 2006), lower is better",
        -1,
        {
            "case": ("lc", "mixed"),
            "norm": ("no", "yes"),
            "punct": ("yes", "no"),
            "asian": ("no", "yes"),
        },
        _ter,
    ),
    "wer": Family(
        "WER: word errors, lower is better",
        -1,
        {"case": CASE},
        partial(_edits, count=wer.counts, score=wer.wer, scope=SPACED),
    ),
    "per": Family(
        "PER: errors regardless of order (Tillmann et al. 1997), lower is better",
        -1,
        {"case": CASE},
        partial(_edits, count=wer.per_counts, score=wer.per, scope=SPACED),
    ),
    "character": Family(
        "CharacTER (Wang et al. 2016), lower is better",
        -1,
        {"case": CASE},
        partial(_edits, count=character.counts, score=character.character),
    ),
    "nist": Family(
        "NIST (Doddington 2002), weights from the test set's references",
        1,
        {"case": CASE, "tok": TOK},
        _nist,
    ),
    "meteor": Family(
        "METEOR 1.5 (Denkowski and Lavie 2014)",
        1,
        {"lang": tuple(LANGUAGES), "modules": METEOR_MODULES},
        _meteor,
    ),
    "rouge-l": Family(
        "ROUGE-L (Lin 2004): longest common subsequence, F1",
        1,
        ROUGE_OPTIONS,
        partial(_rouge, name="rouge-l", count=ngrams.lcs_counts),
    ),
    "rouge-s": Family(
        "ROUGE-S (Lin 2004): skip-bigrams, F1",
        1,
        ROUGE_OPTIONS,
        partial(_rouge, name="rouge-s", count=ngrams.skip_counts),
    ),
}


def measure_named(text: str) -> Measure:
    """The measure that a text spells; an unknown name is an error that lists the known ones.

    >>> measure_named("bleu(tok=intl)").signature(level="corpus").partition("|concordant")[0]
    'metric:bleu|eff:no|case:mixed|tok:intl|smooth:exp'
    """
    spec = parse_spec(text)
    if spec.name not in MEASURES:
        hint = nearest(spec.name, list(MEASURES))
        raise SpecError(f'measure "{spec.name}" is not one of {", ".join(MEASURES)}{hint}')
    family = MEASURES[spec.name]
    if spec.arguments:
        raise SpecError(f"{spec.name} takes options as name=value, not {', '.join(spec.arguments)}")
    options = choose(spec, family.options)
    return Measure(spec, family.title, options, family.sign, family.steps(options))


def is_measure(text: str) -> bool:
    """Whether a text begins with the name of a measure, rather than being a file's name."""
    return text.partition("(")[0].strip() in MEASURES


# Its steps cannot be pickled or copied; another is built from its name.
copyreg.pickle(Measure, lambda each: (measure_named, (each.name,)))

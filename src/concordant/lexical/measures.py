"""Measures by name: how a segment is counted, and how counts become a score.

A measure is two steps. `counts` turns each segment into a row of numbers; `segment_scores` and
`corpus_scores` turn rows into scores. The counts of a corpus are the sum of its segments' counts,
so system scores, bootstraps and permutations never touch the text again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from concordant._version import __version__
from concordant.errors import SpecError, nearest
from concordant.lexical import bleu, character, meteor, ngrams, nist, ter, wer
from concordant.lexical.flags import flags
from concordant.lexical.meteor_languages import LANGUAGES
from concordant.lexical.texts import TOKENISERS
from concordant.records import Scores
from concordant.specs import Spec, choose, parse_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from concordant.lexical.texts import Floats

    Counter = Callable[..., Floats]
    Compute = Callable[[Floats], Floats]

CASE = ("mixed", "lc")
TOK = tuple(TOKENISERS)


@dataclass(frozen=True)
class Steps:
    """The steps of a measure once its options are chosen.

    `prepare` is there for a measure that must know all references of a test set before it counts
    the first segment; what it returns goes to `counts`. `signature` is there for one whose options
    do not say all, such as which of METEOR's modules found their data. `sources` says that `counts`
    wants the sources too, `together` that counting several systems at once spares work, and that
    what was counted is remembered.
    """

    counts: Counter
    segment: Compute
    corpus: Compute
    prepare: Callable[[Sequence[Sequence[str]]], Mapping[str, object]] | None = None
    signature: Callable[[], str] | None = None
    sources: bool = False
    together: bool = False


@dataclass(frozen=True)
class Family:
    """A kind of measure: what it is called, its direction, its options (the first is default)."""

    title: str
    sign: int
    options: Mapping[str, Sequence[str]]
    steps: Callable[[Mapping[str, str]], Steps]


@dataclass(frozen=True)
class Measure:
    """A measure with its options; `sign` is -1 where a lower score is better."""

    spec: Spec
    options: Mapping[str, str]
    sign: int
    steps: Steps

    @property
    def name(self) -> str:
        """The measure as it is spelled: `bleu`, `bleu(tok=intl)`."""
        return str(self.spec)

    def counts(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        threads: int = 1,
        **prepared: Any,
    ) -> Floats:
        """One row of counts per segment; `references` has one or more texts for each segment."""
        return self.steps.counts(hypotheses, references, threads=threads, **prepared)

    def score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        sources: Sequence[str] | None = None,
        *,
        threads: int = 1,
    ) -> Scores:
        """The scores of texts in memory: per segment, with flags, and for the whole.

        >>> round(measure_named("chrf").score(["the cat sat"], [["the cat sits"]]).system, 2)
        61.03
        """
        known = {**self.prepare(references), **({"sources": sources} if self.steps.sources else {})}
        counts = self.counts(hypotheses, references, threads=threads, **known)
        return Scores(
            self.segment_scores(counts),
            float(self.corpus_scores(counts.sum(axis=0))),
            self.signature(level="segment"),
            tuple(flags(hypotheses, references, sources)),
        )

    def prepare(self, references: Sequence[Sequence[str]]) -> Mapping[str, object]:
        """What `counts` must be told of the references of the whole test set; mostly nothing."""
        return {} if self.steps.prepare is None else self.steps.prepare(references)

    def segment_scores(self, counts: Floats) -> Floats:
        """The sentence score of each row of counts."""
        return self.steps.segment(counts)

    def corpus_scores(self, counts: Floats) -> Floats:
        """The corpus score of each row (last axis) of summed counts."""
        return self.steps.corpus(counts)

    def signature(self, *, level: str) -> str:
        """What computed the number, in sacrebleu's style."""
        if self.steps.signature is not None:
            return self.steps.signature()
        options = [f"{key}:{value}" for key, value in self.options.items()]
        if self.spec.name == "bleu":
            options.insert(0, f"eff:{'yes' if level == 'segment' else 'no'}")
        return "|".join([f"metric:{self.spec.name}", *options, f"concordant:{__version__}"])


def _bleu(options: Mapping[str, str]) -> Steps:
    score = partial(bleu.bleu, smoothing=options["smooth"])
    return Steps(
        partial(bleu.counts, tokeniser=options["tok"], lowercase=options["case"] == "lc"),
        partial(score, effective_order=True),
        score,
    )


def _chrf(options: Mapping[str, str], word_order: int) -> Steps:
    beta = float(options["beta"])
    count = partial(
        ngrams.counts,
        char_order=int(options["nc"]),
        word_order=word_order,
        tokeniser="chrf",
        beta=beta,
        whitespace=options["space"] == "yes",
        lowercase=options["case"] == "lc",
    )
    score = partial(ngrams.chrf, beta=beta)
    return Steps(count, score, score)


def _ter(options: Mapping[str, str]) -> Steps:
    count = partial(
        ter.counts,
        case_sensitive=options["case"] == "mixed",
        normalized=options["norm"] == "yes",
        no_punct=options["punct"] == "no",
        asian_support=options["asian"] == "yes",
    )
    return Steps(count, ter.ter, ter.ter)


def _edits(options: Mapping[str, str], count: Counter, score: Compute) -> Steps:
    return Steps(partial(count, lowercase=options["case"] == "lc"), score, score)


def _nist(options: Mapping[str, str]) -> Steps:
    how: dict[str, Any] = {"tokeniser": options["tok"], "lowercase": options["case"] == "lc"}
    return Steps(
        partial(nist.counts, **how),
        nist.nist,
        nist.nist,
        prepare=lambda references: {"weights": nist.weights(references, **how)},
    )


def _meteor(options: Mapping[str, str]) -> Steps:
    wanted = None if options["modules"] == "all" else options["modules"].split("+")
    how: dict[str, Any] = {"language": options["lang"], "modules": wanted}
    score = partial(meteor.score, language=options["lang"])
    return Steps(
        partial(meteor.counts, **how),
        score,
        score,
        signature=partial(meteor.signature, **how),
    )


def _rouge(options: Mapping[str, str], count: Counter) -> Steps:
    counter = partial(count, tokeniser=options["tok"], lowercase=options["case"] == "lc")
    return Steps(counter, ngrams.rouge, ngrams.rouge)


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
        partial(_edits, count=wer.counts, score=wer.wer),
    ),
    "per": Family(
        "PER: errors whatever the order (Tillmann et al. 1997), lower is better",
        -1,
        {"case": CASE},
        partial(_edits, count=wer.per_counts, score=wer.per),
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
        partial(_rouge, count=ngrams.lcs_counts),
    ),
    "rouge-s": Family(
        "ROUGE-S (Lin 2004): skip-bigrams, F1",
        1,
        ROUGE_OPTIONS,
        partial(_rouge, count=ngrams.skip_counts),
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
    return Measure(spec, options, family.sign, family.steps(options))


def is_measure(text: str) -> bool:
    """Whether a text begins with the name of a measure, rather than being a file's name."""
    return text.partition("(")[0].strip() in MEASURES

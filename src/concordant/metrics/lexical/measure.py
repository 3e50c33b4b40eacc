"""A measure with its options: two steps, counts and scores of counts.

`counts` turns each segment into a row of numbers; `segment_scores` and `corpus_scores` turn rows
into scores. The counts of a corpus are the sum of its segments' counts, so system scores,
bootstraps and permutations never touch the text again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant._version import __version__
from concordant.arguments import thread_count
from concordant.brief import Brief
from concordant.errors import ConcordantError
from concordant.metrics.lexical.scope import Scope
from concordant.metrics.lexical.scored_texts import check_given, language_code, scores_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from concordant.metrics.lexical.texts import Floats
    from concordant.records import Scores
    from concordant.specs import Spec

    Counter = Callable[..., Floats]
    Compute = Callable[[Floats], Floats]

ANYTHING = Scope()


@dataclass(frozen=True)
class Steps:
    """The steps of a measure once its options are chosen.

    `prepare` is there for a measure that must know all references of a test set before it counts
    the first segment; what it returns goes to `counts`. `signature` is there for one whose options
    do not say all, such as which of METEOR's modules found their data. `sources` says that `counts`
    wants the sources too, `together` that counting several systems at once spares work, and that
    what was counted is remembered. `scope` says what texts the measure is made for.
    """

    counts: Counter
    segment: Compute
    corpus: Compute
    prepare: Callable[[Sequence[Sequence[str]]], Mapping[str, object]] | None = None
    signature: Callable[[], str] | None = None
    sources: bool = False
    together: bool = False
    scope: Scope = ANYTHING


@dataclass(frozen=True, repr=False)
class Measure(Brief):
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
        language: str | None = None,
        threads: int = 1,
    ) -> Scores:
        """The scores of texts in memory: per segment, with flags, and for the whole.

        `language`, as in "de", is the target language, for flags and warnings.

        >>> from concordant.metrics.lexical.measures import measure_named
        >>> round(measure_named("chrf").score(["the cat sat"], [["the cat sits"]]).system, 2)
        61.03
        """
        given = (hypotheses, references, sources)
        check_given(given)
        if self.steps.sources and sources is None:
            raise ConcordantError(f"{self.name} needs the source; give the sources too")
        known = {**self.prepare(references), **({"sources": sources} if self.steps.sources else {})}
        counts = self.counts(hypotheses, references, threads=thread_count(threads), **known)
        return scores_of(
            self.name,
            given,
            self.segment_scores(counts),
            float(self.corpus_scores(counts.sum(axis=0))),
            (self.signature(level="system"), self.signature(level="segment")),
            self.steps.scope,
            language_code(language),
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

"""A measure with its options: how translations are counted, and counts become scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant._version import __version__
from concordant.brief import Brief
from concordant.metrics.lexical.tokenisers import signature_of
from concordant.metrics.scope import Scope
from concordant.metrics.scorer import NOTHING, BaseScorer, Needs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scorer import Batch, Prepared
    from concordant.specs import Spec

    Counter = Callable[..., Floats]
    Compute = Callable[[Floats], Floats]
    GridCounter = Callable[[Sequence[str], Sequence[str]], Floats]
    AggregateCounter = Callable[[Sequence[str], Sequence[str], Floats], Floats]

ANYTHING = Scope()


@dataclass(frozen=True)
class Steps:
    """The steps of a measure once its options are chosen.

    `prepare` is there for a measure that must know all references of a test set before it counts
    the first segment; what it returns goes to `counts`. `data` names what the measure found of data
    that it can also do without, such as METEOR's modules. `scope` says what texts it is made for.
    `grid` counts every candidate with every reference, reading each text once; `aggregate` counts
    each candidate with the weighted mean of all references.
    """

    counts: Counter
    segment: Compute
    system: Compute
    prepare: Callable[[Sequence[Sequence[str]]], Prepared] | None = None
    data: Callable[[], str] | None = None
    scope: Scope = ANYTHING
    grid: GridCounter | None = None
    aggregate: AggregateCounter | None = None


@dataclass(frozen=True, repr=False)
class Measure(BaseScorer, Brief):
    """A measure with its options; `sign` is -1 where a lower score is better."""

    spec: Spec
    title: str
    options: Mapping[str, str]
    sign: int
    steps: Steps
    averages = False

    @property
    def name(self) -> str:
        """The measure as it is spelled: `bleu`, `bleu(tok=intl)`."""
        return str(self.spec)

    @property
    def scale(self) -> str:
        """The measure's title, with METEOR's modules."""
        modules = self.data.partition("|modules:")[2].partition("|")[0]
        return f"{self.title}, with {modules} matches" if modules else self.title

    @property
    def scope(self) -> Scope:
        """The texts that the measure is made for."""
        return self.steps.scope

    @property
    def needs(self) -> Needs:
        """References, for some those of the whole test set."""
        return Needs(test_set=self.steps.prepare is not None)

    @property
    def data(self) -> str:
        """What it found of data that it can also do without; "" if it needs none."""
        return "" if self.steps.data is None else self.steps.data()

    def prepare(self, references: Sequence[Sequence[str]]) -> Prepared:
        """What `counts` must be told of the references of the whole test set; mostly nothing."""
        return NOTHING if self.steps.prepare is None else self.steps.prepare(references)

    def counts(self, batch: Batch, *, threads: int = 1, prepared: Prepared = NOTHING) -> Floats:
        """One row of counts for each translation."""
        if batch.grid is not None and self.steps.grid is not None:
            return self.steps.grid(*batch.grid)
        return self.steps.counts(batch.translations, batch.references, threads=threads, **prepared)

    def aggregate_scores(
        self,
        candidates: Sequence[str],
        references: Sequence[str],
        weights: Floats,
        *,
        threads: int = 1,
    ) -> Floats:
        """The sentence score of each candidate against the mean counts of all references."""
        if self.steps.aggregate is None:
            return super().aggregate_scores(candidates, references, weights, threads=threads)
        return self.segment_scores(self.steps.aggregate(candidates, references, weights))

    def segment_scores(self, counts: Floats) -> Floats:
        """The sentence score of each row of counts."""
        return self.steps.segment(counts)

    def system_scores(self, counts: Floats) -> Floats:
        """The corpus score of each row (last axis) of summed counts."""
        return self.steps.system(counts)

    def signature(self, *, level: str) -> str:
        """What computes the numbers, in sacrebleu's style."""
        options = [
            f"{key}:{signature_of(value) if key == 'tok' else value}"
            for key, value in self.options.items()
        ]
        if self.spec.name == "bleu":
            options.insert(0, f"eff:{'yes' if level == 'segment' else 'no'}")
        what = self.data or "|".join([f"metric:{self.spec.name}", *options])
        return f"{what}|concordant:{__version__}"

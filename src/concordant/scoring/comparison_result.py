"""What a comparison of systems found: each metric's ranking and tests, and how metrics agree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.tabular import Tabular

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.records import Estimate
    from concordant.scoring.comparison_options import ComparisonOptions
    from concordant.scoring.past_campaigns import PastAgreement, PeopleAgree
    from concordant.stats.arrays import Floats, Ints
    from concordant.stats.contest import Contest, PairTest

ROUNDING = 1e-9  # of a segment's score: less is a tie


@dataclass(frozen=True, repr=False)
class MetricResult(Brief):
    """The results of one metric for all systems.

    `segments` (systems, segments) and the scores of the `contest` are better when higher: where the
    metric's lower scores are better (`sign` -1) they are negated. `shown` turns them back.
    `scale` says what a score is, `past` how often people agreed in past campaigns.
    `against` are the tests against the baseline, corrected for these alone; empty without one.
    `doubts` are warnings that the metric is not made for these texts, `ties` that it does not
    distinguish systems or segments.
    """

    name: str
    sign: int
    scale: str
    signature: str
    contest: Contest
    segments: Floats
    past: PastAgreement
    against: tuple[PairTest, ...] = ()
    doubts: tuple[str, ...] = ()
    ties: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """All warnings about this metric's scores; usually none."""
        return (*self.doubts, *self.ties)

    @property
    def order(self) -> list[int]:
        """The systems from best to worst."""
        scores = [each.score for each in self.contest.standings]
        return sorted(range(len(scores)), key=lambda i: -scores[i])

    def pair(self, first: int, second: int) -> PairTest:
        """The test of two systems, the one of the smaller number first."""
        wanted = (min(first, second), max(first, second))
        return next(each for each in self.contest.pairs if (each.first, each.second) == wanted)

    def people(self, first: int, second: int) -> PeopleAgree:
        """How often people agreed in past campaigns with a difference like that of two systems."""
        return self.past.of(self.pair(first, second).difference)

    def ranking(self, systems: Sequence[str]) -> list[dict[str, Any]]:
        """One row for each system, from best to worst: score, interval, ranks, cluster."""
        rows = []
        for i in self.order:
            standing = self.contest.standings[i]
            low, high = sorted((self.shown(standing.low), self.shown(standing.high)))
            rows.append({
                "metric": self.name, "system": systems[i],
                "score": self.shown(standing.score), "low": low, "high": high,
                "best_rank": standing.best_rank, "worst_rank": standing.worst_rank,
                "cluster": standing.cluster,
            })  # fmt: skip
        return rows

    def pairs(self, systems: Sequence[str], alpha: float) -> list[dict[str, Any]]:
        """One row for each pair, in the order of the ranking, the better system first."""
        rows = []
        for better, worse in combinations(self.order, 2):
            test = self.pair(better, worse)
            turned = test.first != better
            low, high = (-test.high, -test.low) if turned else (test.low, test.high)
            wins, losses, ties = self.outcomes(better, worse)
            ahead = 1.0 - test.ahead - test.tied if turned else test.ahead
            rows.append({
                "metric": self.name, "better": systems[better], "worse": systems[worse],
                "difference": abs(test.difference), "low": low, "high": high,
                "p_bootstrap": test.p_bootstrap, "p_bootstrap_holm": test.p_bootstrap_holm,
                "p_randomisation": test.p_randomisation,
                "p_randomisation_holm": test.p_randomisation_holm,
                "p_bootstrap_at_floor": test.bootstrap_at_floor,
                "p_randomisation_at_floor": test.randomisation_at_floor,
                "ahead": ahead, "wins": wins, "losses": losses, "ties": ties,
                "detectable": test.detectable, "significant": test.significant(alpha),
                **self.past.of(test.difference).record(),
            })  # fmt: skip
        return rows

    def shown(self, score: float) -> float:
        """A score on the metric's own scale."""
        return self.sign * score

    def outcomes(self, first: int, second: int) -> tuple[int, int, int]:
        """On how many segments the first system scores higher, lower, and the same."""
        difference = self.segments[first] - self.segments[second]
        size = ROUNDING * np.maximum(1.0, np.abs(self.segments[first]))
        wins, losses = int((difference > size).sum()), int((difference < -size).sum())
        return wins, losses, difference.size - wins - losses

    def most_different(self, first: int, second: int, count: int) -> list[int]:
        """The segments where two systems differ most, the largest difference first."""
        size = np.abs(self.segments[first] - self.segments[second])
        return [int(i) for i in np.argsort(-size, kind="stable")[:count] if size[i] > 0]

    def by_spread(self) -> list[int]:
        """The segments by the difference of their best and worst score, the largest first."""
        spread = self.segments.max(axis=0) - self.segments.min(axis=0)
        found: list[int] = np.argsort(-spread, kind="stable").tolist()
        return found

    @property
    def detectable(self) -> float | None:
        """The smallest difference that this test set detects with 80 % power, median over pairs.

        Pairs that score the same in every resample are left out; None if all pairs do.
        """
        found = [each.detectable for each in self.contest.pairs if each.detectable > ROUNDING]
        return float(np.median(found)) if found else None


@dataclass(frozen=True)
class MetricAgreement:
    """Agreement of two metrics: pairs in the same order, and Pearson's r of segment scores.

    `translations` is None where a metric gives the same score to all.
    """

    first: str
    second: str
    same_order: int
    pairs: int
    translations: Estimate | None


@dataclass(frozen=True, repr=False)
class Comparison(Brief, Tabular):
    """Systems on one test set, by one or more metrics, and the texts they were compared on.

    `warnings` are sentences on why scores may mean little: of each metric, and of the texts.
    `verdict` says which system is best, and how sure that is; `facts` are the figures behind it, a
    sentence each.
    With a `baseline`, the other systems are tested against that one only. `document_names` has the
    document of each segment, where they are known.
    """

    systems: tuple[str, ...]
    metrics: tuple[MetricResult, ...]
    agreements: tuple[MetricAgreement, ...]
    translations: Mapping[str, Sequence[str]]
    references: Sequence[Sequence[str]]
    sources: Sequence[str] | None
    flags: Mapping[str, Sequence[tuple[str, ...]]]
    lengths: Ints
    documents: int | None
    options: ComparisonOptions
    warnings: tuple[str, ...] = ()
    verdict: str = ""
    facts: tuple[str, ...] = ()
    baseline: str | None = None
    document_names: Sequence[str] | None = None

    def records(self) -> list[dict[str, Any]]:
        """One row for each metric and system, from best to worst: score, interval, ranks."""
        return [row for each in self.metrics for row in each.ranking(self.systems)]

    def to_dict(self) -> dict[str, Any]:
        """The verdict, the ranking and the tests of all pairs as plain values."""
        alpha = self.options.alpha
        return {
            "verdict": self.verdict,
            "facts": list(self.facts),
            "warnings": list(self.warnings),
            "baseline": self.baseline,
            "level": self.options.level,
            "signatures": {each.name: self.signature(each) for each in self.metrics},
            "records": self.records(),
            "pairs": [row for each in self.metrics for row in each.pairs(self.systems, alpha)],
        }

    def _title(self) -> str:
        return self.verdict

    def signature(self, metric: MetricResult) -> str:
        """What computed a metric's scores, intervals and tests."""
        past = "" if metric.past.row is None else f"|past:{metric.past.version}"
        drawn = "segments" if self.documents is None else "documents"
        return (
            f"{metric.signature}|bootstrap:{self.options.resamples}"
            f"|randomisation:{self.options.permutations}|unit:{drawn}|correction:holm"
            f"{'' if self.baseline is None else '|tests:against-baseline'}"
            f"|level:{self.options.level:g}|seed:{self.options.seed}{past}"
        )

"""Correlation over systems whose scores are sums over segments, so that segments can be resampled.

With a few systems a correlation moves when the segments are drawn anew, on the human side and on
the metric's; both system scores are therefore computed again for every resample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.stats.arrays import Bools, Floats


@dataclass(frozen=True)
class Tally:
    """A system score computed from counts (units, systems, k) that add up over units."""

    counts: Floats
    compute: Callable[[Floats], Floats]
    mean: bool = False

    def scores(self, weights: Floats) -> Floats:
        """The score of every system for each row of unit weights; NaN for one without units."""
        return self.compute(np.tensordot(weights, self.counts, axes=1))


@dataclass(frozen=True)
class SystemLevel:
    """A correlation over systems, human and metric scores of each summed over segments.

    `correlate` maps rows of human and of metric system scores to a number each.
    """

    human: Tally
    metric: Tally
    correlate: Callable[[Floats, Floats], Floats]
    name: str

    def value(self) -> float:
        """The correlation of the systems' scores over all segments."""
        value = float(self.resampled(np.ones((1, len(self.human.counts))))[0])
        if np.isnan(value):
            raise UndefinedStatistic(f"{self.name}: human or metric scores are constant")
        return value

    def resampled(self, weights: Floats) -> Floats:
        """The correlation with system scores from each row of segment weights."""
        return _defined_rows(
            self.human.scores(weights), self.metric.scores(weights), self.correlate
        )

    def swapped(self, other: SystemLevel, mask: Bools) -> tuple[Floats, Floats]:
        """The correlations after exchanging the metrics.

        Means of segment scores are exchanged by segment. A corpus score such as BLEU's cannot be
        mixed with another metric's, so whole systems are exchanged then (PERM-SYS), drawn from the
        first columns of the mask.
        """
        everything = np.ones((1, len(self.human.counts)))
        human = np.broadcast_to(
            self.human.scores(everything), (len(mask), self.human.counts.shape[1])
        )
        if self.metric.mean and other.metric.mean:
            moved = np.tensordot(
                mask.astype(np.float64), other.metric.counts - self.metric.counts, axes=1
            )
            first = self.metric.compute(self.metric.counts.sum(axis=0) + moved)
            second = other.metric.compute(other.metric.counts.sum(axis=0) - moved)
        else:
            taken = _system_mask(mask, human.shape[1])
            one = _standard_scores(self.metric.scores(everything))
            two = _standard_scores(other.metric.scores(everything))
            first, second = np.where(taken, two, one), np.where(taken, one, two)
        return (
            _defined_rows(human, first, self.correlate),
            _defined_rows(human, second, self.correlate),
        )


def _defined_rows(
    human: Floats, metric: Floats, correlate: Callable[[Floats, Floats], Floats]
) -> Floats:
    defined = np.isfinite(human).all(axis=-1) & np.isfinite(metric).all(axis=-1)
    results = np.full(len(human), np.nan)
    if defined.any():
        results[defined] = correlate(human[defined], metric[defined])
    return results


def _system_mask(mask: Bools, systems: int) -> Bools:
    repeats = -(-systems // mask.shape[1])
    return np.tile(mask, (1, repeats))[:, :systems]


def _standard_scores(scores: Floats) -> Floats:
    spread = scores.std(axis=-1, keepdims=True)
    if not spread.all():
        raise UndefinedStatistic("a metric gives every system the same score")
    return np.asarray((scores - scores.mean(axis=-1, keepdims=True)) / spread)

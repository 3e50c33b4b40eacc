"""Correlation over systems whose scores are sums over segments, so that segments can be resampled.

With a few systems a correlation moves when the segments are drawn anew, on the human side and on
the metric's; both system scores are therefore computed again for every resample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.arrays import DIGITS, deviation, finite, rescale

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.stats.arrays import Bools, Floats


@dataclass(frozen=True)
class Tally:
    """A system score computed from counts (units, systems, k) that add up over units.

    With `mean` the score is a mean, and the counts are (sum of scores, number of scores).
    """

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
        everything = np.ones((1, len(self.human.counts)))
        human = finite(self.human.scores(everything), f"{self.name}: people's scores of systems")
        metric = finite(self.metric.scores(everything), f"{self.name}: the metric's system scores")
        value = float(self.correlate(human, metric)[0])
        if np.isnan(value):
            raise UndefinedStatistic(
                f"{self.name}: human or metric scores are constant over {human.size} systems"
            )
        return value

    def resample(self, weights: Floats) -> Floats:
        """The correlation with system scores from each row of segment weights."""
        return _defined_rows(
            self.human.scores(weights), self.metric.scores(weights), self.correlate
        )

    def swap(self, other: SystemLevel, mask: Bools) -> tuple[Floats, Floats]:
        """The correlations after exchanging the metrics.

        Means of segment scores are exchanged by segment. A corpus score such as BLEU's cannot be
        mixed with another metric's, so whole systems are exchanged then (PERM-SYS), drawn from the
        first columns of the mask. Either way scores are standardised first, because scores on
        different scales cannot be exchanged, and rounded, because rounding must not break a tie.
        """
        everything = np.ones((1, len(self.human.counts)))
        human = np.broadcast_to(
            self.human.scores(everything), (len(mask), self.human.counts.shape[1])
        )
        if self.metric.mean and other.metric.mean:
            one, two = _standard_sums(self.metric.counts), _standard_sums(other.metric.counts)
            moved = np.tensordot(mask.astype(np.float64), two - one, axes=1)
            first = self.metric.compute(one.sum(axis=0) + moved)
            second = other.metric.compute(two.sum(axis=0) - moved)
        else:
            taken = _system_mask(mask, human.shape[1])
            one = rescale(self.metric.scores(everything))
            two = rescale(other.metric.scores(everything))
            first, second = np.where(taken, two, one), np.where(taken, one, two)
        return (
            _defined_rows(human, first.round(DIGITS), self.correlate),
            _defined_rows(human, second.round(DIGITS), self.correlate),
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
    """A coin for each system; segments of one document share theirs, so equal columns count once.

    Where there are fewer coins than systems, some systems share one, which is a valid test still.
    """
    first = np.sort(np.unique(mask, axis=1, return_index=True)[1])
    repeats = -(-systems // len(first))
    return np.tile(mask[:, first], (1, repeats))[:, :systems]


def _standard_sums(counts: Floats) -> Floats:
    """Sums and numbers of scores with the scores standardised."""
    total, number = counts[..., 0], counts[..., 1]
    judged = number > 0
    scores = total[judged] / number[judged]
    centred = total - number * scores.mean()
    return np.stack([centred / deviation(scores), number], axis=-1)

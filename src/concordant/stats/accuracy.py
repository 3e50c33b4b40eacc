"""Tie-calibrated pairwise accuracy, acc-eq (Deutsch, Foster & Freitag 2023).

People tie many pairs; most metrics never do. acc-eq counts a pair as correct when metric and human
order it alike or both tie it, where the metric ties a pair whose scores lie no further apart than
ε, and takes the ε that serves the metric best over all pairs. Sorting the pairs by that distance
turns the search into one cumulative sum: as ε passes a pair, the pair's verdict changes once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.arrays import DIGITS, deviation, finite
from concordant.stats.tau import pairs_apart

if TYPE_CHECKING:
    from concordant.stats.arrays import Bools, Floats, Ints

BLOCK_CELLS = 8_000_000


class Calibrated(NamedTuple):
    """The accuracy in [0, 1], the ε that gave it, and what a metric that knows nothing reaches."""

    accuracy: float
    epsilon: float
    chance: float


@dataclass(frozen=True)
class TiedPairs:
    """All pairs within segments: the metric's distance, and what each verdict is worth.

    `ordered` is the pair's worth while the metric orders it, `tied` once ε has passed `distance`;
    `unit` is the segment. A pair is worth 1 / (pairs of its segment), so that a segment counts 1.
    `scale` is the standard deviation of the metric's scores.
    """

    distance: Floats
    ordered: Floats
    tied: Floats
    unit: Ints
    units: int
    scale: float = 1.0

    def value(self) -> float:
        """The calibrated accuracy."""
        return self.calibrated().accuracy

    def calibrated(self) -> Calibrated:
        """The calibrated accuracy with its ε and its chance level.

        A metric without information ties everything (right on the human ties) or orders at random
        (right on half of the rest), whichever is better.
        """
        order, gain, last = self._sweep()
        steps = np.r_[0.0, np.cumsum(gain)[last]] + self.ordered.sum()
        best = int(np.argmax(steps))
        epsilon = float(self.distance[order[last[best - 1]]]) if best else 0.0
        segments = len(np.unique(self.unit))
        ties = float(self.tied.sum() / segments)
        return Calibrated(float(steps[best] / segments), epsilon, max(ties, (1 - ties) / 2))

    def resample(self, weights: Floats) -> Floats:
        """The accuracy for each row of unit weights, ε chosen anew each time."""
        present = np.isin(np.arange(self.units), self.unit).astype(np.float64)
        return self._best(weights, weights @ present)

    def swap(self, other: TiedPairs, mask: Bools) -> tuple[Floats, Floats]:
        """Both accuracies with the two metrics exchanged in the units where a row of mask is true.

        One ε then judges scores of both metrics, so each is divided by its own standard deviation.
        The pairs of both metrics are sorted together once; a pair is simply worth nothing in the
        rows in which it is not this metric's turn.
        """
        joined = TiedPairs(
            np.concatenate([each.distance / each.scale for each in (self, other)]).round(DIGITS),
            np.concatenate([self.ordered, other.ordered]),
            np.concatenate([self.tied, other.tied]),
            np.concatenate([self.unit, other.unit + self.units]),
            self.units * 2,
        )
        segments = np.full(len(mask), float(len(np.unique(self.unit))))
        kept, taken = (~mask).astype(np.float64), mask.astype(np.float64)
        first = joined._best(np.concatenate([kept, taken], axis=1), segments)
        return first, joined._best(np.concatenate([taken, kept], axis=1), segments)

    def _sweep(self) -> tuple[Ints, Floats, Ints]:
        """Pairs by distance, what each gains by being tied, and the last pair of each distance."""
        order = np.argsort(self.distance, kind="stable")
        gain = (self.tied - self.ordered)[order]
        distance = self.distance[order]
        last = np.flatnonzero(np.r_[distance[1:] != distance[:-1], True])
        return order, gain, last

    def _best(self, weights: Floats, segments: Floats) -> Floats:
        """The best accuracy for each row of unit weights, which count so many segments."""
        order, gain, last = self._sweep()
        unit = self.unit[order]
        base = np.zeros(self.units)
        np.add.at(base, self.unit, self.ordered)
        rows = max(1, BLOCK_CELLS // max(1, len(unit)))
        best = np.empty(len(weights))
        for begin in range(0, len(weights), rows):
            block = weights[begin : begin + rows]
            steps = np.cumsum(gain * block[:, unit], axis=1)[:, last]
            untied = (block * base).sum(axis=1)  # a matrix product would round by the block's size
            best[begin : begin + rows] = untied + np.maximum(steps.max(axis=1), 0.0)
        return np.where(segments > 0, best / np.maximum(segments, 1e-300), np.nan)


def tied_pairs(human: Floats, metric: Floats, segment: Ints, units: int) -> TiedPairs:
    """The pairs within segments that acc-eq is computed from.

    >>> human, metric = np.array([1.0, 1.0, 2.0]), np.array([0.3, 0.4, 0.9])
    >>> tied_pairs(human, metric, np.zeros(3, dtype=np.int64), 1).calibrated().accuracy
    1.0
    """
    metric = finite(metric, "the metric")
    better, worse, tie = pairs_apart(human, segment, 0.0)
    if better.size == 0:
        raise UndefinedStatistic("acc-eq: no segment has two judged translations")
    unit = segment[better]
    worth = 1.0 / np.bincount(unit, minlength=units)[unit]
    difference = metric[better] - metric[worse]
    right = np.where(tie, difference == 0, difference > 0)
    distance = np.abs(difference)
    return TiedPairs(distance, worth * right, worth * tie, unit, units, deviation(metric))

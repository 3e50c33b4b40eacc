"""Confidence intervals of single systems: a bootstrap over what was counted, in bounded memory.

Up to 16,384 segments are resampled one by one, as `compare` does. Beyond that neighbours are added
up, first two by two, then four by four: at most 16,384 sums are kept, whatever the size of the
files, and they are the units that are resampled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.scoring.comparison_options import LEVEL, RESAMPLES
from concordant.stats.draws import resampled_sums
from concordant.stats.quantiles import percentile_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.stats.arrays import Floats

    Interval = tuple[float, float]

MOST_UNITS = 1 << 14  # even, so that neighbours can be added up in pairs
FIRST_ROWS = 1 << 8


class CountUnits:
    """The counts of segments that come block by block, `size` segments in each unit.

    >>> units = CountUnits(most=4)
    >>> units.add(np.ones((5, 1)))
    >>> units.size, units.counts.ravel().tolist()
    (2, [2.0, 2.0, 1.0])
    """

    def __init__(self, most: int = MOST_UNITS) -> None:
        self.size = 1
        self._most, self._segments = most, 0
        self._sums: Floats | None = None

    @property
    def counts(self) -> Floats:
        """One row of counts for each unit."""
        used = -(-self._segments // self.size)
        return np.zeros((0, 0)) if self._sums is None else self._sums[:used]

    def add(self, rows: Floats) -> None:
        """Count more segments; the units do not depend on the size of the blocks."""
        while len(rows):
            if self._segments == self._most * self.size:
                self._add_neighbours()
            taken = rows[: self._most * self.size - self._segments]
            units = np.arange(self._segments, self._segments + len(taken)) // self.size
            np.add.at(self._room(int(units[-1]) + 1, rows.shape[1]), units, taken)
            self._segments += len(taken)
            rows = rows[len(taken) :]

    def _room(self, units: int, width: int) -> Floats:
        """The sums, with rows for so many units."""
        sums = np.zeros((0, width)) if self._sums is None else self._sums
        if len(sums) < units:
            wanted = max(FIRST_ROWS, units, 2 * len(sums))
            sums = np.vstack([sums, np.zeros((wanted - len(sums), width))])
        self._sums = sums
        return sums

    def _add_neighbours(self) -> None:
        pairs = self.counts
        self._sums = np.asarray(pairs[0::2] + pairs[1::2])
        self.size *= 2


def system_intervals(
    units: Sequence[Floats], metrics: Sequence[Scorer], *, seed: int = 0
) -> tuple[Interval | None, ...]:
    """The interval of a system's score by each metric, all from the same resamples.

    None where there are fewer than two units to resample, or no score of most resamples.
    """
    if len(units[0]) < 2:
        return (None,) * len(metrics)
    ends = np.cumsum([each.shape[1] for each in units])[:-1]
    drawn = resampled_sums(np.hstack(list(units)), RESAMPLES, np.random.default_rng(seed))
    scores: list[list[Floats]] = [[] for _ in metrics]
    for block in drawn:
        for metric, found, sums in zip(metrics, scores, np.split(block, ends, axis=1), strict=True):
            found.append(metric.system_scores(sums))
    return tuple(_interval(np.concatenate(found)) for found in scores)


def _interval(scores: Floats) -> Interval | None:
    try:
        return percentile_interval(scores, level=LEVEL)
    except UndefinedStatistic:
        return None


def interval_signature(size: int, *, seed: int = 0) -> str:
    """How intervals were computed, to follow a metric's signature; `size` segments in a unit.

    >>> interval_signature(4)
    '|bootstrap:1000|unit:4 segments|level:0.95|seed:0'
    """
    unit = "segments" if size == 1 else f"{size} segments"
    return f"|bootstrap:{RESAMPLES}|unit:{unit}|level:{LEVEL:g}|seed:{seed}"

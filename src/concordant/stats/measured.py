"""A statistic that has been measured on data and can be measured again on resamples of it.

Count, then compute: most statistics are a function of sums over segments (pair cells, moments), so
a bootstrap resample is a weighted sum and a permutation exchanges rows of two count matrices. Rank
correlations over all segments at once are not; they recompute from weighted or exchanged values.
Either way a measured statistic answers three questions, and every interval and test is built on
them:

- `value()`: the number itself;
- `resampled(weights)`: the number for each row of unit weights (resamples, units);
- `swapped(other, mask)`: both numbers when two metrics are exchanged in the units where a row of
  the mask is true (PERM-INPUTS of Deutsch et al. 2021).

Rows in which the statistic is undefined are NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats import _native
from concordant.stats.arrays import DIGITS
from concordant.stats.correlation import classes, drawn_classes, pair_counts, spearman_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.stats.arrays import Bools, Floats, Ints

BLOCK_CELLS = 4_000_000
Same = TypeVar("Same")


class Measured(Protocol):
    """What every measured statistic answers (see the module's docstring)."""

    def value(self) -> float:
        """The number itself; UndefinedStatistic where there is none."""
        ...

    def resampled(self, weights: Floats) -> Floats:
        """The number for each row of unit weights; NaN where undefined."""
        ...

    def swapped(self: Same, other: Same, mask: Bools) -> tuple[Floats, Floats]:
        """Both numbers with the two metrics exchanged where a row of mask is true."""
        ...


@dataclass(frozen=True)
class Additive:
    """A statistic computed from counts (units, k) that add up over units."""

    counts: Floats
    compute: Callable[[Floats], Floats]
    name: str

    def value(self) -> float:
        """The statistic of the summed counts."""
        value = float(self.compute(self.counts.sum(axis=0)))
        if np.isnan(value):
            raise UndefinedStatistic(f"{self.name}: a variable is constant or no pair counts")
        return value

    def resampled(self, weights: Floats) -> Floats:
        """The statistic of the weighted sums."""
        return self.compute(weights @ self.counts)

    def swapped(self, other: Additive, mask: Bools) -> tuple[Floats, Floats]:
        """The statistics after exchanging rows of the two count matrices."""
        moved = mask.astype(np.float64) @ (other.counts - self.counts)
        return (
            self.compute(self.counts.sum(axis=0) + moved),
            other.compute(other.counts.sum(axis=0) - moved),
        )


@dataclass(frozen=True)
class PairCounted:
    """A statistic of the five counts of all pairs of points: Kendall's tau, say.

    `standard` is the metric standardised, so that two metrics can be exchanged; it is not used for
    anything else, because standardising may round two close scores to one. With `by_classes`, as
    τ-c needs it, `compute` is also given the smaller number of distinct values as `classes`.
    """

    human: Floats
    metric: Floats
    standard: Floats
    unit: Ints
    compute: Callable[..., Floats]
    name: str
    by_classes: bool = False

    def value(self) -> float:
        """The statistic of all points."""
        value = float(self._rows(self.metric[None])[0])
        if np.isnan(value):
            raise UndefinedStatistic(f"{self.name}: a variable is constant or no pair counts")
        return value

    def resampled(self, weights: Floats) -> Floats:
        """The statistic with every point drawn as often as its unit."""
        results = np.empty(len(weights))
        for rows in blocks(len(weights), len(self.unit)):
            drawn = weights[rows][:, self.unit].astype(np.int64)
            counts = _native.weighted_pair_counts(self.human, self.metric, drawn)
            results[rows] = (
                self.compute(counts, classes=drawn_classes(self.human, self.metric, drawn))
                if self.by_classes
                else self.compute(counts)
            )
        return results

    def swapped(self, other: PairCounted, mask: Bools) -> tuple[Floats, Floats]:
        """The statistics after exchanging the metrics' values within masked units."""
        return _exchanged(self.standard, other.standard, self.unit, mask, self._rows)

    def _rows(self, metric: Floats) -> Floats:
        counts = np.array([pair_counts(self.human, np.ascontiguousarray(row)) for row in metric])
        if self.by_classes:
            return self.compute(counts, classes=classes(self.human, metric))
        return self.compute(counts)


@dataclass(frozen=True)
class Spearman:
    """Spearman's ρ over all points at once; `standard` is the metric standardised for exchange."""

    human: Floats
    metric: Floats
    standard: Floats
    unit: Ints

    def value(self) -> float:
        """Spearman's ρ of all points."""
        value = float(spearman_rows(self.human, self.metric))
        if np.isnan(value):
            raise UndefinedStatistic("spearman: a variable is constant")
        return value

    def resampled(self, weights: Floats) -> Floats:
        """Spearman's ρ with every point drawn as often as its unit."""
        results = np.empty(len(weights))
        for rows in blocks(len(weights), len(self.unit)):
            results[rows] = spearman_rows(self.human, self.metric, weights[rows][:, self.unit])
        return results

    def swapped(self, other: Spearman, mask: Bools) -> tuple[Floats, Floats]:
        """Both ρ after exchanging the metrics' values within masked units."""
        return _exchanged(self.standard, other.standard, self.unit, mask, self._rows)

    def _rows(self, metric: Floats) -> Floats:
        return spearman_rows(self.human, metric)


def blocks(rows: int, columns: int) -> list[slice]:
    """Slices over rows that keep a (rows, columns) array within a few dozen megabytes."""
    step = max(1, BLOCK_CELLS // max(1, columns))
    return [slice(begin, min(begin + step, rows)) for begin in range(0, rows, step)]


def moments(human: Floats, metric: Floats, unit: Ints, units: int) -> Floats:
    """Sums per unit that Pearson's r is a function of: 1, x, y, x², y², xy, of shape (units, 6)."""
    columns = (np.ones_like(human), human, metric, human**2, metric**2, human * metric)
    return np.stack([np.bincount(unit, weights=c, minlength=units) for c in columns], axis=-1)


def pearson_from_moments(sums: Floats) -> Floats:
    """Pearson's r from summed moments (last axis); NaN where a variable is constant."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    total = np.maximum(n, 1.0)
    covariance, var_x, var_y = xy - x * y / total, xx - x * x / total, yy - y * y / total
    flat = (var_x <= 1e-12 * np.maximum(xx, 1e-300)) | (var_y <= 1e-12 * np.maximum(yy, 1e-300))
    spread = np.sqrt(np.where(flat, 1.0, var_x) * np.where(flat, 1.0, var_y))
    return np.where(flat | (n < 2), np.nan, np.clip(covariance / spread, -1.0, 1.0))


def mean_of_groups(sums: Floats) -> Floats:
    """The mean over groups from (value, 1) summed over them; NaN where no group counted."""
    n = sums[..., 1]
    return np.where(n > 0, sums[..., 0] / np.maximum(n, 1e-300), np.nan)


def _exchanged(
    first: Floats, second: Floats, unit: Ints, mask: Bools, rows_of: Callable[[Floats], Floats]
) -> tuple[Floats, Floats]:
    first, second = first.round(DIGITS), second.round(DIGITS)
    one, two = np.empty(len(mask)), np.empty(len(mask))
    for rows in blocks(len(mask), len(unit)):
        taken = mask[rows][:, unit]
        one[rows] = rows_of(np.where(taken, second, first))
        two[rows] = rows_of(np.where(taken, first, second))
    return one, two

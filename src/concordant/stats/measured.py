"""A statistic that has been measured on data and can be measured again on resamples of it.

Count, then compute: most statistics are a function of sums over segments (pair cells, moments), so
a bootstrap resample is a weighted sum and a permutation exchanges rows of two count matrices. Rank
correlations over all segments at once are not; they recompute from weighted or exchanged values.
Either way a measured statistic answers three questions, and every interval and test is built on
them:

- `value()`: the number itself;
- `resample(weights)`: the number for each row of unit weights (resamples, units);
- `swap(other, mask)`: both numbers when two metrics are exchanged in the units where a row of
  the mask is true (PERM-INPUTS of Deutsch et al. 2021).

Rows in which the statistic is undefined are NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.arrays import DIGITS

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

    def resample(self, weights: Floats) -> Floats:
        """The number for each row of unit weights; NaN where undefined."""
        ...

    def swap(self: Same, other: Same, mask: Bools) -> tuple[Floats, Floats]:
        """Both numbers with the two metrics exchanged where a row of mask is true."""
        ...


Part = TypeVar("Part", bound=Measured)


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

    def resample(self, weights: Floats) -> Floats:
        """The statistic of the weighted sums."""
        return self.compute(weights @ self.counts)

    def swap(self, other: Additive, mask: Bools) -> tuple[Floats, Floats]:
        """The statistics after exchanging rows of the two count matrices."""
        moved = mask.astype(np.float64) @ (other.counts - self.counts)
        return (
            self.compute(self.counts.sum(axis=0) + moved),
            other.compute(other.counts.sum(axis=0) - moved),
        )


@dataclass(frozen=True)
class OfPoints:
    """A statistic of all points at once: Spearman's ρ, or Kendall's τ.

    `compute` takes human scores, metric scores (one or many rows of them) and, for resamples, rows
    of weights. `standard` is the metric standardised, so that two metrics can be exchanged; it is
    not used for anything else, because standardising may round two close scores to one.
    """

    human: Floats
    metric: Floats
    standard: Floats
    unit: Ints
    compute: Callable[..., Floats]
    name: str

    def value(self) -> float:
        """The statistic of all points."""
        value = float(self.compute(self.human, self.metric))
        if np.isnan(value):
            raise UndefinedStatistic(f"{self.name}: a variable is constant or no pair counts")
        return value

    def resample(self, weights: Floats) -> Floats:
        """The statistic with every point drawn as often as its unit."""
        results = np.empty(len(weights))
        for rows in blocks(len(weights), len(self.unit)):
            results[rows] = self.compute(self.human, self.metric, weights[rows][:, self.unit])
        return results

    def swap(self, other: OfPoints, mask: Bools) -> tuple[Floats, Floats]:
        """The statistics after exchanging the metrics' values within masked units."""
        first, second = self.standard.round(DIGITS), other.standard.round(DIGITS)
        one, two = np.empty(len(mask)), np.empty(len(mask))
        for rows in blocks(len(mask), len(self.unit)):
            taken = mask[rows][:, self.unit]
            one[rows] = self.compute(self.human, np.where(taken, second, first))
            two[rows] = self.compute(self.human, np.where(taken, first, second))
        return one, two


@dataclass(frozen=True)
class Averaged(Generic[Part]):
    """The mean over parts; parts that are undefined on the whole data do not count."""

    parts: tuple[Part, ...]

    def value(self) -> float:
        """The mean of the defined parts' values."""
        values = []
        for part in self.parts:
            try:
                values.append(part.value())
            except UndefinedStatistic:
                continue
        if not values:
            raise UndefinedStatistic(f"undefined for each of the {len(self.parts)} groups")
        return float(np.mean(values))

    def resample(self, weights: Floats) -> Floats:
        """The mean over the parts that are defined in each resample."""
        return _mean([part.resample(weights) for part in self.parts])

    def swap(self, other: Averaged[Part], mask: Bools) -> tuple[Floats, Floats]:
        """The means after exchanging the two metrics in every part."""
        both = [a.swap(b, mask) for a, b in zip(self.parts, other.parts, strict=True)]
        return _mean([first for first, _ in both]), _mean([second for _, second in both])


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


def _mean(rows: list[Floats]) -> Floats:
    values = np.array(rows)
    defined = ~np.isnan(values)
    count = defined.sum(axis=0)
    total = np.where(defined, values, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)

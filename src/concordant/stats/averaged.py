"""The mean of several measured statistics over the same units: by system, say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.measured import Measured

if TYPE_CHECKING:
    from concordant.stats.arrays import Bools, Floats

Part = TypeVar("Part", bound=Measured)


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

    def resampled(self, weights: Floats) -> Floats:
        """The mean over the parts that are defined in each resample."""
        return _mean([part.resampled(weights) for part in self.parts])

    def swapped(self, other: Averaged[Part], mask: Bools) -> tuple[Floats, Floats]:
        """The means after exchanging the two metrics in every part."""
        both = [a.swapped(b, mask) for a, b in zip(self.parts, other.parts, strict=True)]
        return _mean([first for first, _ in both]), _mean([second for _, second in both])


def _mean(rows: list[Floats]) -> Floats:
    values = np.array(rows)
    defined = ~np.isnan(values)
    count = defined.sum(axis=0)
    total = np.where(defined, values, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)

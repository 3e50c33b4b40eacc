"""What was said against what came true, in bins of equal size: the points of a reliability plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from concordant.stats.arrays import Floats

WIDTH = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class Bin:
    """The mean of what was said and of what came true, with an interval, and how many there are."""

    said: float
    true: float
    low: float
    high: float
    count: int


def binned(said: Floats, true: Floats, most: int = 10, *, shares: bool = False) -> list[Bin]:
    """Values in up to `most` bins of about equal size by `said`; equal values share a bin.

    Intervals are 1.96 standard errors of the mean; of `shares`, values from 0 to 1, they are
    Wilson's (1927), which stay between these. They take the values as independent.

    >>> found = binned(np.array([0.0, 0, 1, 1]), np.array([0.0, 0, 1, 0]), shares=True)
    >>> [(each.said, each.true, round(each.low, 2), round(each.high, 2)) for each in found]
    [(0.0, 0.0, 0.0, 0.66), (1.0, 0.5, 0.09, 0.91)]
    """
    edges = np.unique(np.quantile(said, np.linspace(0, 1, most + 1)[1:], method="inverted_cdf"))
    number = np.searchsorted(edges, said)
    interval = _wilson if shares else _standard
    bins = []
    for k in range(len(edges)):
        own = true[number == k]
        low, high = interval(own)
        bins.append(Bin(float(said[number == k].mean()), float(own.mean()), low, high, len(own)))
    return bins


def _standard(values: Floats) -> tuple[float, float]:
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    half = WIDTH * spread / float(np.sqrt(len(values)))
    return float(values.mean()) - half, float(values.mean()) + half


def _wilson(values: Floats) -> tuple[float, float]:
    share, weight = float(values.mean()), WIDTH**2 / len(values)
    middle = (share + weight / 2) / (1 + weight)
    half = float(np.sqrt(weight * (share * (1 - share) + weight / 4))) / (1 + weight)
    return min(share, middle - half), max(share, middle + half)

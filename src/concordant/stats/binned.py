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


def binned(said: Floats, true: Floats, most: int = 10) -> list[Bin]:
    """Values in up to `most` bins of about equal size by `said`; equal values share a bin.

    >>> [
    ...     (each.said, each.true)
    ...     for each in binned(np.array([0.0, 0, 1, 1]), np.array([0.0, 0, 1, 0]))
    ... ]
    [(0.0, 0.0), (1.0, 0.5)]
    """
    edges = np.unique(np.quantile(said, np.linspace(0, 1, most + 1)[1:], method="higher"))
    number = np.searchsorted(edges, said)
    bins = []
    for k in range(len(edges)):
        own = number == k
        mean = float(true[own].mean())
        spread = float(true[own].std(ddof=1)) if own.sum() > 1 else 0.0
        half = WIDTH * spread / float(np.sqrt(own.sum()))
        bins.append(Bin(float(said[own].mean()), mean, mean - half, mean + half, int(own.sum())))
    return bins

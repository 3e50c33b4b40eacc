"""Intervals by bootstrap and p-values by permutation, for anything that can be measured again.

A bootstrap resamples whole test sets with replacement, by segment, or by document where segments
of one document hang together. Two metrics are always resampled with the same draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.records import Estimate
from concordant.stats.quantiles import LEVEL, percentile_interval

if TYPE_CHECKING:
    from concordant.stats.arrays import Bools, Floats, Ints
    from concordant.stats.measured import Measured

BLOCK = 256  # rows drawn at once; part of what a seed means, so not an option


@dataclass(frozen=True)
class Difference:
    """How much better the first of two is: the difference, its interval and a two-sided p."""

    value: float
    low: float | None
    high: float | None
    p: float


def bootstrap_weights(
    units: int, resamples: int, rng: np.random.Generator, *, clusters: Ints | None = None
) -> Floats:
    """How often each unit is drawn in each resample, of shape (resamples, units).

    With `clusters` (a document number for every unit) whole clusters are drawn.

    >>> bootstrap_weights(4, 2, np.random.default_rng(0)).sum(axis=1).tolist()
    [4.0, 4.0]
    """
    drawn = units if clusters is None else int(clusters.max()) + 1
    weights = np.empty((resamples, drawn))
    for begin in range(0, resamples, BLOCK):
        rows = min(BLOCK, resamples - begin)
        picks = rng.integers(drawn, size=(rows, drawn)) + np.arange(rows)[:, None] * drawn
        counts = np.bincount(picks.ravel(), minlength=rows * drawn)
        weights[begin : begin + rows] = counts.reshape(rows, drawn)
    return weights if clusters is None else weights[:, clusters]


def swap_masks(
    units: int, permutations: int, rng: np.random.Generator, *, clusters: Ints | None = None
) -> Bools:
    """Fair coin tosses, one per unit (or cluster) and permutation: exchange the metrics there?"""
    drawn = units if clusters is None else int(clusters.max()) + 1
    mask = rng.integers(2, size=(permutations, drawn), dtype=np.int8).astype(bool)
    return mask if clusters is None else mask[:, clusters]


def estimate(
    measured: Measured, weights: Floats, *, n: int, level: float = LEVEL, method: str
) -> Estimate:
    """A measured statistic with its bootstrap interval; without one if resamples are undefined."""
    return estimate_from(measured.value(), measured.resample(weights), n, level, method)


def estimate_from(
    value: float, resampled: Floats, n: int, level: float = LEVEL, method: str = "bootstrap"
) -> Estimate:
    """A value with the interval of its resampled values."""
    try:
        low, high = percentile_interval(resampled, level=level)
    except UndefinedStatistic as reason:
        return Estimate(value, None, None, n, level, f"no interval: {reason}")
    return Estimate(value, low, high, n, level, method)


def difference_from(
    value: float, resampled: Floats, p: float, *, level: float = LEVEL
) -> Difference:
    """A difference with the interval of its resampled values and the p-value of its test."""
    try:
        low, high = percentile_interval(resampled, level=level)
    except UndefinedStatistic:
        return Difference(value, None, None, p)
    return Difference(value, low, high, p)

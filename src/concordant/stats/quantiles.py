"""The one quantile rule: position (n - 1) · q in the sorted values, as NumPy has it by default.

Scores are interpolated between the two values around that position. Ranks and lengths have nothing
in between: they take the value at the nearest position. Every interval, rank range and quartile
comes from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.stats.arrays import Floats, Ints

LEVEL = 0.95


def score_quantiles(values: Floats, shares: Sequence[float], *, axis: int = 0) -> Floats:
    """The values below which these shares of all values lie, interpolated; shares come first.

    >>> score_quantiles(np.array([1.0, 2.0, 4.0]), [0.5, 0.75]).tolist()
    [2.0, 3.0]
    """
    return np.asarray(np.quantile(values, shares, axis=axis))


def whole_quantiles(values: Ints, shares: Sequence[float], *, axis: int = 0) -> Ints:
    """The same for whole numbers: each is one of the values.

    >>> whole_quantiles(np.array([1, 2, 4]), [0.5, 0.7]).tolist()
    [2, 2]
    """
    return np.asarray(np.quantile(values, shares, axis=axis, method="nearest"))


def percentile_interval(values: Floats, *, level: float = LEVEL) -> tuple[float, float]:
    """The central `level` share of resampled values; undefined resamples (NaN) are left out.

    >>> percentile_interval(np.arange(101.0), level=0.5)
    (25.0, 75.0)
    """
    defined = values[~np.isnan(values)]
    if 2 * len(defined) < len(values) or len(defined) == 0:
        raise UndefinedStatistic(
            f"undefined in {len(values) - len(defined)} of {len(values)} resamples; "
            "too few judgements for an interval"
        )
    low, high = score_quantiles(defined, central_shares(level))
    return float(low), float(high)


def central_shares(level: float) -> tuple[float, float]:
    """The shares below and at the end of the central `level` of all values.

    >>> central_shares(0.5)
    (0.25, 0.75)
    """
    if not 0 < level < 1:
        raise UndefinedStatistic(f"level {level:g} must lie between 0 and 1, such as 0.95")
    tail = (1.0 - level) / 2
    return tail, 1.0 - tail

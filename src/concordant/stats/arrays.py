"""Checked input: what every statistic refuses before it computes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


DIGITS = 12  # of standardised scores that are exchanged: rounding must not break a tie


def finite(values: npt.ArrayLike, what: str) -> Floats:
    """The values as a flat float array; NaN and infinity have no place in a statistic."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    bad = int(np.count_nonzero(~np.isfinite(array)))
    if bad:
        raise UndefinedStatistic(f"{what}: {bad} of {array.size} values are NaN or infinite")
    return array


def check_paired(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Two variables of equal length, at least two points each."""
    first, second = finite(x, "the first variable"), finite(y, "the second variable")
    if first.shape != second.shape or first.ndim != 1:
        raise UndefinedStatistic(
            f"the variables differ in shape: {first.shape} and {second.shape}; "
            "one value each per point is needed"
        )
    if first.size < 2:
        raise UndefinedStatistic(f"{first.size} points; at least 2 are needed")
    return first, second


def deviation(values: Floats) -> float:
    """The standard deviation of all values, above 0; 1 for a constant, which has no scale.

    >>> deviation(np.array([1.0, 3.0])), deviation(np.array([0.1, 0.1, 0.1]))
    (1.0, 1.0)
    """
    return 1.0 if values.size == 0 or values.min() == values.max() else float(values.std())


def rescale(values: Floats) -> Floats:
    """The values with mean 0 and standard deviation 1; zeros for a constant."""
    return np.asarray((values - values.mean()) / deviation(values))


def standardise(values: npt.ArrayLike, what: str = "the metric") -> Floats:
    """The values with mean 0 and standard deviation 1; a constant cannot be standardised.

    >>> standardise([1.0, 2.0, 3.0]).round(3).tolist()
    [-1.225, 0.0, 1.225]
    """
    array = finite(values, what)
    if array.size == 0 or array.min() == array.max():
        raise UndefinedStatistic(f"{what} is constant over {array.size} points")
    return rescale(array)

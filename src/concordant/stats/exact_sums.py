"""Sums of floating-point numbers without rounding: the same for any order and any partition.

A number is a whole number of units of 2^-1074, the smallest there is. Sums of such whole numbers
are exact, and are rounded once, at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from concordant.stats.arrays import Floats

UNIT = 1074
_HALF = 26  # bits of the lower part of a mantissa
_ROWS = 1 << 20  # whose parts add up without rounding


def exact_sums(values: Floats) -> list[int]:
    """The sum of each column of finite numbers, (rows, columns), in units of 2^-1074.

    >>> [rounded(each) for each in exact_sums(np.array([[1e300], [0.1], [-1e300]]))]
    [0.1]
    """
    totals = [0] * values.shape[1]
    for begin in range(0, len(values), _ROWS):
        for column, numbers in enumerate(values[begin : begin + _ROWS].T):
            totals[column] += _sum(numbers)
    return totals


def rounded(total: int) -> float:
    """The number nearest to a sum of units."""
    return total / (1 << UNIT)


def _sum(numbers: Floats) -> int:
    shares, exponents = np.frexp(numbers)
    mantissas = (shares * 2.0**53).astype(np.int64)
    known, group = np.unique(exponents, return_inverse=True)
    low = np.bincount(group, mantissas & ((1 << _HALF) - 1), len(known))
    high = np.bincount(group, mantissas >> _HALF, len(known))
    total = 0
    for exponent, upper, lower in zip(known.tolist(), high.tolist(), low.tolist(), strict=True):
        whole, shift = (int(upper) << _HALF) + int(lower), exponent - 53 + UNIT
        total += whole << shift if shift >= 0 else whole >> -shift  # the lowest bits are zeros
    return total

"""Integrated gradients: the contribution of each column to the difference from an average row.

The gradient is integrated along the straight line between the two (Aumann and Shapley 1974;
Sundararajan et al. 2017). For any smooth function the parts add up to the difference of
the two values, which is also how a row's integral is checked.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Function = Callable[[Floats], Floats]

FEWEST, MOST = 16, 512  # places of Gauss and Legendre along the way
CLOSE = 1e-12


def integrate(value: Function, slope: Function, x: Floats) -> Floats:
    """Parts (rows, columns) of value(x) − value(0), each row adding up to its difference.

    `slope` gives the derivatives of `value` by each column. A row whose integral is not close after
    the most places has what is missing shared out by the sizes of its parts.

    >>> x = np.array([[1.0, 2.0]])
    >>> integrate(lambda x: x[:, 0] * x[:, 1], lambda x: x[:, ::-1], x).round(12).tolist()
    [[1.0, 1.0]]
    """
    total = value(x) - value(np.zeros((1, x.shape[1])))
    parts = np.zeros_like(x)
    left, places = np.arange(len(x)), FEWEST
    while len(left) and places <= MOST:
        parts[left] = _along(slope, x[left], places)
        off = np.abs(parts[left].sum(axis=1) - total[left])
        left = left[off > CLOSE * np.maximum(1.0, np.abs(total[left]))]
        places *= 2
    size = np.abs(parts) + 1e-300
    missing = total - parts.sum(axis=1)
    return np.asarray(parts + missing[:, None] * size / size.sum(axis=1, keepdims=True))


def _along(slope: Function, x: Floats, places: int) -> Floats:
    mean = np.zeros_like(x)
    for place, weight in zip(*_rule(places), strict=True):
        mean += 0.5 * weight * slope(x * (0.5 + 0.5 * place))
    return np.asarray(x * mean)


@cache
def _rule(places: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(places)

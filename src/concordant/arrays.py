"""Products and sums whose bits depend on nothing but their own numbers.

A library's matrix product may add in another order for another number of rows, another place among
them or another number of threads. Whatever must score a text the same beside any other text uses
these instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from concordant import _native

# float32 or float64, whichever the arguments are.
Floats = npt.NDArray[Any]


def product(rows: Floats, weights: Floats) -> Floats:
    """`rows @ weights`; to the last bit the same for a row whatever rows stand beside it.

    `rows` is a matrix, `weights` a matrix or a vector.

    >>> product(np.ones((3, 2)), np.ones(2)).tolist()
    [2.0, 2.0, 2.0]
    """
    kind = np.result_type(rows, weights)
    left = np.ascontiguousarray(rows, dtype=kind)
    right = np.ascontiguousarray(weights, dtype=kind)
    if right.ndim == 1:
        return _native.product(left, right[:, None])[:, 0]
    return _native.product(left, right)


def sum_groups(values: Floats, first: npt.NDArray[np.int64]) -> Floats:
    """The sum of each group of neighbouring rows, added in their order; no group is empty.

    `first` has the row that each group begins with.

    >>> sum_groups(np.array([[1.0], [2.0], [4.0]]), np.array([0, 2])).tolist()
    [[3.0], [4.0]]
    """
    return _native.sum_groups(np.ascontiguousarray(values), first)

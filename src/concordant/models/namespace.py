"""The functions of an array's own library, so that a forward pass is written once.

At inference arrays are NumPy's and torch is never imported. Where a gradient is not written by hand
they are torch's in training, whose autograd then sees the same lines.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from concordant import arrays

# A NumPy array or a torch tensor. Operators, slices and the functions below work on both.
Array = Any
Params = dict[str, Array]


def namespace(array: Array) -> Any:
    """NumPy for NumPy's arrays, torch for torch's tensors.

    >>> namespace(np.zeros(2)).__name__
    'numpy'
    """
    return np if isinstance(array, np.ndarray) else sys.modules["torch"]


def product(rows: Array, weights: Array) -> Array:
    """`rows @ weights`; in NumPy each row is the same to the last bit whatever the other rows.

    A library's matrix product may add up in another order for another number of rows, or for
    another place among them, so NumPy's arrays have a kernel that never does. In torch both may
    have an axis in front, one matrix of rows and one of weights for each of several networks.

    >>> product(np.ones((3, 2)), np.ones(2)).tolist()
    [2.0, 2.0, 2.0]
    """
    if not isinstance(rows, np.ndarray):
        vector = weights.ndim == rows.ndim - 1
        return (rows @ weights[..., None])[..., 0] if vector else rows @ weights
    return arrays.product(rows, weights)


def sum_groups(values: Array, first: Array, group: Array) -> Array:
    """The sum of each group of neighbouring rows; no group is empty.

    `first` are the rows that groups begin with, `group` has each row's group.

    >>> sum_groups(np.array([[1.0], [2.0], [4.0]]), np.array([0, 2]), np.array([0, 0, 1])).tolist()
    [[3.0], [4.0]]
    """
    if isinstance(values, np.ndarray):
        return arrays.sum_groups(values, first)
    torch = namespace(values)
    sums = torch.zeros((len(first), values.shape[1]), dtype=values.dtype)
    return sums.index_add(0, torch.as_tensor(group), values)


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)), in (0, 1), without overflow.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    return 0.5 * (namespace(x).tanh(0.5 * x) + 1.0)


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), at least 0, without overflow.

    >>> softplus(np.array([-1000.0, 1000.0])).tolist()
    [0.0, 1000.0]
    """
    xp = namespace(x)
    return xp.logaddexp(x, xp.zeros_like(x))


def glorot(rng: np.random.Generator, *shape: int) -> Array:
    """Uniform weights in ±sqrt(6 / (inputs + outputs)) (Glorot and Bengio 2010).

    The last two axes are outputs and inputs; others are repetitions.
    """
    bound = np.sqrt(6.0 / (shape[-1] + shape[-2]))
    return rng.uniform(-bound, bound, size=shape)

"""The functions that models share: of forward passes and costs, first weights, agreement."""

from __future__ import annotations

from typing import Any

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.correlation import pearson

Array = Any  # of float32 in training, of float32 or float64 elsewhere; or one number
Params = dict[str, Array]


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)), in (0, 1), without overflow.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    return 0.5 * (np.tanh(0.5 * x) + 1.0)


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), at least 0, without overflow.

    >>> softplus(np.array([-1000.0, 1000.0])).tolist()
    [0.0, 1000.0]
    """
    return np.logaddexp(x, np.zeros_like(x))


def glorot(rng: np.random.Generator, *shape: int) -> Array:
    """Uniform weights in ±sqrt(6 / (inputs + outputs)) (Glorot and Bengio 2010).

    The last two axes are outputs and inputs; others are repetitions.
    """
    bound = np.sqrt(6.0 / (shape[-1] + shape[-2]))
    return rng.uniform(-bound, bound, size=shape)


def correlation(predicted: Array, human: Array) -> float:
    """Pearson's r; 0 where it is undefined, since constant predictions order nothing."""
    try:
        return pearson(predicted, human)
    except UndefinedStatistic:
        return 0.0

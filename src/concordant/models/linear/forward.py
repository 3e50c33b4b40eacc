"""How good one translation is: the metric of Stanojević and Sima'an 2017, §2.

A translation's features φ give one number, its sigmoid is the sentence's score, and the mean of
these is the corpus's:

    forward(φ) = φᵀw + b        sentence score = sig(forward(φ))

The paper allows any differentiable function; here a hidden layer of tanh nodes can stand between φ
and the output. `mean` and `deviation` are not weights: they describe the training features,
so that weights can be compared and scores explained.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.arrays import product
from concordant.models.functions import glorot, sigmoid

if TYPE_CHECKING:
    from concordant.models.functions import Array, Params


@dataclass(frozen=True)
class LinearShape:
    """The sizes of a model: how many features, how many hidden nodes (0: none, a linear model)."""

    features: int
    hidden: int = 0


def sizes(shape: LinearShape) -> dict[str, tuple[int, ...]]:
    """The shape of each parameter that is learned.

    >>> sizes(LinearShape(features=3))
    {'weights': (3,), 'bias': (1,)}
    """
    if not shape.hidden:
        return {"weights": (shape.features,), "bias": (1,)}
    return {
        "hidden_weights": (shape.features, shape.hidden),
        "hidden_bias": (shape.hidden,),
        "weights": (shape.hidden,),
        "bias": (1,),
    }


def kept_sizes(shape: LinearShape) -> dict[str, tuple[int, ...]]:
    """The shape of every array of a trained model: what is learned, and how features lay."""
    return {**sizes(shape), "mean": (shape.features,), "deviation": (shape.features,)}


def initial(shape: LinearShape, rng: np.random.Generator) -> Params:
    """Where training begins: zeros, or with a hidden layer random weights.

    From zeros no weight is larger than the judgements ask for, which keeps a linear model readable.
    """
    params: Params = {name: np.zeros(size) for name, size in sizes(shape).items()}
    if shape.hidden:
        params["hidden_weights"] = glorot(rng, shape.hidden, shape.features).T
        params["weights"] = glorot(rng, 1, shape.hidden)[0]
    return params


def forward(params: Params, features: Array) -> Array:
    """One real number for each translation, higher is better: (rows,) of (rows, features).

    >>> forward({"weights": np.array([2.0, 0.5]), "bias": np.ones(1)}, np.eye(2)).tolist()
    [3.0, 1.5]
    """
    inside = features
    if "hidden_weights" in params:
        turned = product(features, params["hidden_weights"]) + params["hidden_bias"]
        inside = np.tanh(turned)
    return product(inside, params["weights"]) + params["bias"]


def sentence_scores(params: Params, features: Array) -> Array:
    """The score of each translation, in (0, 1)."""
    return sigmoid(forward(params, features))


def margin(params: Params, first: Array, second: Array) -> Array:
    """By how much the first is preferred, in (-1/2, 1/2): sig(f1 - f2) - 1/2.

    Training asks for a difference of 1 between a better and a worse translation, which is 0.23.
    """
    return sigmoid(forward(params, first) - forward(params, second)) - 0.5

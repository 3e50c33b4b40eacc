"""How much each feature moved the number that a linear model makes of a translation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.models.integrated_gradients import integrate
from concordant.models.kind import Explanation
from concordant.models.linear.forward import forward

if TYPE_CHECKING:
    from concordant.models.functions import Array, Params


def contributions(params: Params, features: Array) -> Array:
    """How much each feature moved each output's forward(φ), (outputs, features).

    The parts add up to the difference to an output with the training mean in all features:
    w_i (φ_i - mean_i) in a linear model, integrated gradients in one with a hidden layer.
    """
    moved = features - params["mean"]
    if "hidden_weights" not in params:
        return moved * params["weights"]
    return integrate(
        lambda at: forward(params, params["mean"] + at),
        lambda at: _slope(params, params["mean"] + at),
        moved,
    )


def _slope(params: Params, features: Array) -> Array:
    """The derivatives of forward(φ) with a hidden layer by each feature, (outputs, features)."""
    hidden = np.tanh(features @ params["hidden_weights"] + params["hidden_bias"])
    return ((1.0 - hidden * hidden) * params["weights"]) @ params["hidden_weights"].T


def average_forward(params: Params) -> float:
    """forward(φ) of an output with the training mean in all features."""
    return float(forward(params, params["mean"][None, :])[0])


def effects(params: Params) -> np.ndarray:
    """What one standard deviation of each feature moves, from the mean of all, (features,)."""
    mean, deviation = params["mean"], params["deviation"]
    return np.asarray(contributions(params, mean + np.diag(deviation)).diagonal())


EXPLANATION = Explanation(
    lambda metric, seen: contributions(metric.params, seen.features),
    lambda metric, seen: forward(metric.params, seen.features),
    lambda metric: average_forward(metric.params),
    lambda _: "score = 1 / (1 + exp(−raw total))",
    effects=lambda metric: effects(metric.params),
)

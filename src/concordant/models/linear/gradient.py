"""How the parameters of a linear model move a cost of its outputs: the chain rule, by hand.

Arrays may have one more axis in front, the runs: several models, each with its own translations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from concordant.models.functions import Array, Params


def outputs_and_layer(params: Params, features: Array) -> tuple[Array, Array]:
    """forward(φ) of each translation, and what the output node saw of it."""
    layer = features
    if "hidden_weights" in params:
        layer = np.tanh(features @ params["hidden_weights"] + params["hidden_bias"][..., None, :])
    return (layer @ params["weights"][..., None])[..., 0] + params["bias"], layer


def gradient_of(params: Params, features: Array, layer: Array, slope: Array) -> Params:
    """The gradient of Σ slope · forward(φ) over the translations, in the parameters' shapes."""
    gradient = {
        "weights": (slope[..., None, :] @ layer)[..., 0, :],
        "bias": slope.sum(axis=-1, keepdims=True),
    }
    if "hidden_weights" in params:
        inner = slope[..., None] * params["weights"][..., None, :] * (1.0 - layer * layer)
        gradient["hidden_weights"] = np.swapaxes(features, -1, -2) @ inner
        gradient["hidden_bias"] = inner.sum(axis=-2)
    return gradient

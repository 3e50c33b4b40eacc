"""The gradient of a pairwise network's log-odds, written by hand.

A mini-batch of thirty pairs is so small that a library's automatic differentiation is nearly all
bookkeeping. By hand it is a dozen array operations, several times as fast, and training needs
NumPy alone. The tests hold it to finite differences.

All arrays have one more axis in front, the runs: several networks, each with its own pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.models.pairwise.forward import group_mask, output_inputs, swap

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.models.functions import Array, Params
    from concordant.models.pairwise.forward import PairwiseShape

    # Log-odds of both orders (back is None where only one is asked) → cost (runs,), slopes of both.
    Slopes = Callable[[Array, Array | None], tuple[Array, Array, Array | None]]


def cost_and_gradient(
    params: Params,
    shape: PairwiseShape,
    inputs: tuple[Array, Array, Array],
    slopes: Slopes,
    *,
    both: bool,
) -> tuple[Array, Params]:
    """The cost of pairs, (runs,), and its gradient in the shape of the parameters.

    `inputs` are vectors and both ψ as `forward` takes them. `slopes` is asked for the log-odds of
    the pairs as given and, with `both`, of the pairs swapped.
    """
    vectors, first, second = inputs
    orders = [inputs]
    if both or shape.symmetric:
        orders.append((swap(shape, vectors), second, first))
    layers = [output_inputs(params, *each, times=np.matmul) for each in orders]
    weights, bias = params["output_weights"][..., None], params["output_bias"]
    odds = [(layer @ weights)[..., 0] + bias for layer in layers]
    if shape.symmetric:
        odds = [odds[0] - odds[1], odds[1] - odds[0]]
    cost, *found = slopes(odds[0], odds[1] if both else None)
    moved = [each for each in found if each is not None]
    if shape.symmetric:
        turned = moved[0] - moved[1] if both else moved[0]
        moved = [turned, -turned]
    parts = [
        _backward(params, texts, layer, slope)
        for (texts, _, _), layer, slope in zip(orders, layers, moved, strict=True)
    ]
    gradient = {name: sum(part[name] for part in parts) for name in parts[0]}
    if "hidden_weights" in gradient:
        gradient["hidden_weights"] *= group_mask(shape)
    return cost, gradient


def _backward(params: Params, vectors: Array, layer: Array, slope: Array) -> Params:
    """The gradient of Σ slope · log-odds; `layer` is what the output node saw."""
    gradient = {
        "output_weights": (slope[..., None, :] @ layer)[..., 0, :],
        "output_bias": slope.sum(axis=-1, keepdims=True),
    }
    if "hidden_weights" in params:
        nodes = layer[..., : params["hidden_bias"].shape[-1]]
        onward = params["output_weights"][..., None, : nodes.shape[-1]]
        inner = slope[..., None] * onward * (1.0 - nodes * nodes)  # (runs, pairs, nodes)
        flat = vectors.reshape(*vectors.shape[:-2], vectors.shape[-2] * vectors.shape[-1])
        gradient["hidden_weights"] = np.swapaxes(flat, -1, -2) @ inner
        gradient["hidden_bias"] = inner.sum(axis=-2)
    return gradient

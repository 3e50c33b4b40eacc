"""Which of two translations is better: the pairwise network of Guzmán et al. 2015, §3.2.

Three groups of hidden nodes see the sentence vectors of two texts each: h12 the two translations,
h1r and h2r one translation and the reference. Similarity features of each translation with the
reference skip the hidden layer and go to the output:

    p(first is better) = sig(w · [h12, h1r, h2r, ψ(t1, r), ψ(t2, r)] + b)

Beyond the paper: further texts to compare with, such as the source (`anchors`); no hidden layer
(`hidden` 0); and a symmetric network, in which swapping the translations flips the decision
exactly, because its output is the difference of the network's two orders.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from concordant.arrays import product
from concordant.models.functions import glorot

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.models.functions import Array, Params

    Product = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class PairwiseShape:
    """The sizes of a network: of a sentence vector, of ψ, of a group of hidden nodes.

    `anchors` are the texts that both translations are compared with: the reference, the source,
    both or none.
    """

    vector: int
    features: int
    hidden: int = 4
    anchors: tuple[str, ...] = ("reference",)
    symmetric: bool = False

    @property
    def groups(self) -> tuple[tuple[int, int], ...]:
        """Which two texts each group sees; text 0 and 1 are the translations."""
        seen = [(0, 1)]
        for anchor in range(2, 2 + len(self.anchors)):
            seen += [(0, anchor), (1, anchor)]
        return tuple(seen)

    @property
    def texts(self) -> int:
        """How many texts have a vector."""
        return 2 + len(self.anchors)


def sizes(shape: PairwiseShape) -> dict[str, tuple[int, ...]]:
    """The shape of each parameter.

    >>> sizes(PairwiseShape(vector=5, features=3, hidden=2))["hidden_weights"]
    (15, 6)
    """
    inside, layer = shape.texts * shape.vector, {}
    if shape.hidden and shape.vector:
        nodes = len(shape.groups) * shape.hidden
        layer = {"hidden_weights": (inside, nodes), "hidden_bias": (nodes,)}
        inside = nodes
    return {**layer, "output_weights": (inside + 2 * shape.features,), "output_bias": (1,)}


def initial(shape: PairwiseShape, rng: np.random.Generator) -> Params:
    """Random weights, biases of zero.

    `hidden_weights` is (texts × vector, groups × hidden): a group's nodes have weights for its two
    texts, and zeros, which stay zeros, for the others. `output_weights` goes over hidden nodes (or,
    without a hidden layer, over all vectors), then over both ψ.
    """
    params: Params = {}
    inside = shape.texts * shape.vector
    if shape.hidden and shape.vector:
        inside = len(shape.groups) * shape.hidden
        weights = np.zeros((shape.texts, shape.vector, len(shape.groups), shape.hidden))
        for group, pair in enumerate(shape.groups):
            both = glorot(rng, shape.hidden, 2 * shape.vector).T
            weights[pair, :, group] = both.reshape(2, shape.vector, shape.hidden)
        params["hidden_weights"] = weights.reshape(-1, inside)
        params["hidden_bias"] = np.zeros(inside)
    params["output_weights"] = glorot(rng, 1, inside + 2 * shape.features)[0]
    params["output_bias"] = np.zeros(1)
    return params


@lru_cache(maxsize=8)
def group_mask(shape: PairwiseShape) -> np.ndarray:
    """1 where a hidden node sees an input and 0 elsewhere, in the shape of `hidden_weights`."""
    mask = np.zeros((shape.texts, shape.vector, len(shape.groups), shape.hidden), dtype=np.float32)
    for group, pair in enumerate(shape.groups):
        mask[pair, :, group] = 1.0
    return mask.reshape(shape.texts * shape.vector, len(shape.groups) * shape.hidden)


def pair_texts(first: Array, second: Array) -> Array:
    """The vectors of pairs in a network's order, from those of each with its anchors."""
    return np.concatenate([first[..., :1, :], second[..., :1, :], first[..., 1:, :]], axis=-2)


def forward(
    params: Params, shape: PairwiseShape, vectors: Array, first: Array, second: Array
) -> Array:
    """The log-odds that the first translation is better, (pairs,).

    `vectors` is (pairs, texts, vector): first, second, anchors; `first` and `second` are ψ of each
    translation, (pairs, features).
    """
    one_way = _one_way(params, vectors, first, second)
    if not shape.symmetric:
        return one_way
    return one_way - _one_way(params, swap(shape, vectors), second, first)


def both_ways(
    params: Params, shape: PairwiseShape, vectors: Array, first: Array, second: Array
) -> tuple[Array, Array]:
    """The log-odds of the pair as given and of the pair swapped."""
    there = forward(params, shape, vectors, first, second)
    if shape.symmetric:
        return there, -there
    return there, forward(params, shape, swap(shape, vectors), second, first)


def margin(params: Params, shape: PairwiseShape, *inputs: Array) -> Array:
    """By how much the first is preferred, in [-1/2, 1/2]; swapping the two flips it exactly.

    Both orders are asked and averaged. A translation has no margin over itself.
    """
    there, back = both_ways(params, shape, *inputs)
    return 0.25 * (np.tanh(0.5 * there) - np.tanh(0.5 * back))


def standing(params: Params, shape: PairwiseShape, vectors: Array, features: Array) -> Array:
    """A score for one translation alone, (outputs,); higher is better.

    What it adds to the log-odds as the first minus what it adds as the second, by halves; only the
    group that sees both translations is left out. `vectors` is (outputs, 1 + anchors, vector).
    """
    weights = params["output_weights"]
    inside = len(weights) - 2 * shape.features
    middle = inside + shape.features
    score = product(features, weights[inside:middle] - weights[middle:])
    if shape.vector == 0:
        return 0.5 * score
    if "hidden_weights" not in params:
        own = weights[: shape.vector] - weights[shape.vector : 2 * shape.vector]
        return 0.5 * (score + product(vectors[:, 0], own))
    # The translation stands in both places at once; each group then sees only its own two texts.
    texts = np.concatenate([vectors[:, :1], vectors], axis=1)
    nodes = _hidden(params, texts)
    for group, (translation, anchor) in enumerate(shape.groups):
        if anchor >= 2:
            own = slice(group * shape.hidden, (group + 1) * shape.hidden)
            part = product(nodes[:, own], weights[own])
            score = score + (part if translation == 0 else -part)
    return 0.5 * score


def swap(shape: PairwiseShape, vectors: Array) -> Array:
    """The vectors of pairs whose translations change places."""
    return vectors[..., [1, 0, *range(2, shape.texts)], :]


def output_inputs(
    params: Params, vectors: Array, first: Array, second: Array, times: Product = product
) -> Array:
    """What the output node sees of pairs: hidden nodes (or vectors), both ψ; (pairs, inside)."""
    parts = [first, second]
    if vectors.shape[-1]:
        parts.insert(0, _hidden(params, vectors, times))
    return np.concatenate(parts, axis=-1)


def _one_way(params: Params, vectors: Array, first: Array, second: Array) -> Array:
    inputs = output_inputs(params, vectors, first, second)
    return product(inputs, params["output_weights"]) + params["output_bias"]


def _hidden(params: Params, vectors: Array, times: Product = product) -> Array:
    """The hidden nodes, (pairs, groups × hidden); without a layer the vectors themselves."""
    flat = vectors.reshape(*vectors.shape[:-2], vectors.shape[-2] * vectors.shape[-1])
    if "hidden_weights" not in params:
        return flat
    turned = times(flat, params["hidden_weights"]) + params["hidden_bias"][..., None, :]
    return np.tanh(turned)

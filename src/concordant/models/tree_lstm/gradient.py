"""The gradient of a Tree-LSTM's cost, written by hand, one height per step.

What flows to a node's state is complete once its parent is done, so one walk from the roots down
gives the slope of every gate; the slopes of the weights are then a few large products over all
nodes at once. Training needs NumPy alone, and ends in the same bits on any number of threads; the
tests hold it to finite differences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.arrays import product, sum_groups
from concordant.models.tree_lstm.forward import divergence, likeness, states

if TYPE_CHECKING:
    from concordant.models.functions import Array, Params
    from concordant.models.tree_lstm.batches import Height, TreeBatch
    from concordant.models.tree_lstm.forward import Gates, Likeness, NodeStates, TreeShape


def cost_and_gradient(
    params: Params,
    shape: TreeShape,
    table: np.ndarray,
    batch: TreeBatch,
    pairs: np.ndarray,
    target: np.ndarray,
) -> tuple[float, Params]:
    """The mean divergence of pairs from their target, and its slope in every parameter."""
    found = states(params, shape, table, batch)
    tops = found.hidden[batch.roots]
    one, two = tops[pairs[:, 0]], tops[pairs[:, 1]]
    alike = likeness(params, one, two)
    gradient, to_one, to_two = _head(params, alike, one, two, target)
    slope = np.zeros_like(found.hidden)
    np.add.at(slope, batch.roots[pairs[:, 0]], to_one)
    np.add.at(slope, batch.roots[pairs[:, 1]], to_two)
    slope[-1] = 0.0  # sentences without words have no state to move
    gradient |= _trees(params, shape, table, batch, found, slope)
    return float(divergence(alike.grades, target)), gradient


def _head(
    params: Params, alike: Likeness, one: Array, two: Array, target: np.ndarray
) -> tuple[Params, Array, Array]:
    """The slopes of the head's parameters, and of both sentences' hidden states."""
    grades = (np.exp(alike.grades) - target) / np.float32(len(target))
    layer = product(grades, params["grade_weights"].T) * alike.layer * (1.0 - alike.layer)
    gradient = {
        "grade_weights": product(alike.layer.T, grades),
        "grade_bias": grades.sum(axis=0),
        "angle_weights": product(alike.angle.T, layer),
        "distance_weights": product(alike.distance.T, layer),
        "hidden_bias": layer.sum(axis=0),
    }
    angle = product(layer, params["angle_weights"].T)
    apart = product(layer, params["distance_weights"].T) * np.sign(one - two)
    return gradient, angle * two + apart, angle * one - apart


def _trees(
    params: Params,
    shape: TreeShape,
    table: np.ndarray,
    batch: TreeBatch,
    found: NodeStates,
    to_hidden: Array,
) -> Params:
    """The slopes of the trees' parameters; `to_hidden` is what flows to the roots, and is used."""
    split = shape.summed * shape.memory
    back = {k: np.ascontiguousarray(params[k].T) for k in ("sum_weights", "forget_weights")}
    to_cell = np.zeros_like(to_hidden)
    slopes = np.zeros((len(batch.words), split + shape.memory), dtype=to_hidden.dtype)
    edges = np.zeros((len(batch.children), shape.memory), dtype=to_hidden.dtype)
    totals = np.zeros((len(batch.words), shape.memory), dtype=to_hidden.dtype)
    for height, gates in zip(reversed(batch.heights), reversed(found.gates), strict=True):
        nodes, own = height.nodes, batch.children[height.edges]
        summed = slopes[nodes, :split]
        _to_gates(gates, found.cell[nodes], to_hidden[nodes], to_cell[nodes], summed)
        if not len(own):
            continue
        from_cell = to_cell[nodes][height.rows]
        forget = from_cell * found.cell[own] * gates.forget * (1.0 - gates.forget)
        edges[height.edges] = forget
        to_cell[own] = from_cell * gates.forget
        above = product(summed, back["sum_weights"])
        to_hidden[own] = above[height.rows] + product(forget, back["forget_weights"])
        _keep(height, slopes[nodes, split:], forget, totals[nodes], found.hidden[own])
    by_word = np.zeros((len(batch.vocabulary), slopes.shape[1]), dtype=slopes.dtype)
    order = np.argsort(batch.words, kind="stable")
    if len(order):
        first = np.flatnonzero(np.diff(batch.words[order], prepend=-1))
        by_word = sum_groups(slopes[order], first)
    return {
        "word_weights": product(table[batch.vocabulary].T, by_word),
        "gate_bias": by_word.sum(axis=0),
        "sum_weights": product(totals.T, slopes[:, :split]),
        "forget_weights": product(found.hidden[batch.children].T, edges),
    }


def _to_gates(gates: Gates, cell: Array, to_hidden: Array, to_cell: Array, out: Array) -> None:
    """The slopes of the gates of one height, into `out`; `to_cell` gets what the hidden adds."""
    memory = cell.shape[1]
    opened = np.tanh(cell)
    through = to_hidden if gates.output is None else to_hidden * gates.output
    to_cell += through * (1.0 - opened * opened)
    out[:, :memory] = to_cell * gates.update * gates.input * (1.0 - gates.input)
    out[:, memory : 2 * memory] = to_cell * gates.input * (1.0 - gates.update * gates.update)
    if gates.output is not None:
        out[:, 2 * memory :] = to_hidden * opened * gates.output * (1.0 - gates.output)


def _keep(height: Height, forget: Array, slopes: Array, totals: Array, below: Array) -> None:
    """What the weights' slopes are made of: the forget gates' by node, the children's sum."""
    forget[...] = sum_groups(slopes, height.first)
    totals[...] = sum_groups(below, height.first)

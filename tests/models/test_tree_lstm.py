"""The Tree-LSTM against its equations read node by node, its gradient, and its laws."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from models.node_by_node import node_states

from concordant.encoders.syntax.trees import Tree
from concordant.encoders.syntax.word_trees import chains, word_trees
from concordant.models.tree_lstm.batches import batch_of
from concordant.models.tree_lstm.forward import (
    TreeShape,
    divergence,
    expected_grade,
    forward,
    grades_of,
    initial,
    sizes,
    sparse_target,
    states,
)
from concordant.models.tree_lstm.gradient import cost_and_gradient

SHAPES = [TreeShape(4, 3, 2), TreeShape(4, 3, 2, output_gate=True), TreeShape(2, 5, 1)]
every_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def random_tree(size, rng):
    """A tree whose nodes stand in no special order."""
    place = rng.permutation(size)
    heads = np.full(size, -1)
    for i in range(1, size):
        heads[place[i]] = place[rng.integers(i)]
    return Tree(tuple("w" * size), heads, ("x",) * size, ("x",) * size)


def trees_of(trees, words):
    """Trees whose nodes are these rows of a table."""
    return replace(word_trees(trees)[0], words=words)


def drawn(shape, rng, lengths=(3, 1, 0, 7, 12, 5)):
    """Parameters with biases that are not zero, some trees and a table of word vectors."""
    params = {k: rng.normal(size=size) / 2 for k, size in sizes(shape).items()}
    trees = trees_of(
        [random_tree(size, rng) for size in lengths], rng.integers(9, size=sum(lengths))
    )
    return params, trees, rng.normal(size=(9, shape.word))


def tree_of(trees, i):
    nodes = slice(trees.starts[i], trees.starts[i + 1])
    return trees.words[nodes], trees.heads[nodes]


def roots(params, shape, trees, table, rows):
    batch = batch_of(trees, rows)
    found = states(params, shape, table, batch)
    return found.hidden[batch.roots], found.cell[batch.roots]


@every_shape
def test_a_batch_is_what_each_node_by_itself_is(shape, rng):
    params, trees, table = drawn(shape, rng)
    hidden, cell = roots(params, shape, trees, table, [3, 0, 4, 1, 3])
    for row, i in enumerate([3, 0, 4, 1, 3]):
        words, heads = tree_of(trees, i)
        root = node_states(params, shape, table, words, heads)[int(np.argmin(heads))]
        assert hidden[row] == pytest.approx(root["hidden"], abs=1e-12)
        assert cell[row] == pytest.approx(root["cell"], abs=1e-12)


@every_shape
def test_a_chain_is_a_sequential_lstm(shape, rng):
    """On chains the equations are those of an LSTM, here torch's own with the same weights."""
    shape = TreeShape(shape.word, shape.memory, shape.hidden, output_gate=True)
    params, trees, table = drawn(shape, rng)
    m = shape.memory
    words, forget = params["word_weights"], params["forget_weights"]
    gates = {"i": 0, "g": 1, "o": 2, "f": 3}
    children = np.concatenate([params["sum_weights"], forget], axis=1)
    own = torch.nn.LSTM(shape.word, m, dtype=torch.float64)

    def ordered(weights):
        parts = [weights[..., gates[k] * m : (gates[k] + 1) * m] for k in "ifgo"]
        return torch.from_numpy(np.concatenate(parts, axis=-1).T.copy())

    with torch.no_grad():
        own.weight_ih_l0.copy_(ordered(words))
        own.weight_hh_l0.copy_(ordered(children))
        own.bias_ih_l0.copy_(ordered(params["gate_bias"]))
        own.bias_hh_l0.zero_()
        for i in (0, 1, 3, 4):
            given_words, _ = tree_of(trees, i)
            _, (hidden, cell) = own(torch.from_numpy(table[given_words])[:, None])
            mine = roots(params, shape, chains(trees), table, [i])
            assert mine[0][0] == pytest.approx(hidden.numpy().ravel(), abs=1e-12)
            assert mine[1][0] == pytest.approx(cell.numpy().ravel(), abs=1e-12)


@every_shape
def test_the_order_of_children_does_not_matter(shape, rng):
    params, _, table = drawn(shape, rng)
    words = rng.integers(9, size=6)
    heads = np.array([-1, 0, 0, 0, 2, 2])
    found = []
    for order in (np.arange(6), np.array([5, 3, 1, 4, 2, 0])):
        place = np.argsort(order)
        moved = [place[heads[j]] if heads[j] >= 0 else -1 for j in order]
        tree = Tree(tuple("w" * 6), np.array(moved), ("x",) * 6, ("x",) * 6)
        trees = trees_of([tree], words[order])
        found.append(roots(params, shape, trees, table, [0])[0])
    assert found[0] == pytest.approx(found[1], abs=1e-12)


@every_shape
def test_sentences_without_words_have_a_state_of_zero(shape, rng):
    params, trees, table = drawn(shape, rng)
    hidden, cell = roots(params, shape, trees, table, [2])
    assert not hidden.any()
    assert not cell.any()
    assert np.isfinite(grades_of(params, shape, trees, table, np.array([[2, 2], [2, 0]]))).all()


@every_shape
def test_gradients_by_finite_differences(shape, rng):
    params, trees, table = drawn(shape, rng)
    batch = batch_of(trees, [0, 1, 2, 3, 4, 5, 3])
    pairs = np.array([[0, 1], [2, 3], [4, 5], [6, 0], [2, 2]])
    target = sparse_target(np.array([1.0, 2.5, 3.7, 5.0, 4.2]))
    cost, gradient = cost_and_gradient(params, shape, table, batch, pairs, target)
    assert cost == divergence(forward(params, shape, table, batch, pairs), target)
    for name, value in params.items():
        direction = rng.normal(size=value.shape)
        near = [
            cost_and_gradient(
                {**params, name: value + step * direction}, shape, table, batch, pairs, target
            )[0]
            for step in (1e-5, -1e-5)
        ]
        slope = (near[0] - near[1]) / 2e-5
        assert slope == pytest.approx((gradient[name] * direction).sum(), rel=1e-5, abs=1e-8)


def test_a_pair_has_the_same_bits_in_any_company(rng):
    shape = TreeShape(30, 20, 7)
    params, trees, table = drawn(shape, rng, lengths=rng.integers(0, 40, size=60))
    params = {name: value.astype(np.float32) for name, value in params.items()}
    table = table.astype(np.float32)
    pairs = rng.integers(60, size=(600, 2))
    whole = grades_of(params, shape, trees, table, pairs)
    order = rng.permutation(600)
    assert np.array_equal(grades_of(params, shape, trees, table, pairs[order]), whole[order])
    single = [grades_of(params, shape, trees, table, pairs[i : i + 1])[0] for i in range(40)]
    assert np.array_equal(single, whole[:40])


def test_deep_trees_are_read(rng):
    """A chain of three thousand words, which a recursion could not read."""
    shape = SHAPES[0]
    params, _, table = drawn(shape, rng)
    size = 3000
    tree = Tree(("w",) * size, np.arange(-1, size - 1), ("x",) * size, ("x",) * size)
    trees = trees_of([tree], rng.integers(9, size=size))
    assert np.isfinite(grades_of(params, shape, trees, table, np.array([[0, 0]]))).all()


def test_the_paper_counts_its_compositional_parameters():
    """203,400 and 541,800, where each of three gates has two biases; one bias is enough."""
    for memory, printed in ((150, 203_400), (300, 541_800)):
        own = sizes(TreeShape(300, memory))
        names = ("word_weights", "sum_weights", "forget_weights", "gate_bias")
        count = sum(int(np.prod(own[name])) for name in names)
        assert count + 3 * memory == printed


@given(st.floats(1, 5))
def test_targets_have_the_score_as_their_mean(score):
    target = sparse_target(np.array([score]))
    assert target.sum() == pytest.approx(1.0)
    assert (target >= 0).all()
    with np.errstate(divide="ignore"):
        assert expected_grade(np.log(target))[0] == pytest.approx(score)


def test_initial_weights_are_small_and_drawn(rng):
    params = initial(TreeShape(300, 150, 50), rng)
    assert {name: value.shape for name, value in params.items()} == sizes(TreeShape(300, 150, 50))
    assert not params["gate_bias"].any()
    assert 0.9 / np.sqrt(150) < np.abs(params["sum_weights"]).max() <= 1 / np.sqrt(150)

"""Batches of trees: heights, edges and roots as the trees themselves have them."""

import numpy as np
from models.test_tree_lstm import random_tree, trees_of

from concordant.encoders.syntax.word_trees import chains
from concordant.models.tree_lstm.batches import batch_of


def test_every_edge_leads_from_a_child_to_a_higher_parent(rng):
    trees = trees_of([random_tree(size, rng) for size in (5, 0, 1, 30, 12)], np.arange(48))
    batch = batch_of(trees, [3, 1, 0, 3])
    assert len(batch.words) == 30 + 5 + 30
    assert len(batch.children) == 29 + 4 + 29
    height = np.empty(len(batch.words), dtype=int)
    for number, each in enumerate(batch.heights):
        height[each.nodes] = number
    assert (height[batch.parents] > height[batch.children]).all()
    heads = dict(zip(batch.children.tolist(), batch.parents.tolist(), strict=True))
    word = batch.vocabulary[batch.words]
    first = trees.starts[3]
    for child, parent in heads.items():
        if word[child] >= first:
            assert trees.heads[word[child]] == word[parent] - first
    assert batch.roots[1] == len(batch.words)  # a tree without nodes
    assert all(root not in heads for root in batch.roots)


def test_a_chain_has_one_node_a_height(rng):
    trees = chains(trees_of([random_tree(size, rng) for size in (4, 0, 2)], np.arange(6)))
    assert trees.heads.tolist() == [1, 2, 3, -1, 1, -1]
    batch = batch_of(trees, [0, 2])
    assert [each.nodes.stop - each.nodes.start for each in batch.heights] == [2, 2, 1, 1]
    assert batch.vocabulary[batch.words[batch.roots]].tolist() == [3, 5]


def test_a_batch_of_nothing_is_empty(rng):
    batch = batch_of(trees_of([random_tree(0, rng)], np.zeros(0, dtype=np.int64)), [0, 0])
    assert batch.heights == ()
    assert batch.roots.tolist() == [0, 0]

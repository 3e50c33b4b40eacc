"""Trees: what is refused, and heights against a walk from node to node."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.encoders.syntax.trees import Tree, fault_of, join_roots
from concordant.encoders.syntax.word_trees import word_trees
from concordant.errors import ConcordantError


def tree_of(heads, prefix="w"):
    count = len(heads)
    words = tuple(f"{prefix}{i % 3}" for i in range(count))
    return Tree(words, np.array(heads), ("dep",) * count, tuple("NV"[i % 2] for i in range(count)))


@st.composite
def heads_of_trees(draw):
    """Heads of a random tree: words in random order, each below one that came before it."""
    size = draw(st.integers(0, 12))
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for i in range(1, size):
        heads[order[i]] = order[draw(st.integers(0, i - 1))]
    return heads


def height(heads, node):
    below = [height(heads, child) for child, head in enumerate(heads) if head == node]
    return 1 + max(below) if below else 0


def is_tree(heads):
    """The slow way: one root, and every word comes to it."""
    if any(not -1 <= head < len(heads) for head in heads):
        return False
    if heads and heads.count(-1) != 1:
        return False
    for node in range(len(heads)):
        above = node
        for _ in heads:
            above = heads[above] if above != -1 else -1
        if above != -1:
            return False
    return True


@given(heads_of_trees())
def test_a_tree_is_accepted_and_its_root_found(heads):
    tree = tree_of(heads)
    assert len(tree) == len(heads)
    assert tree.root == (heads.index(-1) if heads else -1)


@given(st.lists(st.integers(-2, 5), max_size=6))
def test_anything_is_a_tree_or_has_a_fault(heads):
    assert (fault_of(np.array(heads, dtype=np.int32)) is None) == is_tree(heads)


@pytest.mark.parametrize(
    ("heads", "words"),
    [
        ([-1, -1, 0], "one root is needed, and words 1, 2 are roots"),
        ([1, 0], "one root is needed, and no word is the root"),
        ([-1, 2, 3, 1], "words 2, 3, 4 depend on each other in a circle"),
        ([-1, 1], "words 2 depend on each other in a circle"),
        ([-1, 7], "word 2 has head 8, but the words are 1 to 2 and the root's head 0"),
        ([-1, -2], "word 2 has head -1"),
        ([-1] * 12, "words 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … are roots"),
    ],
)
def test_what_is_no_tree_is_refused_in_words(heads, words):
    with pytest.raises(ConcordantError, match="not a tree") as caught:
        tree_of(heads)
    assert words in str(caught.value)


def test_columns_of_different_length_are_refused():
    with pytest.raises(ConcordantError, match="a tree of 1 words has 2 heads"):
        Tree(("a",), np.array([-1, 0]), ("x",), ("y",))
    with pytest.raises(ConcordantError, match="a tree of 1 words has 0 tags"):
        Tree(("a",), np.array([-1]), ("x",), ())


def test_a_tree_cannot_be_changed_and_is_its_own_copy():
    heads = np.array([-1, 0], dtype=np.int32)
    tree = Tree(("a", "b"), heads, ("r", "d"), ("X", "Y"))
    heads[1] = 5
    assert tree.heads.tolist() == [-1, 0]
    with pytest.raises(ValueError, match="read-only"):
        tree.heads[1] = 1


def test_trees_compare_by_value():
    assert tree_of([-1, 0]) == tree_of([-1, 0])
    assert hash(tree_of([-1, 0])) == hash(tree_of([-1, 0]))
    assert tree_of([-1, 0]) != tree_of([1, -1])
    assert tree_of([-1, 0]) != tree_of([-1, 0], prefix="v")
    assert tree_of([]) != "not a tree"


@given(st.lists(heads_of_trees(), max_size=5))
def test_word_trees_have_the_trees_heads_and_heights(many):
    found, words = word_trees([tree_of(heads) for heads in many])
    assert found.sizes.tolist() == [len(heads) for heads in many]
    assert found.heads.tolist() == [head for heads in many for head in heads]
    assert found.heights.tolist() == [
        height(heads, node) for heads in many for node in range(len(heads))
    ]
    named = [words[row] for row in found.words]
    assert named == [word for heads in many for word in tree_of(heads).words]
    assert len(set(words)) == len(words)


def test_a_chain_of_three_hundred_words_is_as_high():
    found, _ = word_trees([tree_of([-1, *range(299)]), tree_of([-1])])
    assert found.heights.tolist() == [*range(299, -1, -1), 0]


def test_later_roots_become_children_of_the_first():
    assert join_roots([1, -1, -1, 2, -1]).tolist() == [1, -1, 1, 2, 1]
    assert join_roots([]).tolist() == []
    assert join_roots([1, 0]).tolist() == [1, 0]

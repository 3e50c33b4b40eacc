"""A tree as bytes and back; damaged bytes are refused."""

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.encoders.syntax.tree_bytes import MARK, tree_from_bytes, tree_to_bytes
from concordant.encoders.syntax.trees import Tree
from concordant.errors import ConcordantError

TREE = Tree(
    ("Cats", "sleep", "…"), np.array([1, -1, 1]), ("nsubj", "ROOT", "punct"), ("N", "", ".")
)
WORDS = st.text(st.characters(codec="utf-8"), max_size=5)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=8))
def test_a_tree_comes_back(columns):
    words, labels, tags = zip(*columns, strict=True) if columns else ((), (), ())
    tree = Tree(words, np.arange(len(words)) - 1, labels, tags)
    assert tree_from_bytes(tree_to_bytes(tree)) == tree


def test_other_bytes_are_refused():
    for data in (b"", b"TREE2" + tree_to_bytes(TREE)[5:], b"something else"):
        with pytest.raises(ConcordantError, match=r"not a tree of this version \(TREE1\); parse"):
            tree_from_bytes(data)


@pytest.mark.parametrize("end", range(len(MARK), len(tree_to_bytes(TREE)), 7))
def test_bytes_cut_short_are_refused(end):
    with pytest.raises(ConcordantError, match="a stored tree is damaged"):
        tree_from_bytes(tree_to_bytes(TREE)[:end])


def test_numbers_that_do_not_fit_are_refused():
    packed = zlib.decompress(tree_to_bytes(TREE)[len(MARK) :])
    wrong = [packed + b"x", packed[:-1], b"\xff" * 4 + packed[4:], packed[:8], b"", b"\x01\x00"]
    wrong.append(packed[:4] + b"\x07" + packed[5:])  # a head that is not there
    for each in wrong:
        with pytest.raises(ConcordantError, match="damaged"):
            tree_from_bytes(MARK + zlib.compress(each))

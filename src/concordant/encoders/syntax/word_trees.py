"""Trees whose nodes are rows of a table of word vectors: what a network reads of many sentences.

A sequential network reads the same words in a row, which is a tree too: a chain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.syntax.trees import ROOT, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class WordTrees:
    """Trees whose nodes are words: tree i has the nodes `starts[i]` to `starts[i + 1]`.

    `words` are rows of a table of word vectors; `heads` are nodes of the same tree, counted from
    its first, -1 for the root; `heights` are 0 for leaves, and otherwise one more than the highest
    child's, so that a Tree-LSTM (Tai et al. 2015) can compute all nodes of one height in one step.
    """

    words: Ints
    heads: Ints
    heights: Ints
    starts: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Ints:
        """How many words each tree has."""
        return np.diff(self.starts)


def word_trees(trees: Sequence[Tree]) -> tuple[WordTrees, tuple[str, ...]]:
    """The trees, and their distinct words: row i of the table is to have the vector of word i.

    >>> tree = Tree(("the", "cat", "saw", "the"), np.array([1, 2, -1, 2]), ("",) * 4, ("",) * 4)
    >>> found, words = word_trees([tree])
    >>> found.words.tolist(), found.heights.tolist(), words
    ([0, 1, 2, 0], [0, 1, 2, 0], ('the', 'cat', 'saw'))
    """
    row: dict[str, int] = {}
    words = [row.setdefault(word, len(row)) for tree in trees for word in tree.words]
    starts = np.cumsum([0, *map(len, trees)])
    heads = np.concatenate([np.zeros(0, dtype=np.int64), *(tree.heads for tree in trees)])
    first = np.repeat(starts[:-1], np.diff(starts))
    heights = _heights(np.where(heads == ROOT, ROOT, heads + first))
    return WordTrees(np.array(words, dtype=np.int64), heads, heights, starts), tuple(row)


def _heights(heads: Ints) -> Ints:
    """The height of each node, from its head among all nodes: what has no children left, goes."""
    heights = np.zeros(len(heads), dtype=np.int64)
    waiting = np.bincount(heads[heads >= 0], minlength=len(heads))
    nodes, height = np.flatnonzero(waiting == 0), 0
    while len(nodes):
        heights[nodes] = height
        parents = heads[nodes]
        parents = parents[parents >= 0]
        np.subtract.at(waiting, parents, 1)
        nodes, height = np.unique(parents[waiting[parents] == 0]), height + 1
    return heights


def chains(trees: WordTrees) -> WordTrees:
    """The same words in a row, each the child of the next: what a sequential LSTM reads.

    >>> words = np.array([7, 8, 9])
    >>> tree = WordTrees(words, np.array([1, -1, 1]), np.array([0, 1, 0]), np.array([0, 3]))
    >>> chain = chains(tree)
    >>> chain.heads.tolist(), chain.heights.tolist()
    ([1, 2, -1], [0, 1, 2])
    """
    heights = np.arange(len(trees.words)) - np.repeat(trees.starts[:-1], trees.sizes)
    heads = heights + 1
    heads[trees.starts[1:][trees.sizes > 0] - 1] = ROOT
    return replace(trees, heads=heads, heights=heights)

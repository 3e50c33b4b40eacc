"""Trees whose nodes are rows of a table of word vectors: what a network reads of many sentences.

A sequential network reads the same words in a row, which is a tree too: a chain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.syntax.trees import ROOT

if TYPE_CHECKING:
    import numpy.typing as npt

    from concordant.encoders.syntax.trees import Forest

    Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class WordTrees:
    """Trees whose nodes are words: tree i has the nodes `starts[i]` to `starts[i + 1]`.

    `words` are rows of a table of word vectors; `heads` are nodes of the same tree, counted from
    its first, -1 for the root; `heights` are 0 for leaves.
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


def word_trees(forest: Forest, words: Ints) -> WordTrees:
    """The trees of a forest, with the row of each node's word."""
    first = np.repeat(forest.starts[:-1], forest.sizes)
    heads = np.where(forest.heads == ROOT, ROOT, forest.heads - first)
    return WordTrees(words, heads, forest.heights.astype(np.int64), forest.starts)


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

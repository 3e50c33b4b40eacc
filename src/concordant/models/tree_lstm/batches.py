"""Many trees in the order in which a network walks them: leaves first, height by height.

Within a batch nodes are numbered by height, and edges by their parent, so that a height is one
slice of nodes and one slice of edges, and a whole height of all trees is one step. A node has one
parent at most, so that what flows down an edge is written to its child and never added to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.syntax.trees import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from concordant.encoders.syntax.word_trees import WordTrees

    Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Height:
    """All nodes of one height, the edges to their children, and where each parent's edges begin.

    `first` counts from the slice's first edge, `rows` are the parents' places in the slice of
    nodes, one an edge.
    """

    nodes: slice
    edges: slice
    first: Ints
    rows: Ints


@dataclass(frozen=True)
class TreeBatch:
    """Some trees, their nodes ordered by height: what a forward pass takes.

    `vocabulary` are the rows of the table that occur, `words` each node's place in it; `children`
    and `parents` are the two nodes of each edge. `roots` has each tree's root, and the number of
    nodes for a tree without any.
    """

    vocabulary: Ints
    words: Ints
    children: Ints
    parents: Ints
    heights: tuple[Height, ...]
    roots: Ints


def batch_of(trees: WordTrees, rows: Sequence[int] | Ints) -> TreeBatch:
    """The given trees as one batch, in the given order; one may be taken twice.

    >>> from concordant.encoders.syntax.word_trees import WordTrees
    >>> tree = WordTrees(np.array([7, 8]), np.array([1, -1]), np.array([0, 1]), np.array([0, 2]))
    >>> batch = batch_of(tree, [0, 0])
    >>> batch.vocabulary.tolist(), batch.words.tolist(), batch.roots.tolist()
    ([7, 8], [0, 0, 1, 1], [2, 3])
    """
    rows = np.asarray(rows, dtype=np.int64)
    sizes = trees.sizes[rows]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    of_tree = np.repeat(np.arange(len(rows)), sizes)
    nodes = np.arange(starts[-1]) - starts[of_tree] + trees.starts[rows][of_tree]
    heads = trees.heads[nodes]
    heads = np.where(heads == ROOT, ROOT, heads + starts[of_tree])
    heights = trees.heights[nodes]
    order = np.argsort(heights, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    heads = np.where(heads == ROOT, ROOT, place[heads])[order]
    children = np.argsort(heads, kind="stable")[np.count_nonzero(heads == ROOT) :]
    parents = heads[children]
    roots = np.full(len(rows), len(order))
    tops = np.flatnonzero(heads == ROOT)
    roots[of_tree[order[tops]]] = tops
    vocabulary, words = np.unique(trees.words[nodes[order]], return_inverse=True)
    slices = _heights(heights[order], parents)
    return TreeBatch(vocabulary, words.reshape(-1), children, parents, slices, roots)


def _heights(heights: Ints, parents: Ints) -> tuple[Height, ...]:
    top = int(heights[-1]) if len(heights) else -1
    bounds = np.searchsorted(heights, np.arange(top + 2))
    edges = np.searchsorted(parents, bounds)
    new = np.flatnonzero(np.diff(parents, prepend=-1))  # the first edge of each parent
    found = []
    for height in range(top + 1):
        low, high = int(edges[height]), int(edges[height + 1])
        mine = slice(int(bounds[height]), int(bounds[height + 1]))
        begin, end = np.searchsorted(new, (low, high))
        found.append(
            Height(mine, slice(low, high), new[begin:end] - low, parents[low:high] - mine.start)
        )
    return tuple(found)

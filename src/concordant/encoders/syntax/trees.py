"""Dependency trees as flat arrays: one tree, or a forest that a network walks level by level.

A node's height is 0 for a leaf and else one more than its highest child's, so that a Tree-LSTM
(Tai et al. 2015) may compute all nodes of one height in one step over many trees at once: their
children are done.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    Numbers = npt.NDArray[np.int32]
    Indices = npt.NDArray[np.int64]

ROOT = -1


@dataclass(frozen=True, eq=False)
class Tree:
    """The words of one segment, each with its head (a position from 0, -1: the root) and relation.

    Exactly one root, no cycle; the segment without words is a tree without nodes.

    >>> tree = Tree(("cats", "sleep"), np.array([1, -1]), ("nsubj", "ROOT"), ("NNS", "VBP"))
    >>> len(tree), tree.root, tree.heads.tolist()
    (2, 1, [1, -1])
    """

    words: tuple[str, ...]
    heads: Numbers
    labels: tuple[str, ...]
    tags: tuple[str, ...]

    def __post_init__(self) -> None:
        heads = np.array(self.heads, dtype=np.int32).reshape(-1)  # a copy that nobody else holds
        counts = {"heads": len(heads), "labels": len(self.labels), "tags": len(self.tags)}
        for name, count in counts.items():
            if count != len(self.words):
                raise ConcordantError(f"a tree of {len(self.words)} words has {count} {name}")
        fault = fault_of(heads)
        if fault is not None:
            raise ConcordantError(f"not a tree: {fault}")
        heads.flags.writeable = False
        object.__setattr__(self, "heads", heads)
        for name in ("words", "labels", "tags"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.words, self.heads.tobytes(), self.labels, self.tags

    @property
    def root(self) -> int:
        """The position of the root, -1 if there are no words."""
        return int(np.argmin(self.heads)) if len(self) else ROOT


@dataclass(frozen=True)
class Names:
    """Strings that repeat: node i has `names[codes[i]]`; every name stands once."""

    names: tuple[str, ...]
    codes: Numbers

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, nodes: slice) -> tuple[str, ...]:
        return tuple(self.names[code] for code in self.codes[nodes])


@dataclass(frozen=True)
class Level:
    """All nodes of one height, and the edges to their children, ordered by parent, then child.

    Edge e leads from `children[e]`, a node of the forest, to `nodes[parents[e]]`: parents are
    positions in `nodes`, so that the children's states can be summed into rows of the level.
    """

    nodes: Indices
    children: Indices
    parents: Indices


@dataclass(frozen=True)
class Forest:
    """Many trees one after the other; tree i has the nodes `starts[i]` to `starts[i + 1]`.

    `heads` are nodes of the forest, -1 for roots. A tree without nodes takes no room, but counts.

    >>> chain = Tree(("a", "b"), np.array([-1, 0]), ("ROOT", "obj"), ("X", "X"))
    >>> none = Tree((), np.array([]), (), ())
    >>> forest = forest_of([chain, none, chain])
    >>> forest.heads.tolist(), forest.roots.tolist(), forest.heights.tolist()
    ([-1, 0, -1, 2], [0, -1, 2], [1, 0, 1, 0])
    >>> [(level.nodes.tolist(), level.children.tolist()) for level in forest.levels]
    [([1, 3], []), ([0, 2], [1, 3])]
    """

    words: Names
    heads: Numbers
    labels: Names
    tags: Names
    starts: Indices

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: int) -> Tree:
        if not -len(self) <= i < len(self):
            raise IndexError(f"tree {i} of {len(self)}")
        begin, end = (int(each) for each in self.starts[i % len(self) :][:2])
        heads = self.heads[begin:end]
        nodes = slice(begin, end)
        local = np.where(heads == ROOT, ROOT, heads - begin)
        return Tree(self.words[nodes], local, self.labels[nodes], self.tags[nodes])

    def __iter__(self) -> Iterator[Tree]:
        return (self[i] for i in range(len(self)))

    @property
    def sizes(self) -> Indices:
        """How many nodes each tree has."""
        return np.diff(self.starts)

    @cached_property
    def roots(self) -> Indices:
        """The root of each tree as a node of the forest, -1 for a tree without nodes."""
        roots = np.full(len(self), ROOT, dtype=np.int64)
        roots[self.sizes > 0] = np.flatnonzero(self.heads == ROOT)
        return roots

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The nodes by height, leaves first: the children of a level stand in those before it."""
        heads = self.heads.astype(np.int64)
        by_parent = np.argsort(heads, kind="stable")[np.count_nonzero(heads == ROOT) :]
        first = np.searchsorted(heads[by_parent], np.arange(len(heads) + 1))
        return tuple(_level(nodes, by_parent, first) for nodes in _peeled(heads))

    @cached_property
    def heights(self) -> Numbers:
        """The height of every node: 0 for a leaf, else one more than its highest child's."""
        heights = np.zeros(len(self.heads), dtype=np.int32)
        for height, level in enumerate(self.levels):
            heights[level.nodes] = height
        return heights

    def take(self, rows: Sequence[int] | Indices) -> Forest:
        """The given trees, in the given order; one may be taken twice."""
        rows = np.asarray(rows, dtype=np.int64)
        sizes = self.sizes[rows]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        shift = np.repeat(self.starts[rows] - starts[:-1], sizes)
        nodes = np.arange(starts[-1]) + shift
        heads = self.heads[nodes]
        heads = np.where(heads == ROOT, ROOT, heads - shift).astype(np.int32)
        words, labels, tags = (
            Names(each.names, each.codes[nodes]) for each in (self.words, self.labels, self.tags)
        )
        return Forest(words, heads, labels, tags, starts)


def forest_of(trees: Iterable[Tree]) -> Forest:
    """The trees, in their order, in flat arrays."""
    trees = list(trees)
    starts = np.concatenate([[0], np.cumsum([len(tree) for tree in trees])]).astype(np.int64)
    shifted = [
        np.where(tree.heads == ROOT, ROOT, tree.heads + start)
        for tree, start in zip(trees, starts[:-1], strict=True)
    ]
    heads = np.concatenate([np.zeros(0), *shifted]).astype(np.int32)
    words = _coded(word for tree in trees for word in tree.words)
    labels = _coded(label for tree in trees for label in tree.labels)
    tags = _coded(tag for tree in trees for tag in tree.tags)
    return Forest(words, heads, labels, tags, starts)


def join_roots(heads: Sequence[int] | Numbers) -> Numbers:
    """One tree from a segment's sentences: the first root stays, later ones become its children.

    >>> join_roots([-1, 0, 3, -1]).tolist()
    [-1, 0, 3, 0]
    """
    joined = np.array(heads, dtype=np.int32)
    roots = np.flatnonzero(joined == ROOT)
    if len(roots):
        joined[roots[1:]] = roots[0]
    return joined


def fault_of(heads: Numbers) -> str | None:
    """What keeps heads from being a tree, words counted from 1; None if they are one.

    >>> fault_of(np.array([1, 0, -1]))
    'words 1, 2 depend on each other in a circle'
    """
    size = len(heads)
    outside = np.flatnonzero((heads < ROOT) | (heads >= size))
    if len(outside):
        word, head = outside[0] + 1, heads[outside[0]] + 1
        return f"word {word} has head {head}, but the words are 1 to {size} and the root's head 0"
    roots = np.flatnonzero(heads == ROOT)
    if size and not len(roots):
        return "one root is needed, and no word is the root (has head 0)"
    if len(roots) > 1:
        return f"one root is needed, and words {_listed(roots)} are roots"
    circle = _circle(heads.tolist())
    if circle:
        return f"words {_listed(circle)} depend on each other in a circle"
    return None


def _peeled(heads: Indices) -> Iterator[Indices]:
    """The nodes whose children have all gone, again and again, height by height."""
    waiting = np.bincount(heads[heads >= 0], minlength=len(heads))
    nodes: Indices = np.flatnonzero(waiting == 0)
    while len(nodes):
        yield nodes
        parents = heads[nodes]
        parents = parents[parents >= 0]
        np.subtract.at(waiting, parents, 1)
        nodes = np.unique(parents[waiting[parents] == 0])


def _circle(heads: list[int]) -> list[int]:
    """The nodes of one cycle, in the order of the words; none if every node is below a root."""
    walk_of = [ROOT] * len(heads)
    for walk in range(len(heads)):
        node = walk
        while node != ROOT and walk_of[node] == ROOT:
            walk_of[node] = walk
            node = heads[node]
        if node != ROOT and walk_of[node] == walk:
            circle = [node]
            while heads[circle[-1]] != node:
                circle.append(heads[circle[-1]])
            return sorted(circle)
    return []


def _level(nodes: Indices, by_parent: Indices, first: Indices) -> Level:
    """The edges of a level, from all edges ordered by parent and where each parent's begin."""
    counts = first[nodes + 1] - first[nodes]
    parents = np.repeat(np.arange(len(nodes)), counts)
    within = np.arange(len(parents)) - np.repeat(np.cumsum(counts) - counts, counts)
    return Level(nodes, by_parent[first[nodes][parents] + within], parents)


def _coded(strings: Iterable[str]) -> Names:
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(each, len(numbers)) for each in strings]
    return Names(tuple(numbers), np.array(codes, dtype=np.int32))


def _listed(nodes: Sequence[int] | Indices) -> str:
    shown = ", ".join(str(node + 1) for node in nodes[:10])
    return shown if len(nodes) <= 10 else f"{shown}, …"

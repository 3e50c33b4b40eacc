"""Dependency trees: a segment's words, each with its head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        return f"one root is needed, and words {_list_words(roots)} are roots"
    circle = _circle(heads.tolist())
    if circle:
        return f"words {_list_words(circle)} depend on each other in a circle"
    return None


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


def _list_words(nodes: Sequence[int] | Indices) -> str:
    shown = ", ".join(str(node + 1) for node in nodes[:10])
    return shown if len(nodes) <= 10 else f"{shown}, …"

"""Rows of different length in one array: the token states or numbers of many texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


@dataclass(frozen=True, repr=False)
class Ragged(Brief):
    """`values[starts[i]:starts[i + 1]]` belong to text i; values may have further axes."""

    values: npt.NDArray[Any]
    starts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: int) -> npt.NDArray[Any]:
        return self.values[self.starts[i] : self.starts[i + 1]]

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """How many values each text has."""
        return np.diff(self.starts)

    def take(self, rows: Sequence[int] | npt.NDArray[np.int64]) -> Ragged:
        """The given texts, in the given order; one may be taken twice."""
        rows = np.asarray(rows, dtype=np.int64)
        lengths = self.lengths[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        shift = np.repeat(self.starts[rows] - starts[:-1], lengths)
        return Ragged(self.values[np.arange(starts[-1]) + shift], starts)


def ragged(rows: Sequence[npt.NDArray[Any]]) -> Ragged:
    """The rows of a list one after the other.

    >>> two = ragged([np.array([1, 2]), np.array([3])])
    >>> two.values.tolist(), two.starts.tolist(), two.take([1, 0]).values.tolist()
    ([1, 2, 3], [0, 2, 3], [3, 1, 2])
    """
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return Ragged(np.concatenate(rows) if rows else np.zeros(0), starts)


def join(first: Ragged, second: Ragged) -> Ragged:
    """The texts of both, one after the other."""
    if len(first) == 0 or len(second) == 0:
        return second if len(first) == 0 else first
    starts = np.concatenate([first.starts, second.starts[1:] + first.starts[-1]])
    return Ragged(np.concatenate([first.values, second.values]), starts)

"""Texts as token ids and surfaces: what the network reads.

Tokens are the word pieces of BERT's uncased vocabulary. Lower-casing loses capitals and spaces, and
people see both, so that each token has a *surface* too: its capitals (0 none, 1 the first letter
alone, 2 others), and 3 more where no space stands between it and the token before.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.encoders.pieces.uncased import uncased_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

SURFACES = 6


@dataclass(frozen=True, repr=False)
class Pieces(Brief):
    """The tokens of texts one after another; text i has those from starts[i] to starts[i + 1]."""

    ids: np.ndarray
    surfaces: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.starts) - 1

    def texts(self, moved: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Ids, moved by a number, and surfaces of each text."""
        ids, surfaces = self.ids.astype(np.int64) + moved, self.surfaces.astype(np.int64)
        ends = list(zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True))
        return [(ids[start:end], surfaces[start:end]) for start, end in ends]

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of each text."""
        return np.diff(self.starts)


def read_pieces(texts: Sequence[str]) -> Pieces:
    """The tokens of texts.

    >>> read_pieces(["Not NATO", ""]).starts.tolist()
    [0, 2, 2]
    """
    cut, surfaces = uncased_pieces().encode_surfaces(texts, threads=os.cpu_count() or 1)
    return Pieces(cut.values.astype(np.uint16), surfaces, cut.starts)

"""Texts as token ids and surfaces: what the network reads.

Tokens are the word pieces of BERT's uncased vocabulary. Lower-casing loses capitals and spaces, and
people see both, so that each token has a *surface* too: its capitals (0 none, 1 the first letter
alone, 2 others), and 3 more where no space stands between it and the token before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.encoders.networks.model_folder import require
from concordant.resources.places import locate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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


def surface(text: str, start: int, end: int, before: int | None) -> int:
    """The surface of the token from `start` to `end`; `before` is where the one before it ends.

    >>> surface("Not NATO", 0, 3, None), surface("Not NATO", 4, 8, 3), surface("a.B", 2, 3, 2)
    (1, 2, 4)
    """
    letters = text[start:end]
    if not any(each.isupper() for each in letters):
        capitals = 0
    else:
        capitals = 1 if letters[0].isupper() and not any(c.isupper() for c in letters[1:]) else 2
    return capitals + (3 if before is not None and before == start else 0)


def read_pieces(texts: Sequence[str], tokenizer: Path | None = None) -> Pieces:
    """The tokens of texts; the tokenizer is that of the part minilm unless another is given."""
    file = locate("minilm") / "tokenizer.json" if tokenizer is None else tokenizer
    opened = require("tokenizers").Tokenizer.from_file(str(file))
    opened.no_truncation()
    opened.no_padding()
    ids: list[int] = []
    surfaces: list[int] = []
    starts = [0]
    for begin in range(0, len(texts), 10000):
        part = list(texts[begin : begin + 10000])
        for text, found in zip(
            part, opened.encode_batch(part, add_special_tokens=False), strict=True
        ):
            before = None
            for start, end in found.offsets:
                surfaces.append(surface(text, start, end, before))
                before = end
            ids += found.ids
            starts.append(len(ids))
    return Pieces(
        np.array(ids, dtype=np.uint16), np.array(surfaces, dtype=np.uint8), np.array(starts)
    )

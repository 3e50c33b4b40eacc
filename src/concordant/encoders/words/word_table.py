"""An open vocabulary with its vectors, wherever they come from.

Which vector a word gets: that of the word as it is written. Where the vocabulary has no capitals
(GloVe 6B; a stray one in a hundred words is allowed), a text is put into lower case first; where it
has, a word is looked up exactly as it stands. A word that is not found is unknown and has no
vector: it takes no part in an average, and a text without a known word gets zeros.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from concordant.brief import Brief
from concordant.encoders.ragged import Ragged
from concordant.errors import ConcordantError, DataError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from concordant.encoders import _native

    Floats = npt.NDArray[np.float32]
    Rows = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Meta:
    """What `meta.toml` says; `case` is "lower" where words have no capitals, else "mixed"."""

    words: int
    dimension: int
    case: Literal["lower", "mixed"]
    sha256: str


@dataclass(frozen=True, eq=False, repr=False)
class WordVectors(Brief):
    """An open vocabulary with its vectors: `vectors` (words, dimension)."""

    name: str
    folder: Path
    meta: Meta
    vectors: Floats
    index: _native.WordIndex

    def __len__(self) -> int:
        return self.meta.words

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self.meta.dimension

    @property
    def signature(self) -> str:
        """The name, and twelve digits that stand for the words and the vectors."""
        return f"{self.name}#{self.meta.sha256[:12]}"

    def rows(self, texts: Sequence[str], *, threads: int = 1) -> Ragged:
        """The row of each token of each text; unknown words are negative.

        The same unknown word is the same number (-1, -2, …) within one call, so that it can be
        matched with itself; between calls the numbers mean nothing.
        """
        with self._reading():
            return Ragged(*self.index.rows(self._match_case(texts), threads))

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, one for each of its rows, in the case they are looked up in."""
        with self._reading():
            return self.index.tokens(self._match_case([text]))[0]

    def lookup(self, words: Sequence[str]) -> Rows:
        """The row of each word, taken whole, -1 where it is unknown."""
        lowered = self._match_case(words)
        with self._reading():
            exact = self.index.find(list(words))
            return np.where(exact >= 0, exact, self.index.find(lowered))

    def word(self, row: int) -> str:
        """The word of a row."""
        if not 0 <= row < len(self):
            raise ConcordantError(f"row {row} is not one of 0 to {len(self) - 1}")
        with self._reading():
            return self.index.word(row).decode("utf-8", "surrogatepass")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """The kernel sees damage only when it comes to it."""
        try:
            yield
        except (RuntimeError, UnicodeDecodeError) as fault:
            raise damage_error(self.folder, str(fault)) from fault

    def _match_case(self, texts: Sequence[str]) -> list[str]:
        if isinstance(texts, str):
            raise ConcordantError("texts must be a list of strings, not one string")
        odd = {type(text).__name__ for text in texts if not isinstance(text, str)}
        if odd:
            raise ConcordantError(f"every text must be a string, but one is {min(odd)}")
        return [text.lower() for text in texts] if self.meta.case == "lower" else list(texts)


def row_norms(matrix: npt.NDArray[Any]) -> Floats:
    """Euclidean lengths, computed in double precision a block at a time."""
    blocks = (matrix[i : i + 4096].astype(np.float64) for i in range(0, len(matrix), 4096))
    norms = [np.sqrt(np.square(block).sum(axis=1)) for block in blocks]
    return np.concatenate(norms).astype(np.float32)


def damage_error(folder: Path, reason: str) -> DataError:
    """What is told of a folder of vectors whose files do not fit each other."""
    message = f"these mapped word vectors are damaged ({reason}); install or convert them again"
    return DataError.at(folder, None, message)

"""Word pieces as the sequences that a network reads.

*Joint*: `[first] translation [between] reference [between]`. *Apart*: `[first] text [between]`.
What does not fit into the network's places is cut into windows, so that nothing is left out. Those
of a joint sequence are at the same relative place in both texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.encoders.pieces.uncased import uncased_pieces
from concordant.encoders.pieces.word_pieces import SURFACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from concordant.encoders.ragged import Ragged

    Ints = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, repr=False)
class Marks(Brief):
    """The network's numbers of the mark at the beginning and of the one after each text.

    `moved` is what it adds to a piece's number.
    """

    first: int
    between: int
    moved: int = 0


@dataclass(frozen=True, repr=False)
class CutTexts(Brief):
    """The pieces of distinct texts, and how each stands in its text; `place` has their numbers."""

    ids: Ragged
    surfaces: npt.NDArray[np.uint8]
    place: dict[str, int]

    @property
    def lengths(self) -> Ints:
        """The pieces of each text."""
        return self.ids.lengths


@dataclass(frozen=True, repr=False)
class Windows(Brief):
    """Parts of texts that are read together, with one column for each text of a sequence.

    A part begins at `begin` of its text's pieces and has `size` of them. `of` is the row of texts
    that a window is of.
    """

    of: Ints
    begin: Ints
    size: Ints

    def take(self, rows: slice) -> Windows:
        """Some of the windows."""
        return Windows(self.of[rows], self.begin[rows], self.size[rows])


@dataclass(frozen=True, repr=False)
class WindowTokens(Brief):
    """Tokens one after the other; sequence i has those from starts[i] to starts[i + 1].

    `spans` bounds the first mark and the texts of each sequence, (sequences, 1 + texts, 2), from
    its first token.
    """

    words: Numbers
    types: Numbers
    places: Numbers
    starts: Ints
    spans: Ints


def cut_texts(texts: Sequence[str], *, threads: int = 1) -> CutTexts:
    """The pieces of texts, each distinct one once."""
    place = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return CutTexts(*uncased_pieces().encode_surfaces(list(place), threads=threads), place)


def cut_windows(sizes: Ints, longest: int) -> Windows:
    """As few windows as fit; `sizes` are the pieces of the texts of each sequence.

    >>> found = cut_windows(np.array([[3, 4], [8, 6]]), longest=12)
    >>> found.of.tolist(), found.size.tolist()
    ([0, 1, 1], [[3, 4], [4, 3], [4, 3]])
    """
    texts = sizes.shape[1]
    room = longest - 1 - texts
    total = sizes.sum(axis=1)
    # Rounding may give a window one piece more of each text than its share.
    counts = np.where(total <= room, 1, -(-total // (room - texts)))
    of = np.repeat(np.arange(len(sizes)), counts)
    number = (np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts))[:, None]
    begin = sizes[of] * number // counts[of, None]
    end = sizes[of] * (number + 1) // counts[of, None]
    return Windows(of, begin, end - begin)


def join_tokens(cut: CutTexts, texts: Ints, parts: Windows, marks: Marks) -> WindowTokens:
    """The tokens of windows, with marks; `texts` has the texts of each sequence by number."""
    rows = texts[parts.of]
    lengths = parts.size.sum(axis=1) + 1 + rows.shape[1]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    words = np.full(starts[-1], marks.between, dtype=np.int32)
    types = np.zeros(starts[-1], dtype=np.int32)
    words[starts[:-1]] = marks.first
    begins, spans = np.ones(len(rows), dtype=np.int64), [np.zeros(len(rows), dtype=np.int64)]
    for text in range(rows.shape[1]):
        size = parts.size[:, text]
        to = _runs(starts[:-1] + begins, size)
        of = _runs(cut.ids.starts[rows[:, text]] + parts.begin[:, text], size)
        words[to] = cut.ids.values[of] + marks.moved
        types[to] = cut.surfaces[of].astype(np.int32) + SURFACES * text
        types[starts[:-1] + begins + size] = SURFACES * text
        spans += [begins, begins + size]
        begins = begins + size + 1
    spans.insert(1, np.ones(len(rows), dtype=np.int64))
    places = _runs(np.zeros(len(rows), dtype=np.int64), lengths).astype(np.int32)
    bounds = np.stack(spans, axis=1).reshape(len(rows), -1, 2)
    return WindowTokens(words, types, places, starts, bounds)


def _runs(begins: Ints, sizes: Ints) -> Ints:
    """Numbers that count up from each of `begins`, so many as its size says.

    >>> _runs(np.array([5, 9]), np.array([2, 3])).tolist()
    [5, 6, 9, 10, 11]
    """
    before = np.cumsum(sizes) - sizes
    return np.asarray(np.arange(sizes.sum()) + np.repeat(begins - before, sizes))

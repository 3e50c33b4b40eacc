"""Texts as numbers of SentencePiece's pieces, cut in the kernel by its unigram model (Kudo 2018).

A text is normalised (NFKC), rewritten by the vocabulary's rules (kinds of spaces), and cut into the
pieces whose probabilities have the greatest product. Any language is cut, with or without
spaces between words. The numbers are those of the `sentencepiece` library; only neighbouring
characters that no piece covers, which are its <unk>, get a negative number that tells them from
others.

Python's `unicodedata` knows what NFKC is. SentencePiece has a table of its own, of an older Unicode
and without marks in unusual order: there the two may differ.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.encoders import _native
from concordant.encoders.ragged import Ragged
from concordant.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

TYPE = "unigram"  # in tokenizer.json


@dataclass(frozen=True, repr=False)
class UnigramPieces(Brief):
    """A vocabulary of pieces; `scores` are their log probabilities."""

    pieces: tuple[str, ...]
    scores: npt.NDArray[np.float32]
    kernel: _native.UnigramPieces
    unknown = None  # no number stands for all unknown characters

    def __len__(self) -> int:
        return len(self.pieces)

    def encode(self, texts: Sequence[str], *, threads: int = 1) -> Ragged:
        """The numbers of each text's pieces (int32), negative where no piece covers a character."""
        return Ragged(*self.kernel.encode([_normalised(text) for text in texts], threads))


def unigram_pieces(
    pieces: Sequence[str],
    scores: npt.NDArray[np.float32],
    rules: Mapping[str, str] | None = None,
) -> UnigramPieces:
    """The pieces of a vocabulary, numbered in its order; "" stands for a number that is not used.

    >>> scores = np.array([-1, -2, -2, -4], dtype=np.float32)
    >>> cut = unigram_pieces(["▁un", "cut", "▁", "▁uncut"], scores, {"C": "c"})
    >>> cut.encode([" unCut  cut", "un☃"]).values[:4].tolist()
    [0, 1, 2, 1]
    """
    given = dict(rules or {})
    kernel = _native.UnigramPieces(list(pieces), scores, list(given), list(given.values()))
    return UnigramPieces(tuple(pieces), scores, kernel)


def _normalised(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def unigram_of_settings(
    settings: Mapping[str, Any], scores: npt.NDArray[Any] | None, path: Path
) -> UnigramPieces:
    """The pieces that a tokenizer.json has, with the scores from the file of weights."""
    pieces: Any = settings.get("pieces")
    rules: Any = settings.get("rules")
    pairs = isinstance(rules, list) and all(map(_are_two, rules))
    if not _are_texts(pieces) or not pairs:
        raise DataError.at(path, None, "pieces must be texts, and rules pairs of texts")
    if scores is None or scores.shape != (len(pieces),) or not np.isfinite(scores).all():
        raise DataError.at(path, None, f"scores must be a number for each of {len(pieces)} pieces")
    return unigram_pieces(pieces, scores.astype(np.float32), dict(rules))


def is_unigram(settings: Any) -> bool:
    """Whether a tokenizer.json is one of a unigram model."""
    return isinstance(settings, dict) and settings.get("type") == TYPE


def _are_texts(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(each, str) for each in given)


def _are_two(given: Any) -> bool:
    return _are_texts(given) and len(given) == 2

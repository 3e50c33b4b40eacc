"""The word pieces of uncased BERT, which most small English networks share; in the package."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.encoders.pieces.word_pieces import word_pieces

if TYPE_CHECKING:
    from concordant.encoders.pieces.word_pieces import WordPieces

VOCABULARY = Path(__file__).with_name("uncased.txt")  # a piece a line


@cache
def uncased_pieces() -> WordPieces:
    """BERT's pieces. Marks such as [SEP] inside a text are ordinary characters.

    >>> uncased_pieces().encode(["Hello [SEP]!"]).values.tolist()
    [7592, 1031, 19802, 1033, 999]
    """
    return word_pieces(VOCABULARY.read_text("utf-8").split("\n")[:-1])

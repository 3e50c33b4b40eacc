"""Texts as numbers of word pieces, cut as BERT cuts them, in the kernel.

A text is cleaned of control characters, ideographs are set apart, accents are stripped and letters
made small (BERT's uncased normaliser); it is cut at white space and around punctuation; and each
word is cut greedily into the longest pieces of the vocabulary (WordPiece, Wu et al. 2016). The
numbers are those of the `tokenizers` library for the same tokenizer.json, without special tokens
around the text, padding or truncation.

What Unicode says of a character is asked of Python's `unicodedata`. The library's own tables are of
several ages, so the two differ in about 500 marks and signs of rare scripts that Unicode 9 or later
brought, and in capitals that Python does not know yet; no vocabulary holds any of them.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.encoders import _native
from concordant.encoders.pieces.settings import read_settings
from concordant.encoders.ragged import Ragged
from concordant.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

# How the kernel reads the number of a character: word_pieces.hpp.
_DROPPED, _SPACE, _ALONE, _MARK, _CAPITAL = 0, 0x20, 1 << 24, 1 << 26, 1 << 27
SURFACES = 6  # how a piece may stand in its text

_IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip
_PRIVATE = ((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))
_SURROGATES = (0xD800, 0xDFFF)
# All that may be a mark, a control, punctuation or a capital; the rest are ideographs, syllables,
# private or not assigned.
_ASKED = (
    (0x0, 0x33FF),
    (0xA000, 0xABFF),
    (0xFB00, 0x16FFF),
    (0x18D00, 0x1FFFF),
    (0xE0000, 0xE01FF),
)
_DOTTED_CAPITAL_I = "\u0130"  # the only one that becomes two small letters; NFD has undone it

# What must stand in a tokenizer.json; None for a setting that is not given and then means this.
_SETTINGS: dict[str, dict[str, tuple[Any, ...]]] = {
    "normalizer": {
        "type": ("BertNormalizer",),
        "clean_text": (True,),
        "handle_chinese_chars": (True,),
        "lowercase": (True,),
        "strip_accents": (True, None),
    },
    "pre_tokenizer": {"type": ("BertPreTokenizer",)},
    "model": {"type": ("WordPiece", None), "continuing_subword_prefix": ("##", None)},
}
_SPECIAL = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), (False, None))


@dataclass(frozen=True, repr=False)
class WordPieces(Brief):
    """A vocabulary of word pieces; `unknown` is the number of a word that has none."""

    pieces: tuple[str, ...]
    unknown: int
    kernel: _native.WordPieces

    def __len__(self) -> int:
        return len(self.pieces)

    def encode(self, texts: Sequence[str], *, threads: int = 1) -> Ragged:
        """The numbers of each text's pieces (int32)."""
        return Ragged(*self.kernel.encode(_decomposed(texts), threads))

    def encode_surfaces(
        self, texts: Sequence[str], *, threads: int = 1
    ) -> tuple[Ragged, npt.NDArray[np.uint8]]:
        """The numbers of each text's pieces, and how each piece stands in its text.

        Small letters hide capitals, and pieces hide spaces. A surface is 0 for no capital, 1 for
        the first letter alone, 2 for others; and 3 more where nothing stands between a piece and
        the one before.

        >>> cut = word_pieces(["[UNK]", "a", "##b", "nato", "!"])
        >>> cut.encode_surfaces(["Ab NATO!"])[1].tolist()
        [1, 3, 2, 3]
        """
        numbers, starts, surfaces = self.kernel.encode_surfaces(_decomposed(texts), threads)
        return Ragged(numbers, starts), surfaces


def _decomposed(texts: Sequence[str]) -> list[str]:
    """Texts with accents apart, because Python knows how; the kernel then drops them."""
    return [text if text.isascii() else unicodedata.normalize("NFD", text) for text in texts]


def word_pieces(
    pieces: Sequence[str],
    *,
    unknown: str = "[UNK]",
    specials: Sequence[str] = (),
    longest_word: int = 100,
) -> WordPieces:
    """The word pieces of a vocabulary, numbered in its order; ## begins those that continue a word.

    A special piece is found wherever it stands in a text, as it is written.

    >>> cut = word_pieces(["[UNK]", "un", "##cut", "cut", "!"])
    >>> cut.encode(["Ún cut, uncut!", "?"]).values.tolist()
    [1, 3, 0, 1, 2, 4, 0]
    """
    numbers = {piece: number for number, piece in enumerate(pieces)}
    kernel = _native.WordPieces(
        list(pieces),
        _characters(),
        list(specials),
        np.array([numbers[special] for special in specials], dtype=np.int32),
        numbers[unknown],
        longest_word,
    )
    return WordPieces(tuple(pieces), numbers[unknown], kernel)


def load_pieces(tokenizer_json: Path) -> WordPieces:
    """The word pieces of a tokenizer.json, if it cuts texts as uncased BERT does."""
    return word_pieces_of_settings(read_settings(tokenizer_json), tokenizer_json)


def word_pieces_of_settings(settings: Any, path: Path) -> WordPieces:
    """The word pieces that the settings of a tokenizer.json describe."""
    try:
        return _from_settings(settings, path)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        message = f"not a tokenizer.json with a WordPiece vocabulary ({error!r})"
        raise DataError.at(path, None, message) from None


def _from_settings(settings: dict[str, Any], path: Path) -> WordPieces:
    for part, allowed in _SETTINGS.items():
        _check(settings[part] or {}, allowed, path, part)
    specials = settings.get("added_tokens") or []
    for special in specials:
        _check(special, _SPECIAL, path, f"added token {special['content']!r}")
    model = settings["model"]
    numbers = dict(model["vocab"])
    pieces = [""] * (1 + max(numbers.values()))
    for piece, number in numbers.items():
        pieces[number] = piece
    return word_pieces(
        pieces,
        unknown=model["unk_token"],
        specials=[special["content"] for special in specials],
        longest_word=model.get("max_input_chars_per_word", 100),
    )


def _check(
    settings: dict[str, Any], allowed: dict[str, tuple[Any, ...]], path: Path, part: str
) -> None:
    for name, values in allowed.items():
        found = settings.get(name)
        if found not in values:
            message = (
                f"{part}: {name} is {json.dumps(found)}, but only {json.dumps(values[0])} is "
                "supported: word pieces are cut as uncased BERT cuts them"
            )
            raise DataError.at(path, None, message)


@cache
def _characters() -> npt.NDArray[np.uint32]:
    """What the kernel makes of each code point of a decomposed text."""
    made = np.arange(0x110000, dtype=np.uint32)
    for first, last in _ASKED:
        made[first : last + 1] = _ask(first, last)
    for first, last in (*_PRIVATE, _SURROGATES):
        made[first : last + 1] = _DROPPED
    for first, last in _IDEOGRAPHS:
        made[first : last + 1] |= _ALONE
    made[[0x9, 0xA, 0xD]] = _SPACE
    made[0xFFFD] = _DROPPED
    return made


def _ask(first: int, last: int) -> npt.NDArray[np.uint32]:
    characters = "".join(map(chr, range(first, last + 1)))
    small = characters.replace(_DOTTED_CAPITAL_I, "i").lower()
    made = np.frombuffer(small.encode("utf-32-le"), dtype=np.uint32).copy()
    kinds = np.frombuffer("".join(map(unicodedata.category, characters)).encode(), dtype="S2")
    made[np.array([each.isupper() for each in characters])] |= _CAPITAL
    made[(kinds == b"Cc") | (kinds == b"Cf")] = _DROPPED
    made[kinds == b"Mn"] = _DROPPED | _MARK
    made[(kinds == b"Zs") | (kinds == b"Zl") | (kinds == b"Zp")] = _SPACE
    made[(kinds >= b"P") & (kinds < b"Q")] |= _ALONE
    if first == 0:
        made[[ord(symbol) for symbol in "$+<=>^`|~"]] |= _ALONE
    return made

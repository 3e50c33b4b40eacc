"""Which language texts are in, told from their bytes.

Naive Bayes over byte n-grams, with weights from py3langid (Barbaresi, after Lui and Baldwin's
langid.py), made smaller by `shipping/compact_languages.py` and counted in the kernel
(docs/decisions/0062-languages-told-by-byte-n-grams.md). A short text or one of names alone has no
clear language: then no language is claimed.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.lexical import _native

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

TABLE = Path(__file__).parent / "languages.safetensors"
MOST = 1000  # characters of a text that are looked at
SURE = 0.9  # the probability from which a text's language is claimed
FEW_GRAMS = 10  # n-grams; fewer do not show a language
# Languages that are hard to tell apart in one sentence: a text in one may be in any of its group.
CLOSE = (("bs", "hr", "sr"), ("id", "ms"))


@dataclass(frozen=True)
class LanguageTable:
    """The kernel's table, and the languages of its columns: several columns may be of one."""

    kernel: _native.LanguageTable
    languages: tuple[str, ...]
    starts: Ints  # the first column of each language


@cache
def language_table() -> LanguageTable:
    """The table in the package."""
    from safetensors import safe_open  # noqa: PLC0415 - only where languages are told

    with safe_open(TABLE, framework="numpy") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
        columns = file.metadata()["languages"].split()
    step = float(arrays.pop("step")[0])
    languages, starts = np.unique(columns, return_index=True)
    kernel = _native.LanguageTable(**arrays, step=step)
    return LanguageTable(kernel, tuple(languages.tolist()), starts)


def language_shares(texts: Sequence[str]) -> Floats:
    """The probability of each language of the table, (texts, languages).

    A row of zeros where a text shows too little.

    >>> found = language_shares(["Das ist das Haus am Fluss.", "42"])
    >>> language_table().languages[found[0].argmax()], found.sum(axis=1).round().tolist()
    ('de', [1.0, 0.0])
    """
    table = language_table()
    scores = table.kernel.scores([_plain(text) for text in texts])
    logs, grams = scores[:, :-1], scores[:, -1:]
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    shares = np.add.reduceat(shares / shares.sum(axis=1, keepdims=True), table.starts, axis=1)
    return np.asarray(np.where(grams >= FEW_GRAMS, shares, 0.0))


def language_of(texts: Iterable[str]) -> str:
    """The language of texts taken together; "" where they show none clearly.

    >>> language_of(["The house is small,", "and the river is wide."]), language_of(["3 + 4"])
    ('en', '')
    """
    found = clear_languages([" ".join(texts)])
    return found[0]


def clear_languages(texts: Sequence[str]) -> list[str]:
    """The language of each text; "" where it is not clear. Of close ones it is the likeliest.

    >>> clear_languages(["Où est la bibliothèque de la ville ?", "OK"])
    ['fr', '']
    """
    if not len(texts):
        return []
    shares, group, known = language_shares(texts), group_of(), language_table().languages
    best = shares.argmax(axis=1)
    sure = (shares * (group == group[best][:, None])).sum(axis=1) >= SURE
    return [known[i] if clear else "" for i, clear in zip(best.tolist(), sure, strict=True)]


@cache
def group_of() -> Ints:
    """For each language of the table the first of those that are hard to tell from it."""
    known = language_table().languages
    first = {code: codes[0] for codes in CLOSE for code in codes}
    return np.array([known.index(first.get(code, code)) for code in known])


def close(one: str, other: str) -> bool:
    """Whether two languages are the same, or hard to tell apart.

    >>> close("hr", "bs"), close("de", "nl")
    (True, False)
    """
    return one == other or any(one in codes and other in codes for codes in CLOSE)


def _plain(text: str) -> str:
    """The text as the table's n-grams are written."""
    text = text[:MOST]
    return unicodedata.normalize("NFC", text.lower() if text.isupper() else text)

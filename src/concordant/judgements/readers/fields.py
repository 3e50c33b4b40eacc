"""Cells of a table → values: each function returns the value or raises a readable ValueError.

Readers turn those into faults with a line number, all of a file at once, by `build_each`.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, TypeVar

from concordant.errors import DataError, Fault
from concordant.judgements.names import language

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

Record = TypeVar("Record")
Row = TypeVar("Row")

SHOWN_CHARACTERS = 40
SHOWN_NAMES = 20
MOST_FAULTS = 1000
# No rating or score is larger; beyond it sums of squares lose their digits, and then overflow.
LARGEST = 1e15
LONGEST_DIGITS = 1000  # more than any number needs, less than Python refuses
LAST_LINE = 10**15  # data sets number segments by long identifiers too
MOST = 10**9  # of ranks and counts
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}


def quote(text: str) -> str:
    """The text in quotation marks, cut where it is too long for a message.

    >>> quote("word " * 20)
    '"word word word word word word word word…"'
    """
    shown = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS].rstrip() + "…"
    return f'"{shown}"'


def list_words(names: Sequence[str]) -> str:
    """Names separated by commas; of many, the first ones and how many more there are.

    >>> list_words(["a"] * 100)
    'a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, … and 80 more'
    """
    shown = [name if len(name) <= SHOWN_CHARACTERS else f"{name[:SHOWN_CHARACTERS]}…"
             for name in names[:SHOWN_NAMES]]  # fmt: skip
    hidden = len(names) - len(shown)
    return ", ".join([*shown, f"… and {hidden} more"] if hidden else shown)


def line_number(text: str, column: str) -> int:
    """A line of a text, from 1.

    >>> line_number("0", "segment")
    Traceback (most recent call last):
    ValueError: segment "0" is not a line number of 1 or more
    """
    return _whole(text, column, "a line number of 1 or more", LAST_LINE)


def count(text: str, column: str) -> int:
    """How many judgements there were, from 1."""
    return _whole(text, column, "a whole number from 1", MOST)


def _whole(text: str, column: str, allowed: str, most: int) -> int:
    """A whole number without sign, from 1 to `most`."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal() and digits.strip("0")):
        raise ValueError(f"{column} {quote(text)} is not {allowed}")
    if len(digits) > LONGEST_DIGITS or int(digits) > most:
        raise ValueError(f"{column} {quote(text)} is beyond {most:,}, too large")
    return int(digits)


def is_number(text: str) -> bool:
    """Whether a text is a number, finite or not."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def number(text: str, column: str) -> float:
    """A finite number; NaN, infinities and numbers too large to compute with are errors.

    >>> number("-0.25", "score")
    -0.25
    >>> number("nan", "score")
    Traceback (most recent call last):
    ValueError: score "nan" is not a finite number
    """
    digits = text.strip()
    value = float(digits) if _NUMBER.fullmatch(digits) else math.nan
    if not math.isfinite(value):
        raise ValueError(f"{column} {quote(text)} is not a finite number")
    if not is_sane(value):
        raise ValueError(f"{column} {quote(text)} is beyond ±{LARGEST:g}, too large")
    return value


def is_sane(value: float) -> bool:
    """Whether a number is finite and small enough to compute with; any size of int may be asked."""
    return -LARGEST <= value <= LARGEST


def name(text: str, column: str) -> str:
    """A name, which may not be empty."""
    stripped = text.strip()
    if not stripped:
        raise ValueError(f"{column} is empty")
    return stripped


def flag(text: str, column: str) -> bool:
    """Yes (1, true, yes) or no (0, false, no, empty), in any case."""
    value = _FLAGS.get(text.strip().lower())
    if value is None:
        raise ValueError(f"{column} {quote(text)} is not one of 1, true, yes, 0, false, no")
    return value


def language_pair(text: str, column: str) -> str:
    """A language pair; known names and codes come out as codes, regional codes as they are.

    >>> language_pair("German-English", "lp"), language_pair("en-zh_CN", "lp")
    ('de-en', 'en-zh_CN')
    """
    stripped = text.strip()
    source, _, target = stripped.partition("-")
    if not (source and target):
        raise ValueError(f"{column} {quote(text)} is not a language pair such as de-en")
    codes = language(source), language(target)
    return stripped if None in codes else f"{codes[0]}-{codes[1]}"


def first_of(names: Iterable[str], columns: Collection[str]) -> str | None:
    """The first of the names that is a column, or None."""
    return next((name for name in names if name in columns), None)


def cell(row: Mapping[str, str], column: str | None) -> str | None:
    """What a row has in a column; None if there is no such column or nothing in it."""
    return (row[column].strip() or None) if column is not None else None


def build_each(
    path: str | Path, rows: Iterable[tuple[int, Row]], build: Callable[[int, Row], Record]
) -> list[Record]:
    """`build(line, row)` of every row; the ValueErrors of all rows become one DataError."""
    built: list[Record] = []
    faults: list[Fault] = []
    for line, row in rows:
        try:
            built.append(build(line, row))
        except ValueError as error:
            faults.append(Fault(str(path), line, str(error)))
            if len(faults) == MOST_FAULTS:
                break
    if faults:
        raise DataError(faults, stopped=len(faults) == MOST_FAULTS)
    return built

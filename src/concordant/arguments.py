"""Checks of arguments to the public functions: a readable error instead of a raw exception."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from math import isnan
from numbers import Real
from pathlib import Path
from typing import Any, TypeVar

from concordant.errors import ConcordantError

Kind = TypeVar("Kind")
MOST_THREADS = 1024
MOST_DRAWS = 1_000_000  # of a bootstrap or a permutation test


def whole_number(value: Any, name: str, low: int, high: int | None = None) -> int:
    """An integer from `low` to `high`; NumPy's count as integers, bools and floats do not.

    >>> whole_number(2, "threads", 1)
    2
    >>> whole_number(-1, "threads", 1)
    Traceback (most recent call last):
    concordant.errors.ConcordantError: threads must be a whole number from 1, not -1
    """
    span = f"from {low}" if high is None else f"from {low} to {high:,}"
    wrong = ConcordantError(f"{name} must be a whole number {span}, not {describe(value)}")
    if isinstance(value, bool):
        raise wrong
    try:
        number = operator.index(value)
    except TypeError:
        raise wrong from None
    if number < low or (high is not None and number > high):
        raise wrong
    return number


def thread_count(value: Any) -> int:
    """A number of threads."""
    return whole_number(value, "threads", 1, MOST_THREADS)


def draws(value: Any, name: str) -> int:
    """A number of random draws."""
    return whole_number(value, name, 1, MOST_DRAWS)


def share(value: Any, name: str) -> float:
    """A number strictly between 0 and 1."""
    known = isinstance(value, Real) and not isinstance(value, bool)
    if not known or not 0 < value < 1:
        raise ConcordantError(
            f"{name} must be a number between 0 and 1, such as 0.95, not {describe(value)}"
        )
    return float(value)


def finite_number(value: Any, name: str, low: float) -> float:
    """A finite number of at least `low`."""
    known = isinstance(value, Real) and not isinstance(value, bool)
    if not known or not low <= value <= sys.float_info.max:
        raise ConcordantError(
            f"{name} must be a finite number of at least {low:g}, not {describe(value)}"
        )
    return float(value)


def instance(value: Any, name: str, kind: type[Kind], words: str) -> Kind:
    """The value if it has one of the types; `words` say what is allowed."""
    if not isinstance(value, kind):
        raise ConcordantError(f"{name} must be {words}, not {describe(value)}")
    return value


def text(value: Any, name: str) -> str:
    """A string."""
    return instance(value, name, str, "a text")


def path(value: Any, name: str) -> str | Path:
    """A path, as a text or a `Path`."""
    if not isinstance(value, str | Path):
        raise ConcordantError(f"{name} must be a path, not {describe(value)}")
    return value


def as_list(value: Any) -> Any:
    """The list of a tuple, an array, a column of a data frame or a generator; else the same value.

    What is no list of texts, such as a text or a dict, is left to the check that follows.

    >>> as_list(("a", "b")), as_list(each for each in "ab"), as_list("ab")
    (['a', 'b'], ['a', 'b'], 'ab')
    """
    if isinstance(value, list | str | bytes | Mapping | Set) or _is_no_column(value):
        return value
    for method in ("to_list", "tolist", "to_pylist"):  # pandas and polars, NumPy, pyarrow
        if hasattr(value, method):
            return getattr(value, method)()
    return list(value) if isinstance(value, Iterable) else value


def _is_no_column(value: Any) -> bool:
    """Whether a value only looks like a list: a class, or a whole data frame."""
    return isinstance(value, type) or hasattr(value, "columns")


def as_references(value: Any) -> Any:
    """Lists of references from one text per translation, or from several in any kind of list.

    >>> as_references(["a", "b"]), as_references((("a", "b"), ["c"]))
    ([['a'], ['b']], [['a', 'b'], ['c']])
    """
    rows = as_list(value)
    if not isinstance(rows, list):
        return rows
    if all(isinstance(each, list) for each in rows):
        return rows
    return [[each] if isinstance(each, str) else _row(each) for each in rows]


def _row(value: Any) -> Any:
    """The references of one translation; None where a data frame has no value."""
    missing = value is None or (isinstance(value, float) and isnan(value))
    return None if missing else as_list(value)


def text_list(value: Any, name: str) -> list[str]:
    """The list of strings of a list, a tuple, an array, a column or a generator.

    >>> text_list(["a", None], "sources")
    Traceback (most recent call last):
    concordant.errors.ConcordantError: sources must be a list of texts; number 2 is None
    """
    if hasattr(value, "ndim") and value.ndim != 1:
        raise ConcordantError(f"{name} must be a list of texts, not an array of {value.ndim} axes")
    texts = as_list(value)
    if not isinstance(texts, list):
        raise ConcordantError(f"{name} must be a list of texts, not {describe(value)}")
    for number, each in enumerate(texts, 1):
        if not isinstance(each, str):
            raise ConcordantError(
                f"{name} must be a list of texts; number {number} is {describe(each)}"
            )
    return texts


def encodable(texts: Sequence[str]) -> list[str]:
    r"""The texts as a list; a lone surrogate, which no tokenizer accepts, is an error.

    >>> encodable(["a", "b\ud800"])
    Traceback (most recent call last):
    concordant.errors.ConcordantError: a text is not valid Unicode: '\ud800' at character 2
    """
    for each in texts:
        try:
            each.encode()
        except UnicodeEncodeError as fault:
            half = ascii(each[fault.start])
            raise ConcordantError(
                f"a text is not valid Unicode: {half} at character {fault.start + 1}"
            ) from None
    return list(texts)


def function(value: Any, name: str) -> None:
    """Something that can be called, or None."""
    if value is not None and not callable(value):
        raise ConcordantError(f"{name} must be a function, not {describe(value)}")


def describe(value: object) -> str:
    """A wrong value as shown in an error: short values themselves, others by their type.

    >>> describe(-1), describe([1] * 100), describe(float("nan"))
    ('-1', 'a list', 'nan')
    """
    if value is None or isinstance(value, bool | int | float | str | bytes):
        try:
            whole = ascii(value)
        except ValueError:  # an integer of too many digits
            return "a huge number"
        if len(whole) <= 40:
            return whole
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"

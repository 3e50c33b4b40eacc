"""A short `repr` for records that hold texts, arrays or weights.

Python's own `repr` of a dataclass prints everything: a million characters for a loaded metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any

MOST, MOST_OF_FIELD, MOST_OF_TEXT = 480, 200, 120  # characters


class Brief:
    """For a dataclass with `repr=False`: a `repr` with short values, and only the size of others.

    >>> from dataclasses import dataclass
    >>> @dataclass(repr=False)
    ... class Result(Brief):
    ...     name: str
    ...     values: list[float]
    >>> Result("chrf", [0.5] * 1000)
    Result(name='chrf', values=<1,000 items>)
    """

    def __repr__(self) -> str:
        shown = [each for each in fields(self) if each.repr]  # type: ignore[arg-type]
        inside = ", ".join(f"{each.name}={brief(getattr(self, each.name))}" for each in shown)
        return f"{type(self).__name__}({_cut(inside, MOST)})"


def brief(value: Any) -> str:
    """A value in at most about 200 characters.

    >>> brief("a" * 1000)[-5:], brief({"a": 1}), brief(("a", "b"))
    ("aaa…'", "{'a': 1}", "('a', 'b')")
    """
    if isinstance(value, str):
        return repr(_cut(value, MOST_OF_TEXT))
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"<array {tuple(value.shape)}>"
    if isinstance(value, Mapping | Sequence | Set):
        return _brief_collection(value)
    if is_dataclass(value) and not isinstance(value, type):
        whole = repr(value) if isinstance(value, Brief) else ""
        return whole if 0 < len(whole) <= MOST_OF_FIELD else f"<{type(value).__name__}>"
    if callable(value) or not isinstance(value, bool | int | float | complex | bytes | None):
        return f"<{type(value).__name__}>"
    return _cut(repr(value), MOST_OF_TEXT)


def _brief_collection(value: Mapping[Any, Any] | Sequence[Any] | Set[Any]) -> str:
    """The collection if it is short; otherwise its size, and the first item if that is a text."""
    whole = repr(value) if len(value) <= MOST_OF_FIELD and _is_plain(value) else ""
    if 0 < len(whole) <= MOST_OF_FIELD:
        return whole
    first = next(iter(value), None)
    begins = f", the first {brief(first)}" if isinstance(first, str) else ""
    return f"<{_count_items(len(value))}{begins}>"


def _is_plain(value: Any) -> bool:
    """Whether a collection holds only texts and numbers, or small collections of these."""
    inside = [*value.keys(), *value.values()] if isinstance(value, Mapping) else list(value)
    return all(
        isinstance(each, str | int | float | None)
        or (isinstance(each, tuple) and len(each) <= MOST_OF_FIELD and _is_plain(each))
        for each in inside
    )


def _count_items(number: int) -> str:
    return "1 item" if number == 1 else f"{number:,} items"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"

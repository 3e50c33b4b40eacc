"""What results have in common: rows of named values, which become a dict, a data frame or HTML."""

from __future__ import annotations

from html import escape
from importlib import import_module
from typing import Any

from concordant.errors import ConcordantError

MOST_ROWS = 20  # of a table in a notebook


class Tabular:
    """A result whose `records()` are rows with the same keys; `to_dict` has all that JSON can hold.

    >>> class Pair(Tabular):
    ...     def records(self):
    ...         return [{"system": "A", "score": 0.5}]
    >>> Pair().to_dict()
    {'records': [{'system': 'A', 'score': 0.5}]}
    """

    def records(self) -> list[dict[str, Any]]:
        """The rows."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values: dicts, lists, texts, numbers."""
        return {"records": self.records()}

    def to_pandas(self) -> Any:
        """The rows as a pandas `DataFrame`."""
        return _library("pandas").DataFrame(self.records())

    def to_polars(self) -> Any:
        """The rows as a polars `DataFrame`."""
        return _library("polars").DataFrame(self.records(), infer_schema_length=None)

    def _title(self) -> str:
        """A sentence above the table; "" for none."""
        return ""

    def _repr_html_(self) -> str:
        """The first rows as a table, for notebooks."""
        rows = self.records()
        head = "".join(f"<th>{escape(name)}</th>" for name in (rows[0] if rows else {}))
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row.values()) + "</tr>"
            for row in rows[:MOST_ROWS]
        )
        more = len(rows) - MOST_ROWS
        below = f"<p>… and {more:,} more rows</p>" if more > 0 else ""
        title = f"<p>{escape(self._title())}</p>" if self._title() else ""
        return f"{title}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ConcordantError(f"{name} is not installed; pip install {name}") from None


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else escape(str(value))

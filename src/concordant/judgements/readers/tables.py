"""A table of judgements that has been read: its rows, its columns and where it comes from.

A reader is then a function from a row to a record, given to `build`: it raises a ValueError for
what is wrong with the row, and `build` reports those of all rows with their lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from concordant.judgements.files import check_header, read_table
from concordant.judgements.origin import PAIR_COLUMNS, TESTSET_COLUMN, Origin
from concordant.judgements.readers.fields import build_each, first_of, list_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

Record = TypeVar("Record")
COUNT_COLUMNS = ("count", "annotators")
JUDGE_COLUMNS = ("judge", "annotator")


@dataclass(frozen=True)
class JudgementTable:
    """The rows of a file, each with its line number."""

    path: Path
    rows: list[tuple[int, dict[str, str]]]
    origin: Origin

    @classmethod
    def read(
        cls,
        path: Path,
        *required: str,
        delimiter: str | None = ",",
        quoted: bool = True,
    ) -> JudgementTable:
        """The table in a file; `delimiter` and `quoted` as for `read_table`."""
        rows = read_table(path, delimiter=delimiter, required=required, quoted=quoted)
        return cls(path, rows, Origin.of(path))

    @property
    def columns(self) -> list[str]:
        """The names in the header."""
        return list(self.rows[0][1])

    def first_of(self, names: Iterable[str]) -> str | None:
        """The first of the names that is a column, or None."""
        return first_of(names, self.columns)

    def require(self, names: Sequence[str]) -> None:
        """Refuse the table unless it has all of these columns."""
        check_header(self.path, self.columns, names)

    def build(self, record_of: Callable[[int, dict[str, str]], Record]) -> list[Record]:
        """`record_of(line, row)` of every row; all ValueErrors become one DataError."""
        return build_each(self.path, self.rows, record_of)

    def unused(self, *used: str) -> list[str]:
        """A note on the columns that neither a reader nor a preference uses, if there are any."""
        shared = (PAIR_COLUMNS, COUNT_COLUMNS, JUDGE_COLUMNS)
        taken = {*used, TESTSET_COLUMN, "tie", *map(self.first_of, shared)}
        unused = [name for name in self.columns if name not in taken]
        return [f"{self.path}: columns {list_words(unused)} are not used"] if unused else []

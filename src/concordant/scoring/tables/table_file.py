"""A table of texts read row by row, with each row as it was written.

The kind follows from the file's ending. A csv may be separated by commas, semicolons or tabs, with
quotes as in RFC 4180; a tsv has no quotes. Rows that don't fit the header are errors.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from concordant.errors import ConcordantError, DataError
from concordant.files import LONGEST_LINE, read_lines
from concordant.scoring.system_names import PACKED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

KINDS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
PARQUET_ROWS = 10_000  # read at once


class TableRow(NamedTuple):
    """A row: its line (in parquet, its number), the cells by column, and the text as written."""

    line: int
    cells: Mapping[str, Any]
    raw: str = ""


def table_kind(name: str) -> str | None:
    """The kind of table that a file's name says it is, or None.

    >>> table_kind("out/scores.csv.gz"), table_kind("a.parquet"), table_kind("newstest.de")
    ('csv', 'parquet', None)
    """
    endings = [each.lower() for each in PurePath(name).suffixes]
    if endings and endings[-1] in PACKED:
        endings.pop()
    return KINDS.get(endings[-1]) if endings else None


@dataclass(frozen=True)
class TableFile:
    """A table in a file; no line of it has more than `longest` characters."""

    path: str
    longest: int = LONGEST_LINE

    @property
    def kind(self) -> str:
        """One of csv, tsv, jsonl, parquet."""
        found = table_kind(self.path)
        if found is None:
            raise ConcordantError(
                f"{self.path} is not called a table; name it .csv, .tsv, .jsonl or .parquet"
            )
        return found

    def columns(self) -> list[str]:
        """The names of the columns; in jsonl, those of the first row."""
        if self.kind == "parquet":
            return [str(each) for each in self.parquet().schema_arrow.names]
        first = next(self.rows(), None)
        if first is None:
            raise DataError.at(self.path, None, "has no rows")
        return list(first.cells)

    def heading(self) -> str:
        """The line with the columns' names, as written; "" where there is none."""
        return next(read_lines(self.path, self.longest)) if self.kind in {"csv", "tsv"} else ""

    @property
    def delimiter(self) -> str:
        """What separates the cells of a csv or tsv."""
        if self.kind == "tsv":
            return "\t"
        heading = self.heading()
        return max(",;\t", key=heading.count)

    def rows(self, wanted: list[str] | None = None) -> Iterator[TableRow]:
        """The rows in order; of a parquet only the wanted columns."""
        if self.kind == "parquet":
            return self._parquet_rows(wanted)
        return self._json_rows() if self.kind == "jsonl" else self._separated_rows()

    def texts(self) -> Iterator[str]:
        """The rows as they were written; a parquet has none."""
        if self.kind == "jsonl":
            return read_lines(self.path, self.longest)
        return (row.raw for row in self.rows())

    def parquet(self) -> Any:
        """The file as pyarrow reads it."""
        pyarrow_parquet = import_parquet(self.path)
        try:
            return pyarrow_parquet.ParquetFile(self.path)
        except FileNotFoundError:
            raise DataError.at(self.path, None, "there is no such file; check the path") from None
        except (OSError, ValueError) as error:  # pyarrow's own errors are ValueErrors
            reason = str(error).partition("\n")[0]
            raise DataError.at(self.path, None, f"is no readable parquet ({reason})") from None

    def batches(self, wanted: list[str] | None = None) -> Iterator[Any]:
        """The rows of a parquet as Arrow batches; a damaged one is an error with the row before."""
        batches = self.parquet().iter_batches(batch_size=PARQUET_ROWS, columns=wanted)
        row = 0
        while True:
            try:
                batch = next(batches, None)
            except (OSError, ValueError) as error:  # pyarrow's own errors are ValueErrors
                reason = str(error).partition("\n")[0]
                words = f"is damaged after row {row:,} ({reason}); write it anew"
                raise DataError.at(self.path, None, words) from None
            if batch is None:
                return
            row += len(batch)
            yield batch

    def _parquet_rows(self, wanted: list[str] | None) -> Iterator[TableRow]:
        number = 0
        for batch in self.batches(wanted):
            names = [str(each) for each in batch.schema.names]
            columns = [column.to_pylist() for column in batch.columns]
            for cells in zip(*columns, strict=True):
                number += 1
                yield TableRow(number, dict(zip(names, cells, strict=True)))

    def _json_rows(self) -> Iterator[TableRow]:
        for line, raw in enumerate(read_lines(self.path, self.longest), 1):
            try:
                cells = json.loads(raw)
            except (ValueError, RecursionError):
                cells = None
            if not isinstance(cells, dict) or not cells:
                raise DataError.at(self.path, line, 'is not a JSON object such as {"mt": "…"}')
            if ("\\ud" in raw or "\\uD" in raw) and any(map(_is_broken, cells.values())):
                raise DataError.at(self.path, line, "has half of a surrogate pair; mend the text")
            yield TableRow(line, cells, raw)

    def _separated_rows(self) -> Iterator[TableRow]:
        taken = _Taken(read_lines(self.path, self.longest))
        quoted = self.kind == "csv"
        reader = csv.reader(taken, delimiter=self.delimiter, strict=True,
                            quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)  # fmt: skip
        header: list[str] = []
        line, blank = 1, 0
        try:
            for cells in reader:
                line, raw = taken.first, taken.text()
                if not header:
                    header = self._header(cells)
                elif not raw:
                    blank = blank or line
                elif blank or len(cells) != len(header):
                    self._refuse(blank or line, 0 if blank else len(cells), len(header))
                else:
                    yield TableRow(line, dict(zip(header, cells, strict=True)), raw)
        except csv.Error as error:
            words = f"is not csv ({error}); check the quotes of this row"
            if "limit" in str(error):
                words = (
                    f"has a cell of more than {csv.field_size_limit():,} characters, the longest "
                    "allowed; check the quotes of this row, or write the table as jsonl"
                )
            raise DataError.at(self.path, taken.first, words) from None

    def _refuse(self, line: int, cells: int, columns: int) -> None:
        words = f"has {cells} cells; the header has {columns} columns"
        raise DataError.at(self.path, line, words)

    def _header(self, names: list[str]) -> list[str]:
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise DataError.at(self.path, 1, f'has two columns called "{twice}"; rename one')
        return names


def _is_broken(value: Any) -> bool:
    """Whether a text has half of a surrogate pair, which is no character."""
    return isinstance(value, str) and any("\ud800" <= sign <= "\udfff" for sign in value)


class _Taken:
    """Lines on their way to the csv reader, which are kept until a row is whole."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines, self._kept = lines, list[str]()
        self._next = self.first = 1

    def __iter__(self) -> _Taken:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        if not self._kept:
            self.first = self._next
        self._next += 1
        self._kept.append(line)
        return f"{line}\n"

    def text(self) -> str:
        """The lines of the row that is whole now."""
        text = "\n".join(self._kept)
        self._kept.clear()
        return text


def import_parquet(path: str) -> Any:
    """The module of pyarrow for parquet; an error that says how to install it."""
    try:
        import pyarrow.parquet  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise ConcordantError(
            f'{path}: reading parquet needs pyarrow; install it: pip install "concordant[tables]"'
        ) from None
    return pyarrow.parquet

"""Files of candidate lists, one list at a time: JSON lines, Moses' n-best lists, tables.

- {"id": 7, "src": "…", "ref": "…", "candidates": ["…", "…"], "weights": [0.7, 0.3]}
- 7 ||| the candidate ||| feature= 0.1 -2.0 ||| -1.5
- a table with a row for each candidate: columns segment, mt, and ref, src, weight if there are.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from concordant.errors import DataError
from concordant.files import LONGEST_LINE, read_lines
from concordant.reranking.lists import CandidateList
from concordant.scoring.tables.columns import asked_columns, find_columns
from concordant.scoring.tables.table_file import TableFile, TableRow, table_kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from concordant.scoring.line_blocks import TextFiles
    from concordant.scoring.tables.columns import Columns

MOSES = "|||"
KEYS = ("id", "src", "ref", "candidates", "pseudo_references", "weights")
WEIGHT = "weight"  # the column of a table


@dataclass(frozen=True)
class ListFile:
    """A file of lists; `beside` has references and sources, one line for each list."""

    path: str
    beside: TextFiles | None = None
    columns: tuple[str, ...] = ()
    longest: int = LONGEST_LINE

    def lists(self) -> Iterator[CandidateList]:
        """The lists in their order, each checked."""
        found: Iterator[CandidateList] = self._with_texts(map(CandidateList.check, self._read()))
        first = next(found, None)
        if first is None:
            raise DataError.at(self.path, None, "has no lists")
        yield first
        yield from found

    def _read(self) -> Iterator[CandidateList]:
        kind = table_kind(self.path)
        if kind in {"csv", "tsv", "parquet"}:
            return self._table_lists()
        return self._json_lists() if kind == "jsonl" else self._moses_lists()

    def _json_lists(self) -> Iterator[CandidateList]:
        for line, text in enumerate(read_lines(self.path, self.longest), 1):
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                value = None
            if not isinstance(value, dict):
                words = 'is not a JSON object such as {"candidates": ["…", "…"]}'
                raise DataError.at(self.path, line, words)
            yield _JsonList(self.path, line, value).read()

    def _moses_lists(self) -> Iterator[CandidateList]:
        rows = map(self._moses_row, enumerate(read_lines(self.path, self.longest), 1))
        groups = groupby(rows, key=lambda row: row[1])
        for expected, (number, group) in enumerate(groups):
            of_list = list(group)
            line = of_list[0][0]
            if number < expected:
                words = f"begins list {number} again; keep the lines of a list together"
                raise DataError.at(self.path, line, words)
            if number > expected:
                words = (
                    f"begins list {number}, and list {expected} has no candidates; give at least "
                    "one (lists count from 0)"
                )
                raise DataError.at(self.path, line, words)
            features = tuple(row[3] for row in of_list)
            if len(set(map(len, features))) > 1:
                raise DataError.at(self.path, line, f"list {number} has rows of unequal features")
            texts = tuple(row[2] for row in of_list)
            yield CandidateList(str(number), texts, features=features, path=self.path, line=line)

    def _moses_row(self, numbered: tuple[int, str]) -> tuple[int, int, str, tuple[float, ...]]:
        line, text = numbered
        parts = [part.strip() for part in text.split(MOSES)]
        if len(parts) < 2 or not (parts[0].isascii() and parts[0].isdecimal()):
            words = (
                "is not a line of an n-best list, such as 0 ||| the candidate ||| -1.2; name JSON "
                "lines .jsonl and tables .csv, .tsv or .parquet"
            )
            raise DataError.at(self.path, line, words)
        values = re.sub(r"\S+=", " ", " ".join(parts[2:])).split()
        try:
            features = tuple(map(float, values))
        except ValueError:
            features = (math.nan,)
        if not all(map(math.isfinite, features)):
            words = f"has scores that are not numbers: {' '.join(parts[2:])}"
            raise DataError.at(self.path, line, words)
        return line, int(parts[0]), parts[1], features

    def _table_lists(self) -> Iterator[CandidateList]:
        table = TableFile(self.path, self.longest)
        there = table.columns()
        columns = find_columns(self.path, there, asked_columns(self.columns), references=False)
        if columns.segment is None or len(columns.systems) > 1:
            words = (
                "needs one column of translations and one that says which list a row belongs to; "
                "name them with --columns mt=NAME,segment=NAME"
            )
            raise DataError.at(self.path, None, words)
        weights = [WEIGHT] if WEIGHT in there else []
        seen = set[str]()
        wanted = [*columns.names, *weights]
        for name, group in groupby(table.rows(wanted), key=lambda r: _cell(r, columns.segment)):
            rows = list(group)
            if name in seen:
                words = f'begins list "{name}" again; sort the table by its lists'
                raise DataError.at(self.path, rows[0].line, words)
            seen.add(name)
            yield _TableList(self.path, columns, rows, bool(weights)).read(name)

    def _with_texts(self, lists: Iterator[CandidateList]) -> Iterator[CandidateList]:
        """The lists with the lines of the files beside them."""
        if self.beside is None or not self.beside.names:
            yield from lists
            return
        streams = [self.beside.lines(name) for name in self.beside.names]
        count = 0
        for count, each in enumerate(lists, 1):
            texts = [next(stream, None) for stream in streams]
            for name, text in zip(self.beside.names, texts, strict=True):
                if text is None:
                    words = f"has {count - 1} lines, and {self.path} more lists; give one for each"
                    raise DataError.at(name, None, words)
            given = [text for text in texts if text is not None]
            source = each.source if self.beside.source is None else given.pop()
            yield replace(each, references=tuple(given) or each.references, source=source)
        for name, stream in zip(self.beside.names, streams, strict=True):
            if next(islice(stream, 1), None) is not None:
                words = f"has more than the {count} lines that {self.path} has lists"
                raise DataError.at(name, count + 1, words)


@dataclass(frozen=True)
class _JsonList:
    """A line of JSON on its way to a list."""

    path: str
    line: int
    value: dict[str, Any]

    def read(self) -> CandidateList:
        unknown = [key for key in self.value if key in {"candidate", "nbest", "reference"}]
        if unknown:
            raise self._fault(f'has a key "{unknown[0]}"; the keys are {", ".join(KEYS)}')
        if "candidates" not in self.value:
            raise self._fault('has no "candidates", a list of texts')
        weights = self.value.get("weights")
        source = self.value.get("src")
        if source is not None and not isinstance(source, str):
            raise self._fault('"src" is not a text')
        pseudo = "pseudo_references"
        return CandidateList(
            str(self.value.get("id", self.line)),
            self._texts("candidates"),
            () if "ref" not in self.value else self._references(),
            source,
            None if self.value.get(pseudo) is None else self._texts(pseudo),
            None if weights is None else self._numbers(weights),
            path=self.path,
            line=self.line,
        )

    def _references(self) -> tuple[str, ...]:
        given = self.value["ref"]
        return (given,) if isinstance(given, str) else self._texts("ref")

    def _texts(self, key: str) -> tuple[str, ...]:
        given = self.value[key]
        if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
            raise self._fault(f'"{key}" is not a list of texts')
        return tuple(given)

    def _numbers(self, given: Any) -> tuple[float, ...]:
        kinds = [type(each) for each in given] if isinstance(given, list) else [str]
        if not set(kinds) <= {int, float}:
            raise self._fault('"weights" is not a list of numbers')
        return tuple(map(float, given))

    def _fault(self, words: str) -> DataError:
        return DataError.at(self.path, self.line, words)


@dataclass(frozen=True)
class _TableList:
    """The rows of a list in a table."""

    path: str
    columns: Columns
    rows: Sequence[TableRow]
    weighted: bool

    def read(self, name: str) -> CandidateList:
        (column,) = self.columns.systems.values()
        references = tuple(self._shared(each, name) for each in self.columns.references)
        source = None if self.columns.source is None else self._shared(self.columns.source, name)
        return CandidateList(
            name,
            tuple(self._text(row, column) for row in self.rows),
            references,
            source,
            weights=tuple(map(self._weight, self.rows)) if self.weighted else None,
            path=self.path,
            line=self.rows[0].line,
        )

    def _shared(self, column: str, name: str) -> str:
        """The text that all rows of a list have in a column."""
        first = self._text(self.rows[0], column)
        for row in self.rows:
            if self._text(row, column) != first:
                words = f'has another "{column}" than the first row of list "{name}"'
                raise DataError.at(self.path, row.line, words)
        return first

    def _text(self, row: TableRow, column: str) -> str:
        value = row.cells.get(column)
        if not isinstance(value, str):
            raise DataError.at(self.path, row.line, f'has no text in the column "{column}"')
        return value

    def _weight(self, row: TableRow) -> float:
        value = row.cells.get(WEIGHT)
        try:
            return float(value)  # type: ignore[arg-type]  # what it is stands in the message
        except (TypeError, ValueError):
            words = f'has {value!r} in the column "{WEIGHT}", which is not a number'
            raise DataError.at(self.path, row.line, words) from None


def _cell(row: TableRow, column: str | None) -> str:
    return str(row.cells.get(column or ""))

"""Rows of a table → texts: every translation with its references, its source and its system."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from concordant.errors import DataError
from concordant.metrics.flags.language_codes import target_language
from concordant.metrics.scorer import Batch
from concordant.metrics.signs import LOOKED_AT, Signs, signs_of_batch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from concordant.scoring.tables.columns import Columns
    from concordant.scoring.tables.table_file import TableFile, TableRow


@dataclass(frozen=True)
class TextBlock:
    """Consecutive rows, and what they hold: a batch for each column of translations.

    `names` are the systems of the rows where a column says so, else empty.
    """

    rows: list[TableRow]
    batches: dict[str, Batch]
    names: list[str]


@dataclass(frozen=True)
class TableTexts:
    """The texts in a table; `language` is that of the first row, and all rows must agree."""

    table: TableFile
    columns: Columns
    language: str | None = None

    def blocks(self, size: int, skip: int = 0) -> Iterator[TextBlock]:
        """The rows after the first `skip`, in blocks."""
        rows = islice(self.table.rows(self.columns.names), skip, None)
        while block := list(islice(rows, size)):
            yield self.block(block)

    def block(self, rows: list[TableRow]) -> TextBlock:
        """What some rows hold."""
        wanted = self.columns
        given = [[self._full(row, name, "reference") for name in wanted.references] for row in rows]
        sources = None
        if wanted.source is not None:
            sources = [self._text(row, wanted.source, "source") for row in rows]
        for row in rows if wanted.language is not None else ():
            self._check_language(row)
        names = [] if wanted.system is None else [self.name(row, wanted.system) for row in rows]
        batches = {}
        for name, column in wanted.systems.items():
            translations = [self._text(row, column, "translation") for row in rows]
            batches[name] = Batch(translations, given, sources)
        return TextBlock(rows, batches, names)

    def name(self, row: TableRow, column: str) -> str:
        """A cell as a name; numbers are names too, nothing is not."""
        value = row.cells.get(column)
        if value is None or not str(value).strip():
            raise DataError.at(self.table.path, row.line, f'has nothing in the column "{column}"')
        return str(value)

    def _text(self, row: TableRow, column: str, what: str) -> str:
        value = row.cells.get(column)
        if not isinstance(value, str):
            found = "nothing" if value is None else f"{value!r}, not a text,"
            words = f'has {found} in the column "{column}"; every row needs its {what}'
            raise DataError.at(self.table.path, row.line, words)
        return value

    def _full(self, row: TableRow, column: str, what: str) -> str:
        text = self._text(row, column, what)
        if not text.strip():
            words = (
                f'has no {what} in the column "{column}"; fill it in, remove the row, or choose '
                "other columns with --columns"
            )
            raise DataError.at(self.table.path, row.line, words)
        return text

    def _check_language(self, row: TableRow) -> None:
        found = row_language(self.table, row, self.columns)
        if found != self.language:
            raise DataError.at(
                self.table.path,
                row.line,
                f'is in "{found}", and other rows or -l say "{self.language}"; score each language '
                "by itself",
            )


def signs_of_table(texts: TableTexts) -> Signs:
    """What the first rows show of their language."""
    block = next(texts.blocks(LOOKED_AT), None)
    if block is None:
        return Signs()
    batch = next(iter(block.batches.values()))
    return signs_of_batch(batch.references, batch.translations)


def row_language(table: TableFile, row: TableRow, columns: Columns) -> str | None:
    """The target language that a row names."""
    if columns.language is None:
        return None
    return target_language(TableTexts(table, columns).name(row, columns.language))


def table_texts(table: TableFile, columns: Columns, language: str | None) -> TableTexts:
    """The texts of a table in a language; that of the first row if none is given."""
    if columns.language is not None and language is None:
        first = next(table.rows(columns.names), None)
        language = None if first is None else row_language(table, first, columns)
    return TableTexts(table, columns, language)

"""Scores as columns behind those of a table; its order and its other columns stay as they are."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from concordant.errors import ConcordantError
from concordant.scoring.tables.table_file import PARQUET_ROWS, import_parquet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from concordant.scoring.tables.scored_table import TableBlock
    from concordant.scoring.tables.table_file import TableFile

FLAGS = "flags"


def added_columns(table: TableFile, metrics: Sequence[str], systems: Sequence[str]) -> list[str]:
    """The names of a table's new columns."""
    return new_columns(table.path, table.columns(), metrics, systems)


def new_columns(
    path: str, there: Sequence[str], metrics: Sequence[str], systems: Sequence[str]
) -> list[str]:
    """The names of the new columns: of several systems' columns, each with its system's name."""
    names = [*metrics, FLAGS]
    several = len(systems) > 1
    added = [f"{name} {system}" if several else name for system in systems for name in names]
    taken = sorted(set(added) & set(there))
    if taken:
        raise ConcordantError(
            f'{path} already has a column "{taken[0]}"; rename it, or score the table without it'
        )
    return added


def added_cells(block: TableBlock) -> list[list[float | str]]:
    """What each row gets: the scores and the flags, for each column of translations."""
    rows: list[list[float | str]] = [[] for _ in block.texts.rows]
    for scored in block.scored.values():
        for row, values, found in zip(rows, scored.segments.tolist(), scored.flags, strict=True):
            row += [*values, " ".join(found)]
    return rows


class TextWriter:
    """Cells behind the rows of a csv, tsv or jsonl, which stay as they were written."""

    def __init__(self, table: TableFile, added: Sequence[str]) -> None:
        self._json = table.kind == "jsonl"
        self._keys = [json.dumps(name, ensure_ascii=False) for name in added]
        self._delimiter = "" if self._json else table.delimiter
        self.heading = "" if self._json else self.row(table.heading(), self.behind(added))

    def behind(self, cells: Sequence[float | str]) -> str:
        """What comes behind a row: the cells and the line end."""
        if self._json:
            values = map(_json_cell, cells)
            return f", {', '.join(map(': '.join, zip(self._keys, values, strict=True)))}}}\n"
        return f"{self._delimiter}{self._delimiter.join(map(self._cell, cells))}\n"

    def row(self, raw: str, behind: str) -> str:
        """The row as written, with what comes behind it."""
        return f"{raw.rstrip()[:-1].rstrip()}{behind}" if self._json else raw + behind

    def _cell(self, value: float | str) -> str:
        if not isinstance(value, str):
            return repr(value)
        return f'"{value}"' if self._delimiter in value and self._delimiter != "\t" else value


def part_writer(table: TableFile, added: Sequence[str]) -> Callable[[Sequence[float | str]], str]:
    """What turns the cells of a row into a line that waits until all rows are scored."""
    if table.kind == "parquet":
        return lambda cells: json.dumps(cells) + "\n"
    return TextWriter(table, added).behind


def join_parts(table: TableFile, added: Sequence[str], part: Path, path: Path) -> None:
    """Write the table with the cells that `part` has for each of its rows."""
    with part.open(encoding="utf-8", newline="\n") as lines:
        if table.kind == "parquet":
            _join_parquet(table, added, map(json.loads, lines), path)
            return
        writer = TextWriter(table, added)
        with path.open("w", encoding="utf-8", newline="") as stream:
            stream.write(writer.heading)
            stream.writelines(map(writer.row, table.texts(), lines))


def _json_cell(value: float | str) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _join_parquet(
    table: TableFile, added: Sequence[str], cells: Iterable[list[Any]], path: Path
) -> None:
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    file, parquet = table.parquet(), import_parquet(table.path)
    kinds = [pa.string() if name.startswith(FLAGS) else pa.float64() for name in added]
    schema = file.schema_arrow
    for name, kind in zip(added, kinds, strict=True):
        schema = schema.append(pa.field(name, kind))
    rows = iter(cells)
    with closing(parquet.ParquetWriter(path, schema)) as writer:
        for batch in file.iter_batches(batch_size=PARQUET_ROWS):
            new = list(zip(*(next(rows) for _ in range(len(batch))), strict=True))
            arrays = [pa.array(each, kind) for each, kind in zip(new, kinds, strict=True)]
            whole = pa.RecordBatch.from_arrays([*batch.columns, *arrays], schema=schema)
            writer.write_batch(whole)

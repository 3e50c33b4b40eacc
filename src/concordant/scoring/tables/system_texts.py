"""A whole table as systems with the same segments: what `compare` and `rank` need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, DataError
from concordant.metrics.scorer import Batch, language_code
from concordant.scoring.line_blocks import BLOCK, Block
from concordant.scoring.system_names import system_names
from concordant.scoring.tables.columns import find_columns
from concordant.scoring.tables.row_texts import table_texts
from concordant.scoring.tables.table_file import TableFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from concordant.scoring.tables.row_texts import TableTexts

    Key = tuple[str, ...]


@dataclass(frozen=True)
class SystemTexts:
    """Translations by system, and what belongs to each segment."""

    systems: Mapping[str, list[str]]
    references: list[list[str]]
    sources: list[str] | None
    documents: list[str] | None

    def blocks(self, system: str) -> Iterator[Block]:
        """The segments of a system, block by block."""
        translations = self.systems[system]
        for start in range(0, len(translations), BLOCK):
            rows = slice(start, start + BLOCK)
            sources = None if self.sources is None else self.sources[rows]
            batch = Batch(translations[rows], self.references[rows], sources)
            yield Block(start + 1, batch)


@dataclass(frozen=True)
class _Segment:
    """One system's segment: its row's line, and its texts."""

    line: int
    translation: str
    references: list[str]
    source: str | None
    document: str | None


def read_table(
    path: str | Path,
    columns: Mapping[str, Sequence[str]] | None = None,
    *,
    language: str | None = None,
) -> SystemTexts:
    """The systems in a csv, tsv, jsonl or parquet, for `compare` and others.

    `columns` names the columns of a role, as in `{"mt": ["output"], "ref": ["ref1", "ref2"]}`; by
    default they are found by their usual names.
    """
    table = TableFile(str(path))
    found = find_columns(table.path, table.columns(), columns or {})
    texts = table_texts(table, found, language_code(language))
    return system_texts(texts, system_names([table.path])[0])


def system_texts(texts: TableTexts, name: str) -> SystemTexts:
    """The systems of a table, all with the same segments; `name` is that of a single one.

    Rows of different systems belong together by document and segment where a column names the
    segment, else by their order.
    """
    found: dict[str, dict[Key, _Segment]] = {}
    for block in texts.blocks(BLOCK):
        for column, batch in block.batches.items():
            for i, row in enumerate(block.rows):
                system = block.names[i] if block.names else column or name
                document = texts.columns.document
                segment = _Segment(
                    row.line,
                    batch.translations[i],
                    list(batch.references[i]),
                    None if batch.sources is None else batch.sources[i],
                    None if document is None else texts.name(row, document),
                )
                of_system = found.setdefault(system, {})
                key: Key = (str(len(of_system)),)
                if texts.columns.segment is not None:
                    key = (segment.document or "", texts.name(row, texts.columns.segment))
                if key in of_system:
                    _refuse_twice(texts, system, of_system[key], segment)
                of_system[key] = segment
    if not found:
        raise DataError.at(texts.table.path, None, "has no rows")
    return _aligned(texts, found)


def _aligned(texts: TableTexts, found: Mapping[str, Mapping[Key, _Segment]]) -> SystemTexts:
    path = texts.table.path
    (first, base), *others = found.items()
    for system, segments in others:
        if segments.keys() != base.keys():
            raise ConcordantError(
                f"{path}: {first} has {len(base)} segments, {system} {len(segments)}, and "
                f"{len(base.keys() & segments.keys())} are the same; every system must have a "
                "row for every segment"
            )
        for key, segment in segments.items():
            if segment.references != base[key].references:
                raise DataError.at(
                    path,
                    segment.line,
                    f"{system} has another reference than {first} in line {base[key].line} for the "
                    "same segment; name the segments in a column (segment, id), or mend the rows",
                )
    whole = list(base.values())
    documents = [each.document or "" for each in whole]
    return SystemTexts(
        {system: [segments[key].translation for key in base] for system, segments in found.items()},
        [each.references for each in whole],
        None if texts.columns.source is None else [each.source or "" for each in whole],
        documents if len(set(documents)) > 1 else None,
    )


def _refuse_twice(texts: TableTexts, system: str, first: _Segment, second: _Segment) -> None:
    of = f"{system} has" if system else "has"
    raise DataError.at(
        texts.table.path,
        second.line,
        f"{of} the same segment as line {first.line}; name the systems in a column (system), or "
        "leave one row for each segment",
    )

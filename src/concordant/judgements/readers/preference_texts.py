"""Preferences with their texts, csv or tsv: one row has a reference, the better and the worse text.

Columns `reference` (or `ref`), `better` and `worse`, in any order, and where there are any `source`
(or `src`), `segment` (or `seg_id`), `lp` (or `pair`), `testset`, `judge` (or `annotator`), `count`
and `tie`. Without `segment`, every distinct source and reference is one. There are no systems:
every distinct text of a segment is one (see `row_texts`). In a tsv nothing is quoted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.errors import DataError
from concordant.judgements.files import check_header, read_lines, read_table
from concordant.judgements.origin import PAIR_COLUMNS, TESTSET_COLUMN, Origin
from concordant.judgements.readers.fields import build_each, cell, count, first_of, flag, listed
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.rating_columns import COUNT_COLUMNS, JUDGE_COLUMNS
from concordant.judgements.readers.row_texts import RowSegments
from concordant.records import Collection, Preference

if TYPE_CHECKING:
    from collections.abc import Collection as Names
    from pathlib import Path

JUDGED = ("better", "worse")
REFERENCE_COLUMNS = ("reference", "ref")
SOURCE_COLUMNS = ("source", "src")
SEGMENT_COLUMNS = ("segment", "seg_id")
OPTIONAL = (
    REFERENCE_COLUMNS, SOURCE_COLUMNS, SEGMENT_COLUMNS, PAIR_COLUMNS, JUDGE_COLUMNS, COUNT_COLUMNS,
    (TESTSET_COLUMN,), ("tie",),
)  # fmt: skip


def looks_like(head: Head) -> str | None:
    """Why this is a file of preferences with texts, or None."""
    columns = head.columns(_delimiter(head.lines[0])) if head.lines else []
    reference = first_of(REFERENCE_COLUMNS, columns)
    if reference is None or not set(JUDGED) <= set(columns):
        return None
    return f"its header has {reference}, better and worse"


def read(path: Path) -> Collection:
    """The preferences of a file, one per row, and their texts by test set and language pair."""
    lines = read_lines(path)
    delimiter = _delimiter(lines[0]) if lines else ","
    rows = list(read_table(path, delimiter=delimiter, required=JUDGED, quoted=delimiter == ","))
    columns = list(rows[0][1])
    reference = first_of(REFERENCE_COLUMNS, columns)
    if reference is None:
        check_header(path, columns, REFERENCE_COLUMNS[:1])
    source, segment = first_of(SOURCE_COLUMNS, columns), first_of(SEGMENT_COLUMNS, columns)
    segments = RowSegments(Origin.of(path), source, reference, segment)
    found = build_each(path, rows, lambda line, row: _preference(line, row, segments))
    preferences = tuple(each for each in found if each is not None)
    same = [line for (line, _), each in zip(rows, found, strict=True) if each is None]
    if not preferences:
        raise DataError.at(path, None, "better and worse are the same text in every row")
    notes = [*_unused(path, columns), *_same(path, same), *segments.notes()]
    return Collection(segments.testsets(), preferences=preferences, notes=tuple(notes))


def _preference(line: int, row: dict[str, str], segments: RowSegments) -> Preference | None:
    """The preference of a row; None where both texts are the same, which says nothing."""
    counts = first_of(COUNT_COLUMNS, row)
    tie = "tie" in row and flag(row["tie"], "tie")
    times = 1 if counts is None else count(row[counts], counts)
    texts, segment = segments.of(row)
    better, worse = (texts.name(segment, row[column]) for column in JUDGED)
    texts.add_output(better, segment, row["better"])
    texts.add_output(worse, segment, row["worse"])
    if better == worse:
        return None
    return Preference(
        *texts.place,
        segment,
        better,
        worse,
        tie=tie,
        count=times,
        judge=cell(row, first_of(JUDGE_COLUMNS, row)),
        file=segments.origin.file,
        line=line,
    )


def _unused(path: Path, columns: Names[str]) -> list[str]:
    used = {*JUDGED, *(first_of(names, columns) for names in OPTIONAL)}
    unused = [name for name in columns if name not in used]
    return [f"{path}: columns {listed(unused)} are not used"] if unused else []


def _same(path: Path, lines: list[int]) -> list[str]:
    words = "rows compare a text with itself and are left out"
    return [f"{path}: {len(lines)} {words} (the first: line {lines[0]})"] if lines else []


def _delimiter(header: str) -> str:
    return "\t" if "\t" in header else ","


FORMAT = Format(
    name="preference-texts",
    title="preferences with their texts",
    example="reference,better,worse",
    looks_like=looks_like,
    read=read,
)

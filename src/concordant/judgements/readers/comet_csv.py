"""COMET's csv (Rei et al. 2020): ratings or preferences with their texts.

`src,mt,ref,score` rates one translation, higher is better; `src,ref,pos,neg` says that `pos`
was preferred to `neg`. Optional columns: `lp` (or `pair`), `testset`, `segment` (or
`seg_id`), `system`, `raw`, `count` (or `annotators`) and `judge` (or `annotator`). Without
`segment`, every distinct source and reference is one; without `system`, every distinct text of a
segment is a translation (see `row_texts`). Other columns are kept in `Rating.extra`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.judgements.files import check_header, read_table
from concordant.judgements.origin import PAIR_COLUMNS, TESTSET_COLUMN, Origin, system_name
from concordant.judgements.readers.fields import build_each, cell, count, first_of, listed
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.rating_columns import COUNT_COLUMNS, JUDGE_COLUMNS, RatingColumns
from concordant.judgements.readers.row_texts import RowSegments
from concordant.records import Collection, Preference

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.records import Rating

RATED = ("src", "mt", "ref", "score")
PREFERRED = ("src", "ref", "pos", "neg")
SEGMENT_COLUMNS = ("segment", "seg_id")


def looks_like(head: Head) -> str | None:
    """Why this is a csv for COMET, or None."""
    columns = set(head.columns(","))
    for variant in (RATED, PREFERRED):
        if set(variant) <= columns:
            return f"its header has {', '.join(variant)}"
    return None


def read(path: Path) -> Collection:
    """The ratings or preferences of a file and, by test set and pair, their texts."""
    rows = list(read_table(path, delimiter=",", required=("src", "ref")))
    columns = list(rows[0][1])
    rated = "mt" in columns
    check_header(path, columns, RATED if rated else PREFERRED)
    column = first_of(SEGMENT_COLUMNS, columns)
    segments = RowSegments(Origin.of(path), source="src", reference="ref", segment=column)
    ratings = _ratings(path, rows, segments) if rated else ()
    preferences = () if rated else _preferences(path, rows, segments)
    notes = [] if rated else _unused(path, columns)
    notes += segments.notes()
    return Collection(
        segments.testsets(), ratings=ratings, preferences=preferences, notes=tuple(notes)
    )


def _ratings(
    path: Path, rows: list[tuple[int, dict[str, str]]], segments: RowSegments
) -> tuple[Rating, ...]:
    columns = rows[0][1]
    system_column = first_of(["system"], columns)
    used = [*RATED, segments.segment or "", system_column or ""]
    optional = RatingColumns.of(columns, used=used)

    def rating(line: int, row: dict[str, str]) -> Rating:
        named = None if system_column is None else system_name(row[system_column], system_column)
        texts, segment = segments.of(row) if named is None else segments.of(row, named)
        pair = texts.place.pair
        system = texts.name(segment, row["mt"]) if named is None else named.within(pair)
        texts.add_output(system, segment, row["mt"])
        return optional.rating(
            row, place=texts.place, system=system, segment=segment, file=str(path), line=line
        )

    return tuple(build_each(path, rows, rating))


def _preferences(
    path: Path, rows: list[tuple[int, dict[str, str]]], segments: RowSegments
) -> tuple[Preference, ...]:
    columns = rows[0][1]
    counts, judges = first_of(COUNT_COLUMNS, columns), first_of(JUDGE_COLUMNS, columns)

    def preference(line: int, row: dict[str, str]) -> Preference:
        if row["pos"] == row["neg"]:
            raise ValueError("pos and neg are the same text")
        texts, segment = segments.of(row)
        better, worse = texts.name(segment, row["pos"]), texts.name(segment, row["neg"])
        texts.add_output(better, segment, row["pos"])
        texts.add_output(worse, segment, row["neg"])
        return Preference(
            *texts.place,
            segment,
            better,
            worse,
            count=1 if (times := cell(row, counts)) is None else count(times, counts or ""),
            judge=cell(row, judges),
            file=str(path),
            line=line,
        )

    return tuple(build_each(path, rows, preference))


def _unused(path: Path, columns: list[str]) -> list[str]:
    """A note on the columns that a preference cannot hold."""
    taken = (PAIR_COLUMNS, SEGMENT_COLUMNS, COUNT_COLUMNS, JUDGE_COLUMNS)
    used = {*PREFERRED, TESTSET_COLUMN, *(first_of(names, columns) for names in taken)}
    unused = [name for name in columns if name not in used]
    return [f"{path}: columns {listed(unused)} are not used"] if unused else []


FORMAT = Format(
    name="comet-csv",
    title="COMET's csv with texts",
    example="src,mt,ref,score or src,ref,pos,neg",
    looks_like=looks_like,
    read=read,
)

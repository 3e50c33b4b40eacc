"""Ratings as a plain table, csv or tsv: one row gives one translation a number, higher is better.

Columns `system` and `score`, in any order, with `segment` for ratings of segments and without it
for ratings of whole systems; where there are any also `lp` (or `pair`), `testset`, `judge` (or
`annotator`), `raw` and `count` (or `annotators`). All other columns are kept in `Rating.extra`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.judgements.files import read_lines, read_table
from concordant.judgements.origin import Origin, system_name
from concordant.judgements.readers.fields import build_each, line_number
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.rating_columns import RatingColumns
from concordant.records import Collection

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.records import Rating

REQUIRED = ("system", "score")
# Columns that make a table something else: COMET's csv, judged pairs, scores of a metric.
OTHER_FORMATS = (
    {"src", "mt", "ref"},
    {"src", "ref", "pos", "neg"},
    {"better", "worse"},
    {"metric"},
)


def looks_like(head: Head) -> str | None:
    """Why this is a table of ratings, or None."""
    columns = set(head.columns(_delimiter(head.lines[0]))) if head.lines else set()
    if not set(REQUIRED) <= columns or any(other <= columns for other in OTHER_FORMATS):
        return None
    return "its header has system and score" + (" and segment" if "segment" in columns else "")


def read(path: Path) -> Collection:
    """The ratings of a file, one per row, in the file's order; repeats are kept."""
    lines = read_lines(path)
    delimiter = _delimiter(lines[0]) if lines else ","
    rows = list(read_table(path, delimiter=delimiter, required=REQUIRED))
    columns = rows[0][1]
    origin = Origin.of(path)
    optional = RatingColumns.of(columns, used=(*REQUIRED, "segment"))

    def rating(line: int, row: dict[str, str]) -> Rating:
        segment = line_number(row["segment"], "segment") if "segment" in columns else None
        system = system_name(row["system"], "system")
        place = origin.place(row, system)
        return optional.rating(
            row,
            place=place,
            system=system.within(place.pair),
            segment=segment,
            file=origin.file,
            line=line,
        )

    return Collection(ratings=tuple(build_each(path, rows, rating)))


def _delimiter(header: str) -> str:
    return "\t" if "\t" in header else ","


FORMAT = Format(
    name="rating-table",
    title="table of ratings",
    example="lp,segment,system,score",
    looks_like=looks_like,
    read=read,
)

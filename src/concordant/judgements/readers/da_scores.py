"""WMT's tables of direct assessment (from 2017): mean scores, raw and standardised.

`SYS SID RAW.SCR Z.SCR N` rates segments (`ad-seg-scores-de-en.csv`), the same without `SID` whole
systems (`ad-sys-scores-de-en.csv`), in any order, separated by spaces despite the name. The
standardised score is the rating; further columns, such as `N.ALL`, are kept in `Rating.extra`. The
language pair and test set appear only in the names of the file and its folders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.judgements.origin import Origin, system_name
from concordant.judgements.readers.fields import build_each, count, line_number, number
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.spaced_table import read_spaced_table
from concordant.records import Collection, Rating

if TYPE_CHECKING:
    from pathlib import Path

REQUIRED = ("SYS", "RAW.SCR", "Z.SCR", "N")
SEGMENT = "SID"


def looks_like(head: Head) -> str | None:
    """Why this is a table of direct assessment, or None."""
    if set(REQUIRED) <= set(head.columns(None)):
        return f"its header has {', '.join(REQUIRED)}"
    return None


def read(path: Path) -> Collection:
    """The ratings of a file, one per row; `score` is the standardised, `raw` the raw mean."""
    rows = read_spaced_table(path, required=REQUIRED)
    columns = rows[0][1]
    kept = [name for name in columns if name not in {*REQUIRED, SEGMENT}]
    origin = Origin.of(path)

    def rating(line: int, row: dict[str, str]) -> Rating:
        system = system_name(row["SYS"], "SYS")
        segment = line_number(row[SEGMENT], SEGMENT) if SEGMENT in columns else None
        place = origin.place({}, system)
        return Rating(
            place.testset,
            place.pair,
            system.within(place.pair),
            segment,
            number(row["Z.SCR"], "Z.SCR"),
            raw=number(row["RAW.SCR"], "RAW.SCR"),
            count=count(row["N"], "N"),
            extra=tuple((name, row[name]) for name in kept),
            file=origin.file,
            line=line,
        )

    return Collection(ratings=tuple(build_each(path, rows, rating)))


FORMAT = Format(
    name="da-scores",
    title="WMT direct assessment, table of means",
    example="SYS SID RAW.SCR Z.SCR N",
    looks_like=looks_like,
    read=read,
)

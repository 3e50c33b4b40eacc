"""Judged pairs as a plain csv: each row says that one translation of a segment beat another.

Columns `segment`, `better` and `worse`, in any order, and where there are any `lp` (or `pair`),
`testset`, `judge`, `count` (how often it was judged so) and `tie`. Rows of a judge's tie have
`tie` set, and the order of the two then says nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from concordant.judgements.files import read_table
from concordant.judgements.origin import PAIR_COLUMNS, TESTSET_COLUMN, Origin, system_name
from concordant.judgements.readers.fields import (
    build_each,
    cell,
    count,
    first_of,
    flag,
    line_number,
    listed,
)
from concordant.judgements.readers.formats import Format, Head
from concordant.records import Collection, Preference

if TYPE_CHECKING:
    from pathlib import Path

REQUIRED = ("segment", "better", "worse")
OPTIONAL = (*PAIR_COLUMNS, TESTSET_COLUMN, "judge", "count", "tie")
TEXTS = {"reference", "ref"}  # with one of these, better and worse are texts (preference_texts)


def looks_like(head: Head) -> str | None:
    """Why this is a file of judged pairs, or None."""
    columns = set(head.columns(","))
    if set(REQUIRED) <= columns and not columns & TEXTS:
        return "its header has segment, better and worse"
    return None


def read(path: Path) -> Collection:
    """The preferences of a file, one per row; columns that a preference cannot hold are noted."""
    rows = list(read_table(path, delimiter=",", required=REQUIRED))
    columns = rows[0][1]
    origin = Origin.of(path)
    system_of = cache(system_name)

    def preference(line: int, row: dict[str, str]) -> Preference:
        segment = line_number(row["segment"], "segment")
        better, worse = system_of(row["better"], "better"), system_of(row["worse"], "worse")
        place = origin.place(row, better, worse)
        winner, loser = better.within(place.pair), worse.within(place.pair)
        if winner == loser:
            raise ValueError(f"better and worse are the same system {winner}")
        return Preference(
            place.testset,
            place.pair,
            segment,
            winner,
            loser,
            tie="tie" in columns and flag(row["tie"], "tie"),
            count=count(row["count"], "count") if "count" in columns else 1,
            judge=cell(row, first_of(["judge"], columns)),
            file=origin.file,
            line=line,
        )

    preferences = tuple(build_each(path, rows, preference))
    unused = [name for name in columns if name not in {*REQUIRED, *OPTIONAL}]
    notes = (f"{path}: columns {listed(unused)} are not used",)
    return Collection(preferences=preferences, notes=notes if unused else ())


FORMAT = Format(
    name="judged-pairs",
    title="judged pairs",
    example="lp,segment,better,worse",
    looks_like=looks_like,
    read=read,
)

"""Averages of MQM annotations by segment, as Freitag et al. (2021) published them.

Columns `system`, `mqm_avg_score` and `seg_id`, separated by tabs or spaces, in any order. The
published files write an average of -2.33 for errors that weigh 2.33, so a higher number is better,
as everywhere here. Tables that write weights (2.33) are negated, and a note says
so; a file with numbers on both sides of zero has no direction and is an error. `None`, or nothing,
means that the segment was not annotated: it is left out and counted in a note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from concordant.errors import DataError
from concordant.judgements.origin import Origin, system_name
from concordant.judgements.readers.fields import build_each, line_number, number
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.spaced_table import read_spaced_table
from concordant.records import Collection, Rating

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.judgements.names import SystemName

REQUIRED = ("system", "mqm_avg_score", "seg_id")
MISSING = {"None", ""}


class _Average(NamedTuple):
    line: int
    system: SystemName
    segment: int
    value: float | None


def looks_like(head: Head) -> str | None:
    """Why this is a table of MQM averages, or None."""
    if set(REQUIRED) <= set(head.columns(None)):
        return f"its header has {', '.join(REQUIRED)}"
    return None


def read(path: Path) -> Collection:
    """The ratings of a file, one per row with a score, 0 for no error and less for worse."""
    rows = read_spaced_table(path, required=REQUIRED)
    averages = build_each(path, rows, _average)
    values = {each.line: each.value for each in averages if each.value is not None}
    sign = _sign(path, values)
    origin = Origin.of(path)
    ratings = []
    for each in averages:
        if each.value is None:
            continue
        place = origin.place({}, each.system)
        score = sign * each.value + 0.0  # makes -0.0 a plain zero
        system, segment = each.system.within(place.pair), each.segment
        ratings.append(Rating(*place, system, segment, score, file=origin.file, line=each.line))
    notes = []
    if sign < 0:
        notes.append(f"{path}: scores are error weights (higher is worse); they are negated")
    if len(ratings) < len(averages):
        left_out = len(averages) - len(ratings)
        notes.append(f"{path}: {left_out} rows without a score (None) are left out")
    return Collection(ratings=tuple(ratings), notes=tuple(notes))


def _average(line: int, row: dict[str, str]) -> _Average:
    text = row["mqm_avg_score"]
    value = None if text in MISSING else number(text, "mqm_avg_score")
    system = system_name(row["system"], "system")
    return _Average(line, system, line_number(row["seg_id"], "seg_id"), value)


def _sign(path: Path, values: dict[int, float]) -> int:
    """1 for scores that are below zero as published, -1 for weights of errors above it."""
    if not values:
        raise DataError.at(path, None, "has no row with a score")
    above = next((line for line, value in values.items() if value > 0), None)
    below = next((line for line, value in values.items() if value < 0), None)
    if above is not None and below is not None:
        raise DataError.at(
            path,
            above,
            f"mqm_avg_score {values[above]} is above zero and {values[below]} in line {below} "
            "below it, so the direction is unclear; write all scores with one sign",
        )
    return 1 if above is None else -1


FORMAT = Format(
    name="mqm-average",
    title="MQM averages by segment",
    example="system mqm_avg_score seg_id",
    looks_like=looks_like,
    read=read,
)

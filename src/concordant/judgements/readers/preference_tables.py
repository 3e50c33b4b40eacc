"""Tables of preferences: one row says that one translation of a segment beat another.

- judged-pairs: a plain csv; `better` and `worse` are names of systems.
- preference-texts: a csv or tsv; `better` and `worse` are texts, beside their reference. There are
  no systems: every distinct text of a segment is one (see `row_texts`). In a tsv nothing is quoted.

Both take `lp` (or `pair`), `testset`, `judge` (or `annotator`), `count` (or `annotators`; how often
it was judged so) and `tie` where they are there; the order of a tied pair says nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from concordant.errors import DataError
from concordant.judgements.files import CSV_OR_TSV
from concordant.judgements.origin import system_name
from concordant.judgements.readers.fields import cell, count, first_of, flag, line_number
from concordant.judgements.readers.formats import Format, known_by
from concordant.judgements.readers.row_texts import RowSegments
from concordant.judgements.readers.tables import COUNT_COLUMNS, JUDGE_COLUMNS, JudgementTable
from concordant.records import Collection, Preference

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from concordant.judgements.origin import JudgedPlace, Origin

NAMED = ("segment", "better", "worse")
JUDGED = ("better", "worse")
REFERENCE_COLUMNS = ("reference", "ref")
SOURCE_COLUMNS = ("source", "src")


def read_pairs(path: Path) -> Collection:
    """The preferences between systems, one per row."""
    table = JudgementTable.read(path, *NAMED)
    system_of = cache(system_name)

    def pair(line: int, row: dict[str, str]) -> Preference:
        segment = line_number(row["segment"], "segment")
        better, worse = (system_of(row[column], column) for column in JUDGED)
        place = table.origin.place(row, better, worse)
        winner, loser = better.within(place.pair), worse.within(place.pair)
        if winner == loser:
            raise ValueError(f"better and worse are the same system {winner}")
        return preference(row, line, table.origin, place, segment, winner, loser)

    return Collection(preferences=tuple(table.build(pair)), notes=tuple(table.unused(*NAMED)))


def read_texts(path: Path) -> Collection:
    """The preferences between texts, one per row, and the texts by test set and language pair."""
    table = JudgementTable.read(path, *JUDGED, delimiter=CSV_OR_TSV, quoted=False)
    reference = table.first_of(REFERENCE_COLUMNS)
    if reference is None:
        table.require(REFERENCE_COLUMNS[:1])
    segments = RowSegments.in_table(table, table.first_of(SOURCE_COLUMNS), reference)
    found = table.build(lambda line, row: text_preference(row, line, segments, *JUDGED))
    preferences = tuple(each for each in found if each is not None)
    same = [line for (line, _), each in zip(table.rows, found, strict=True) if each is None]
    if not preferences:
        raise DataError.at(path, None, "better and worse are the same text in every row")
    notes = table.unused(*JUDGED, *segments.columns)
    if same:
        words = "rows compare a text with itself and are left out"
        notes.append(f"{path}: {len(same)} {words} (the first: line {same[0]})")
    notes += segments.notes()
    return Collection(segments.testsets(), preferences=preferences, notes=tuple(notes))


def preference(
    row: Mapping[str, str],
    line: int,
    origin: Origin,
    place: JudgedPlace,
    segment: int,
    better: str,
    worse: str,
) -> Preference:
    """The preference of a row, with what its optional columns say."""
    counts = first_of(COUNT_COLUMNS, row)
    return Preference(
        *place,
        segment,
        better,
        worse,
        tie="tie" in row and flag(row["tie"], "tie"),
        count=1 if counts is None else count(row[counts], counts),
        judge=cell(row, first_of(JUDGE_COLUMNS, row)),
        file=origin.file,
        line=line,
    )


def text_preference(
    row: Mapping[str, str], line: int, segments: RowSegments, better: str, worse: str
) -> Preference | None:
    """The preference between the texts of two columns; None if they are the same text.

    The row's texts join those of its segment.
    """
    texts, segment = segments.of(row)
    names = []
    for text in (row[better], row[worse]):
        names.append(texts.name(segment, text))
        texts.add_output(names[-1], segment, text)
    found = preference(row, line, segments.origin, texts.place, segment, names[0], names[1])
    return None if row[better] == row[worse] else found


FORMAT_PAIRS = Format(
    name="judged-pairs",
    title="judged pairs",
    example="lp,segment,better,worse",
    looks_like=known_by(NAMED, unlike=({"reference"}, {"ref"})),
    read=read_pairs,
)
FORMAT_TEXTS = Format(
    name="preference-texts",
    title="preferences with their texts",
    example="reference,better,worse",
    looks_like=known_by(*((each, *JUDGED) for each in REFERENCE_COLUMNS), delimiter=CSV_OR_TSV),
    read=read_texts,
)

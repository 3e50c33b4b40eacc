"""COMET's csv (Rei et al. 2020): ratings or preferences with their texts.

`src,mt,ref,score` rates one translation, higher is better; `src,ref,pos,neg` says that `pos`
was preferred to `neg`. Without a column `segment` (or `seg_id`), every distinct source and
reference is one; without `system`, every distinct text of a segment is a translation (see
`row_texts`). Further columns are those of `rating_tables` and `preference_tables`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.judgements.origin import system_name
from concordant.judgements.readers.formats import Format, known_by
from concordant.judgements.readers.preference_tables import text_preference
from concordant.judgements.readers.rating_tables import RatingColumns
from concordant.judgements.readers.row_texts import RowSegments
from concordant.judgements.readers.tables import COUNT_COLUMNS, JudgementTable
from concordant.records import Collection

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.records import Preference, Rating

RATED = ("src", "mt", "ref", "score")
PREFERRED = ("src", "ref", "pos", "neg")


def read(path: Path) -> Collection:
    """The ratings or preferences of a file and, by test set and pair, their texts."""
    table = JudgementTable.read(path, "src", "ref")
    rated = "mt" in table.columns
    table.require(RATED if rated else PREFERRED)
    segments = RowSegments.in_table(table, "src", "ref")
    ratings = _ratings(table, segments) if rated else []
    preferences = [] if rated else table.build(lambda line, row: _preference(line, row, segments))
    notes = [] if rated else table.unused(*PREFERRED, *segments.columns)
    return Collection(
        segments.testsets(),
        ratings=tuple(ratings),
        preferences=tuple(each for each in preferences if each is not None),
        notes=(*notes, *segments.notes()),
    )


def _ratings(table: JudgementTable, segments: RowSegments) -> list[Rating]:
    named = "system" in table.columns
    columns = RatingColumns.of(table.columns, used=(*RATED, "system", *segments.columns))

    def rating(line: int, row: dict[str, str]) -> Rating:
        systems = [system_name(row["system"], "system")] if named else []
        texts, segment = segments.of(row, *systems)
        written = [each.within(texts.place.pair) for each in systems]
        system = written[0] if named else texts.name(segment, row["mt"])
        texts.add_output(system, segment, row["mt"])
        return columns.rating(row, line, table.origin, texts.place, system, segment)

    return table.build(rating)


def _preference(line: int, row: dict[str, str], segments: RowSegments) -> Preference | None:
    if row["pos"] == row["neg"]:
        raise ValueError("pos and neg are the same text")
    given = {name: text for name, text in row.items() if text or name not in COUNT_COLUMNS}
    return text_preference(given, line, segments, "pos", "neg")


FORMAT = Format(
    name="comet-csv",
    title="COMET's csv with texts",
    example="src,mt,ref,score or src,ref,pos,neg",
    looks_like=known_by(RATED, PREFERRED),
    read=read,
)

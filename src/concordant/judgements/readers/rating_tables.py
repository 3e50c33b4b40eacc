"""Tables of ratings: one row gives one translation, or one whole system, a number.

What is known becomes a field of `Rating`; every other column is kept as it is in `Rating.extra`.
The language pair and test set come from the row, the system's name, or the names of the file and
its folders.

- rating-table: a plain csv or tsv with `system` and `score`, higher is better; see docs/formats.md.
- da-scores: WMT's tables of direct assessment (from 2017), separated by spaces. `Z.SCR`, the
  standardised score, is the rating.
- mqm-average: averages of MQM by segment, as Freitag et al. (2021) published them: -2.33 for errors
  that weigh 2.33, so a higher number is better. Tables that write weights (2.33) are negated, and a
  note says so; numbers on both sides of zero have no direction and are an error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from concordant.errors import DataError
from concordant.judgements.files import CSV_OR_TSV
from concordant.judgements.origin import PAIR_COLUMNS, TESTSET_COLUMN, system_name
from concordant.judgements.readers.fields import cell, count, first_of, line_number, number
from concordant.judgements.readers.formats import Format, known_by
from concordant.judgements.readers.tables import COUNT_COLUMNS, JUDGE_COLUMNS, JudgementTable
from concordant.records import Collection, Rating

if TYPE_CHECKING:
    from collections.abc import Collection as Names
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from concordant.judgements.origin import JudgedPlace, Origin

PLAIN = ("system", "score")
DA = ("SYS", "RAW.SCR", "Z.SCR", "N")
MQM = ("system", "mqm_avg_score", "seg_id")
NOT_ANNOTATED = {"None", ""}  # in a table of MQM
# Columns that make a table something else: COMET's csv, judged pairs, scores of a metric.
OTHER_FORMATS = (
    {"src", "mt", "ref"},
    {"src", "ref", "pos", "neg"},
    {"better", "worse"},
    {"metric"},
)


@dataclass(frozen=True)
class RatingColumns:
    """Which column of a table holds what; None where there is none.

    A cell of `raw` or `count` may be empty, unless its column is `needed`.
    """

    score: str
    raw: str | None
    count: str | None
    judge: str | None
    kept: tuple[str, ...]
    needed: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        columns: Names[str],
        *,
        used: Names[str],
        needed: tuple[str, ...] = (),
        score: str = "score",
        raw: str = "raw",
        counts: Sequence[str] = COUNT_COLUMNS,
    ) -> RatingColumns:
        """The optional columns of a table; `used` are those that its reader takes itself."""
        optional = ([raw], counts, JUDGE_COLUMNS, PAIR_COLUMNS)
        found = [first_of(names, columns) for names in optional]
        taken = {*used, score, *found, TESTSET_COLUMN}
        kept = tuple(each for each in columns if each not in taken)
        return cls(score, found[0], found[1], found[2], kept, needed)

    def rating(
        self,
        row: Mapping[str, str],
        line: int,
        origin: Origin,
        place: JudgedPlace,
        system: str,
        segment: int | None,
    ) -> Rating:
        """The rating of a row."""
        raw, counted = self._given(row, self.raw), self._given(row, self.count)
        return Rating(
            *place,
            system,
            segment,
            number(row[self.score], self.score),
            raw=None if raw is None else number(raw, self.raw or ""),
            count=1 if counted is None else count(counted, self.count or ""),
            judge=cell(row, self.judge),
            extra=tuple((name, row[name]) for name in self.kept),
            file=origin.file,
            line=line,
        )

    def _given(self, row: Mapping[str, str], column: str | None) -> str | None:
        return row[column] if column in self.needed else cell(row, column)


def read_plain(path: Path) -> Collection:
    """The ratings of a plain table, one per row, in the file's order; repeats are kept."""
    table = JudgementTable.read(path, *PLAIN, delimiter=CSV_OR_TSV)
    columns = RatingColumns.of(table.columns, used=(*PLAIN, "segment"))
    return Collection(ratings=tuple(_ratings(table, columns, "system", "segment")))


def read_da(path: Path) -> Collection:
    """The ratings of a table of direct assessment; `raw` is the mean before standardisation."""
    table = JudgementTable.read(path, *DA, delimiter=None)
    columns = RatingColumns.of(
        table.columns, used=(*DA, "SID"), needed=DA, score="Z.SCR", raw="RAW.SCR", counts=["N"]
    )
    return Collection(ratings=tuple(_ratings(table, columns, "SYS", "SID")))


def read_mqm(path: Path) -> Collection:
    """The ratings of a table of MQM, 0 for no error and less for worse.

    Rows without a score were not annotated; they are left out and counted in a note.
    """
    table = JudgementTable.read(path, *MQM, delimiter=None)
    columns = RatingColumns.of(table.columns, used=MQM, score="mqm_avg_score")
    ratings = _ratings(table, columns, "system", "seg_id", NOT_ANNOTATED)
    if not ratings:
        raise DataError.at(path, None, "has no row with a score")
    notes = []
    if _are_weights(path, ratings):
        ratings = [replace(each, score=-each.score) for each in ratings]
        notes.append(f"{path}: scores are error weights (higher is worse); they are negated")
    if left_out := len(table.rows) - len(ratings):
        notes.append(f"{path}: {left_out} rows without a score (None) are left out")
    plain_zeros = (replace(each, score=each.score + 0.0) for each in ratings)  # not -0.0
    return Collection(ratings=tuple(plain_zeros), notes=tuple(notes))


def _ratings(
    table: JudgementTable,
    columns: RatingColumns,
    system_column: str,
    segment_column: str,
    missing: Names[str] = (),
) -> list[Rating]:
    """The ratings of the rows whose score is not one of `missing`."""
    of_segments = segment_column in table.columns

    def rating(line: int, row: dict[str, str]) -> Rating | None:
        segment = line_number(row[segment_column], segment_column) if of_segments else None
        system = system_name(row[system_column], system_column)
        place = table.origin.place(row, system)
        if row[columns.score] in missing:
            return None
        return columns.rating(row, line, table.origin, place, system.within(place.pair), segment)

    return [each for each in table.build(rating) if each is not None]


def _are_weights(path: Path, ratings: Sequence[Rating]) -> bool:
    """Whether scores are weights of errors, above zero; published ones are below it."""
    above = next((each for each in ratings if each.score > 0), None)
    below = next((each for each in ratings if each.score < 0), None)
    if above is not None and below is not None:
        raise DataError.at(
            path,
            above.line,
            f"mqm_avg_score {above.score} is above zero and {below.score} in line {below.line} "
            "below it, so the direction is unclear; write all scores with one sign",
        )
    return above is not None


FORMAT_PLAIN = Format(
    name="rating-table",
    title="table of ratings",
    example="lp,segment,system,score",
    looks_like=known_by(PLAIN, delimiter=CSV_OR_TSV, unlike=OTHER_FORMATS),
    read=read_plain,
)
FORMAT_DA = Format(
    name="da-scores",
    title="WMT direct assessment, table of means",
    example="SYS SID RAW.SCR Z.SCR N",
    looks_like=known_by(DA, delimiter=None),
    read=read_da,
)
FORMAT_MQM = Format(
    name="mqm-average",
    title="MQM averages by segment",
    example="system mqm_avg_score seg_id",
    looks_like=known_by(MQM, delimiter=None),
    read=read_mqm,
)

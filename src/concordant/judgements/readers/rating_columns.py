"""The columns that a table of ratings may have beside system, segment and score, under any name.

What is known becomes a field of `Rating`; every other column is kept as it is in `Rating.extra`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.judgements.origin import PAIR_COLUMNS, TESTSET_COLUMN, JudgedPlace
from concordant.judgements.readers.fields import cell, count, first_of, number
from concordant.records import Rating

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

RAW_COLUMNS = ("raw",)
COUNT_COLUMNS = ("count", "annotators")
JUDGE_COLUMNS = ("judge", "annotator")


@dataclass(frozen=True)
class RatingColumns:
    """Which column of a table holds what; None where there is none."""

    raw: str | None
    count: str | None
    judge: str | None
    kept: tuple[str, ...]

    @classmethod
    def of(cls, columns: Collection[str], *, used: Collection[str]) -> RatingColumns:
        """The optional columns of a table; `used` are those that its reader takes itself."""
        raw, judge = first_of(RAW_COLUMNS, columns), first_of(JUDGE_COLUMNS, columns)
        counted = first_of(COUNT_COLUMNS, columns)
        taken = {*used, raw, judge, counted, first_of(PAIR_COLUMNS, columns), TESTSET_COLUMN}
        return cls(raw, counted, judge, tuple(name for name in columns if name not in taken))

    def rating(
        self,
        row: Mapping[str, str],
        *,
        place: JudgedPlace,
        system: str,
        segment: int | None,
        file: str,
        line: int,
    ) -> Rating:
        """The rating of a row."""
        score, raw = number(row["score"], "score"), cell(row, self.raw)
        counted = cell(row, self.count)
        return Rating(
            place.testset,
            place.pair,
            system,
            segment,
            score,
            raw=number(raw, "raw") if raw is not None else None,
            count=1 if counted is None else count(counted, self.count or ""),
            judge=cell(row, self.judge),
            extra=tuple((name, row[name]) for name in self.kept),
            file=file,
            line=line,
        )

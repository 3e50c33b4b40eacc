"""Submissions to WMT's metrics task: a row for each translation or system.

The rows name metric, language pair, test set and system, the segment or none, and the score; later
years added columns. Few files have a header, so the columns are recognised by their number
and by which of them are numeric. WMT15's files also have a HUMAN column: people's score
of the system, the same in every row of that system.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from concordant.errors import DataError
from concordant.judgements.files import read_nonempty_lines
from concordant.judgements.names import split_system
from concordant.judgements.readers.fields import (
    build_each,
    language_pair,
    line_number,
    list_words,
    name,
    number,
)
from concordant.judgements.readers.formats import HEAD_LINES, Format, Head
from concordant.records import Collection, Place, Rating, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# What a header may call each column; other columns are not read.
HEADINGS = {
    "metric": ("metric", "metric-name"),
    "pair": ("lp", "lang-pair", "language-pair"),
    "testset": ("testset", "test-set", "data"),
    "system": ("system", "system-id"),
    "segment": ("segment", "segment-number", "segment-id", "sid"),
    "score": ("score", "segment-score", "system-score"),
    "human": ("human",),
    "reference": ("reference",),
    "domain": ("domain",),
    "ensemble": ("ensemble",),
    "available": ("available",),
}
COLUMN_OF = {heading: column for column, spellings in HEADINGS.items() for heading in spellings}
NEEDED = ("metric", "pair", "testset", "system", "score")
# The columns of files without a header, by year: up to WMT17; WMT18 and 19; WMT20 and 21; WMT22 on.
LAYOUTS = [
    layout.split()
    for layout in (
        "metric pair testset system score",
        "metric pair testset system segment score",
        "metric pair testset system score ensemble available",
        "metric pair testset system segment score ensemble available",
        "metric pair testset reference system score",
        "metric pair testset reference system segment score",
        "metric pair testset domain reference system score",
        "metric pair testset domain reference system segment score",
        "metric pair testset domain document reference system segment score",
    )
]
MISSING = {"nan", "none", "-", "na", "n/a", ""}
ALL_DOMAINS = {"all", "none", "-", ""}
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}(_[A-Za-z]+)?")


class SubmissionLayout(NamedTuple):
    """Where each column stands among how many; `delimiter` None: any white space."""

    columns: dict[str, int]
    width: int
    delimiter: str | None
    has_header: bool

    def cells(self, line: str) -> list[str]:
        """The cells of a line."""
        return line.strip(" ").split(self.delimiter)


@dataclass
class Submission:
    """What has been read of a file so far, row by row."""

    layout: SubmissionLayout
    file: str
    tables: dict[str, dict[Place, float]] = field(default_factory=dict)
    ratings: dict[Place, Rating] = field(default_factory=dict)
    systems: dict[tuple[str, str, str], Place] = field(default_factory=dict)
    without_score: int = 0
    without_human: int = 0
    of_one_domain: int = 0
    renamed: list[str] = field(default_factory=list)

    def add(self, line: int, text: str) -> None:
        """Take a row in; a ValueError says what is wrong with it."""
        cells, columns = self.layout.cells(text), self.layout.columns
        if len(cells) != self.layout.width:
            raise ValueError(f"{len(cells)} fields, but {self.layout.width} are needed")
        names = (cells[columns["testset"]], cells[columns["pair"]], cells[columns["system"]])
        if names not in self.systems:
            self.systems[names] = _system(*names)
        place = self.systems[names]
        if "segment" in columns:
            segment = line_number(cells[columns["segment"]], "segment")
            place = Place(place.testset, place.pair, place.system, segment)
        elif "domain" in columns and cells[columns["domain"]].strip().lower() not in ALL_DOMAINS:
            self.of_one_domain += 1
            return
        self._add_score(place, cells)
        if "human" in columns:
            self._add_human(place, cells[columns["human"]], line)

    def _add_score(self, place: Place, cells: list[str]) -> None:
        columns = self.layout.columns
        score = cells[columns["score"]]
        if score.strip().lower() in MISSING:
            self.without_score += 1
            return
        metric = name(cells[columns["metric"]], "metric")
        if "reference" in columns:
            metric = f"{metric}-{cells[columns['reference']].strip()}"
        value = number(score, "score")
        known = self.tables.setdefault(metric, {}).setdefault(place, value)
        if known != value:
            raise ValueError(f"score {score} contradicts {known} in a row above for the same place")

    def _add_human(self, place: Place, human: str, line: int) -> None:
        if human.strip().lower() in MISSING:
            self.without_human += 1
            return
        value = number(human, "human")
        rating = Rating(*place, value, file=self.file, line=line)
        known = self.ratings.setdefault(place, rating)
        if known.score != value:
            raise ValueError(
                f"human {human} of {place.system} contradicts {known.score} on line {known.line}"
            )

    def unite_testsets(self) -> None:
        """Bring a language pair's test sets to one name where people's scores show they are one.

        In WMT15's files a few metrics name another test set than the rest for the very same
        systems and human scores; under two names they would never meet.
        """
        people: dict[str, list[Rating]] = {}
        for rating in self.ratings.values():
            people.setdefault(rating.pair, []).append(rating)
        names: dict[str, Counter[str]] = {pair: Counter() for pair in people}
        for table in self.tables.values():
            for place in table:
                if place.pair in names:
                    names[place.pair][place.testset] += 1
        united = {
            pair: names[pair].most_common(1)[0][0]
            for pair, ratings in people.items()
            if len(names[pair]) > 1 and _agree(ratings)
        }
        self._rename(united)

    def _rename(self, united: Mapping[str, str]) -> None:
        """Give the translations of these language pairs the test set of each."""
        for metric, table in self.tables.items():
            others = {each.pair for each in table if each.testset != _in(each, united).testset}
            self.renamed += [f"{metric} of {pair}" for pair in united if pair in others]
            self.tables[metric] = {_in(each, united): value for each, value in table.items()}
        self.ratings = {
            _in(place, united): replace(rating, testset=_in(place, united).testset)
            for place, rating in self.ratings.items()
        }

    def notes(self) -> list[str]:
        """What was left out or renamed, and why."""
        counts = {
            "rows without a score (NaN, None or -) are left out": self.without_score,
            "rows without a human score (NaN, None or -) give no rating": self.without_human,
            "system scores of a single domain are left out": self.of_one_domain,
        }
        found = [f"{self.file}: {count} {what}" for what, count in counts.items() if count]
        if self.renamed:
            found.append(
                f"{self.file}: {list_words(self.renamed)} have another test set name than the rest "
                "for the same systems and human scores; treated as the same"
            )
        return found


def looks_like(head: Head) -> str | None:
    """Why this is a metrics-task submission, or None."""
    lines = [line for line in head.lines if line.strip()]
    layout = _layout(lines)
    if layout is None:
        return None
    if layout.has_header:
        return "its header names metric, language pair, test set, system and score"
    fitting = sum(_fits(list(layout.columns), layout.cells(line)) for line in lines)
    if 2 * fitting > len(lines):  # the reader names the lines that do not
        return f"its columns are {', '.join(layout.columns)}"
    return None


def read(path: Path) -> Collection:
    """The scores of a file, a table for each metric, and ratings if it has a HUMAN column."""
    lines = read_nonempty_lines(path)
    layout = _layout(lines[:HEAD_LINES])
    if layout is None:
        raise DataError.at(
            path, 1, "is not a metrics-task submission; rows need METRIC LP TESTSET SYSTEM SCORE, "
            "or METRIC LP TESTSET SYSTEM SEGMENT SCORE"
        )  # fmt: skip
    submission = Submission(layout, str(path))
    rows = ((number, text) for number, text in enumerate(lines, start=1) if text.strip())
    if layout.has_header:
        next(rows)
    build_each(path, rows, submission.add)
    if not submission.systems:
        raise DataError.at(path, None, "has a header but no rows")
    submission.unite_testsets()
    tables = (ScoreTable(m, values, file=str(path)) for m, values in submission.tables.items())
    return Collection(
        tables=tuple(tables),
        ratings=tuple(submission.ratings.values()),
        notes=tuple(submission.notes()),
    )


def _layout(lines: Sequence[str]) -> SubmissionLayout | None:
    """The layout that the header names, or the first that a line fits."""
    for line in lines:
        delimiter = "\t" if line.count("\t") >= len(NEEDED) - 1 else None
        cells = line.strip(" ").split(delimiter)
        headings = [COLUMN_OF.get(re.sub(r"[ _]", "-", c.strip("<> ")).lower()) for c in cells]
        columns = {column: i for i, column in enumerate(headings) if column is not None}
        if set(NEEDED) <= columns.keys():
            return SubmissionLayout(columns, len(cells), delimiter, has_header=True)
        for names in LAYOUTS:
            if _fits(names, cells):
                places = {column: i for i, column in enumerate(names)}
                return SubmissionLayout(places, len(cells), delimiter, has_header=False)
    return None


def _fits(names: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether a row can have these columns, by what must be a number and what cannot be one."""
    if len(names) != len(cells):
        return False
    row = dict(zip(names, cells, strict=True))
    return (
        _PAIR.fullmatch(row["pair"].strip()) is not None
        and row.get("segment", "1").strip().isdecimal()
        and (row["score"].strip().lower() in MISSING or _is_number(row["score"]))
        and not any(_is_number(row.get(column, "")) for column in ("ensemble", "available"))
    )


def _is_number(text: str) -> bool:
    try:
        number(text, "score")
    except ValueError:
        return False
    return True


def _system(testset: str, pair: str, system: str) -> Place:
    """The system that a row names; its own spelling must not contradict the row's pair."""
    lp = language_pair(pair, "language pair")
    split = split_system(name(system, "system"))
    return Place(testset.strip() or split.testset, lp, split.within(lp), None)


def _in(place: Place, united: Mapping[str, str]) -> Place:
    return place._replace(testset=united.get(place.pair, place.testset))


def _agree(ratings: Sequence[Rating]) -> bool:
    """Whether every system has one human score."""
    scores = {(rating.system, rating.score) for rating in ratings}
    return len(scores) == len({rating.system for rating in ratings})


FORMAT = Format(
    name="metric-submission",
    title="scores handed in to WMT's metrics task",
    example="METRIC<TAB>LP<TAB>TESTSET<TAB>SYSTEM<TAB>SEGMENT<TAB>SCORE",
    looks_like=looks_like,
    read=read,
)

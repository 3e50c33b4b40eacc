"""The score files of mt-metrics-eval, human and metric: rows of a system and its score.

At system level each system has one row, at segment level one for each segment, in order. `None` is
a score that is not there. Scores of documents and domains, and raw ratings, are not read.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from concordant.errors import DataError, Fault
from concordant.judgements.files import read_nonempty_lines
from concordant.judgements.readers.fields import build_each, name, number, quote
from concordant.judgements.readers.text_trees import files_in, folders_in
from concordant.records import Place, Rating, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

HUMAN, METRIC = "human-scores", "metric-scores"
PAIR = r"[a-z]{2,3}-[a-z]{2,3}(?:_[A-Za-z]+)?"
MISSING = {"none", "nan"}
READ = {"seg.score", "sys.score"}
_NAME = r"(?P<name>.+)\.(?P<content>(?:seg|sys|doc|domain)\.(?:score|rating))(?:\.gz)?"
_HUMAN_NAME = re.compile(rf"(?P<pair>{PAIR})\.{_NAME}")
_METRIC_NAME = re.compile(_NAME)


class ScoreFile(NamedTuple):
    """A file of scores and what its name says; `content` is its level and kind: `seg.score`."""

    path: Path
    pair: str
    name: str
    content: str
    human: bool


class Score(NamedTuple):
    """A score for a translation, None where it is missing, and the line that gives it."""

    place: Place
    value: float | None
    line: int


def score_files(root: Path) -> list[ScoreFile]:
    """The score files of a tree, human ones first, read or not."""
    human = [
        ScoreFile(path, match["pair"], match["name"], match["content"], human=True)
        for path in files_in(root / HUMAN)
        if (match := _HUMAN_NAME.fullmatch(path.name))
    ]
    metric = [
        ScoreFile(path, folder.name, match["name"], match["content"], human=False)
        for folder in folders_in(root / METRIC)
        if re.fullmatch(PAIR, folder.name)
        for path in files_in(folder)
        if (match := _METRIC_NAME.fullmatch(path.name))
    ]
    return human + metric


def read_scores(
    file: ScoreFile, testset: str, segments: int, known: dict[Place, Place]
) -> list[Score]:
    """The scores of a file, `segments` for each system (0: as many as most systems have).

    `known` keeps one object for each translation: a tree has a hundred metrics for the same ones.
    """
    lines = enumerate(read_nonempty_lines(file.path), start=1)
    by_system: dict[str, list[tuple[int, float | None]]] = {}
    for line, system, value in build_each(file.path, lines, _row):
        by_system.setdefault(system, []).append((line, value))
    whole = file.content.startswith("sys")
    most = Counter(len(rows) for rows in by_system.values()).most_common(1)[0][0]
    expected = 1 if whole else segments or most
    faults = [
        Fault(
            str(file.path),
            rows[0][0],
            f"system {quote(system)}: {len(rows)} scores where {expected} are needed, one for "
            f"{'the system' if whole else 'each segment'}",
        )
        for system, rows in by_system.items()
        if len(rows) != expected
    ]
    if faults:
        raise DataError(faults)
    scores = []
    for system, rows in by_system.items():
        for segment, (line, value) in enumerate(rows, start=1):
            place = Place(testset, file.pair, system, None if whole else segment)
            scores.append(Score(known.setdefault(place, place), value, line))
    return scores


def ratings(file: ScoreFile, scores: Sequence[Score]) -> list[Rating]:
    """Human scores as ratings; which of several kinds they are is kept in `extra`."""
    extra, path = (("human", file.name),), str(file.path)
    return [
        Rating(*score.place, score.value, extra=extra, file=path, line=score.line)
        for score in scores
        if score.value is not None
    ]


def table(file: ScoreFile, scores: Sequence[Score]) -> ScoreTable:
    """A metric's scores under the name that its file has, reference included: `BLEU-refA`."""
    values = {score.place: score.value for score in scores if score.value is not None}
    return ScoreTable(file.name, values, file=str(file.path))


def notes(
    root: Path, files: Sequence[ScoreFile], scores: Mapping[ScoreFile, Sequence[Score]]
) -> list[str]:
    """What was left out: missing scores by file, and files by their kind."""
    written = []
    for file, found in scores.items():
        missing = sum(score.value is None for score in found)
        if missing:
            written.append(f"{file.path}: {missing} missing scores (None) are left out")
    skipped = Counter(file.content for file in files if file.content not in READ)
    for content, count in skipped.items():
        written.append(
            f"{root}: {count} files *.{content} are not read; only segments and systems are"
        )
    return written


def _row(line: int, text: str) -> tuple[int, str, float | None]:
    fields = text.split("\t") if "\t" in text else text.split()
    if len(fields) != 2:
        raise ValueError(f"{len(fields)} fields, but 2 are needed: system and score")
    system, score = fields
    value = None if score.strip().lower() in MISSING else number(score, "score")
    return line, name(system, "system"), value

"""Files of scores as metrics: numbers that another tool gave to named translations or systems."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError, SpecError, UndefinedStatistic
from concordant.judgements.detection import read
from concordant.judgements.files import read_bytes
from concordant.judgements.judged_records import kinds_of, name_place
from concordant.metrics.scope import Scope
from concordant.metrics.scorer import NOTHING, AveragingScorer, Needs, count_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scorer import Batch, Prepared
    from concordant.records import Collection, Place, ScoreLines, ScoreTable


@dataclass(frozen=True, repr=False)
class GivenScores(AveragingScorer, Brief):
    """Scores by test set, language pair, system and segment, or by system only.

    They belong to places, not to texts; `files` are where they were read.
    """

    name: str
    values: Mapping[Place, float]
    files: tuple[str, ...] = ()
    sign: int = 1
    scale = ""
    scope = Scope()
    needs = Needs(texts=False, references=False)

    def prepare(self, references: Sequence[Sequence[str]]) -> Prepared:  # noqa: ARG002
        """Nothing."""
        return NOTHING

    def counts(
        self, batch: Batch, *, threads: int = 1, prepared: Prepared = NOTHING  # noqa: ARG002
    ) -> Floats:  # fmt: skip
        """The score of each place and 1; a system without one has the mean of its segments."""
        places = batch.places or []
        column = name_place(places[0].testset, places[0].pair)
        testset = self.name_of(places[0].testset, places[0].pair)
        found = [self.values.get(each._replace(testset=testset)) for each in places]
        if None in found and places[0].segment is None:
            means = self._means(testset, places[0].pair)
            found = [means.get(each.system) for each in places]
        missing = [each for each, value in zip(places, found, strict=True) if value is None]
        if len(missing) == len(places):
            raise UndefinedStatistic(f"{self.name} has no scores for {column}")
        if missing:
            first = missing[0]
            place = f"system {first.system}"
            place += "" if first.segment is None else f", segment {first.segment}"
            raise ConcordantError(
                f"{self.files[0] if self.files else self.name}: {self.name} has no score for "
                f"{len(missing)} of {len(places)} judged translations of {column} "
                f"(the first: {place})"
            )
        return count_scores(np.array(found, dtype=np.float64))

    def signature(self, *, level: str) -> str:  # noqa: ARG002 - the same at both
        """The file and a digest of it; the name alone where no file was read."""
        if not self.files:
            return f"metric:{self.name}"
        digest = hashlib.sha256(b"".join(read_bytes(each) for each in self.files)).hexdigest()[:12]
        one = len(self.files) == 1
        source = f"file:{Path(self.files[0]).name}" if one else f"files:{len(self.files)}"
        return f"metric:{self.name}|{source}|sha256:{digest}"

    def name_of(self, testset: str, pair: str) -> str:
        """The name that the file has for a test set: its own, or the only one of the pair."""
        names = {each.testset for each in self.values if each.pair in {pair, ""}}
        return testset if testset in names or len(names) != 1 else names.pop()

    def _means(self, testset: str, pair: str) -> dict[str, float]:
        scores: dict[str, list[float]] = defaultdict(list)
        for each, value in self.values.items():
            if (each.testset, each.pair) == (testset, pair) and each.segment is not None:
                scores[each.system].append(value)
        return {system: float(np.mean(values)) for system, values in scores.items()}


def given_scores(name: str, columns: Mapping[tuple[Place, ...], Floats]) -> GivenScores:
    """Numbers that are at hand for the translations of some columns, as a metric."""
    values = {
        place: float(value)
        for places, numbers in columns.items()
        for place, value in zip(places, numbers, strict=True)
    }
    return GivenScores(name, values)


def is_there(name: str) -> bool:
    """Whether there is a file or folder of that name; one that may not be looked at is there."""
    try:
        return bool(name) and Path(name).exists()
    except PermissionError:
        return True  # reading it will say what is wrong


def read_scores(name: str, places: Sequence[Place], *, sign: int = 1) -> list[GivenScores]:
    """The metrics whose scores a file or folder holds.

    Scores that stand one per line without names belong to `places`, in order.
    """
    found = read(name)
    if not found.tables and not found.score_lines:
        raise _no_scores(name, found)
    return [
        *_tables(found.tables, sign),
        *(_lines(lines, places, sign) for lines in found.score_lines),
    ]


def _no_scores(name: str, found: Collection) -> SpecError:
    held = " and ".join(kinds_of(found)) or "only texts"
    return SpecError(
        f"{name} holds no metric scores, but {held}; scores must be one per line, or in rows "
        "of metric, language pair, test set, system, segment and score"
    )


def _tables(tables: Sequence[ScoreTable], sign: int) -> list[GivenScores]:
    """One metric each: a folder of scores has a file for each language pair and level."""
    values: dict[str, dict[Place, float]] = defaultdict(dict)
    files: dict[str, list[str]] = defaultdict(list)
    for table in tables:
        known = values[table.metric]
        files[table.metric].append(table.file)
        for place, value in table.values.items():
            if known.setdefault(place, value) != value:
                raise ConcordantError(
                    f"{table.file}: {table.metric} has two scores for {place.system} of "
                    f"{place.testset} {place.pair}: {known[place]:g} and {value:g}"
                )
    return [GivenScores(name, values[name], tuple(files[name]), sign) for name in values]


def _lines(lines: ScoreLines, places: Sequence[Place], sign: int) -> GivenScores:
    """Scores, one per line; an error with both counts if they do not add up."""
    if len(lines.values) != len(places):
        counts: dict[str, int] = defaultdict(int)
        for each in places:
            counts[name_place(each.testset, each.pair)] += 1
        parts = " + ".join(f"{count} {name}" for name, count in counts.items())
        raise ConcordantError(
            f"{lines.file}: {len(lines.values)} scores for {len(places)} judged translations "
            f"({parts}); "
            "give one score per line for each, in the order of the judgements"
        )
    values = dict(zip(places, lines.values, strict=True))
    return GivenScores(lines.metric, values, (lines.file,), sign)

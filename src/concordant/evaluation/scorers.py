"""Where a metric's numbers come from: a measure that runs here, or a file that another tool wrote.

A scorer gives each judged translation of a column a number, better when higher, and each system the
counts that its score is computed from.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from concordant.errors import ConcordantError, SpecError, UndefinedStatistic
from concordant.evaluation.learned_scorers import MetricScorer, feature_scorer
from concordant.evaluation.system_scores import mean_tally
from concordant.features.feature import Feature
from concordant.judgements.detection import read
from concordant.judgements.files import read_bytes
from concordant.judgements.judged_columns import all_references, rows_of, texts_of
from concordant.judgements.judged_records import kinds_of
from concordant.metrics.find import resolved, unknown
from concordant.metrics.lexical.measure import ANYTHING, Measure
from concordant.stats.system_level import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.judgements.judged_columns import Column, Floats, Pairs
    from concordant.metrics.learned import Metric
    from concordant.metrics.lexical.scope import Scope
    from concordant.records import Output, ScoreLines, ScoreTable


class Scorer(Protocol):
    """A metric, as an evaluation sees it."""

    @property
    def name(self) -> str:
        """The metric's name: a row's heading."""
        ...

    @property
    def scope(self) -> Scope:
        """The texts that the metric is made for."""
        ...

    def signature(self, level: str, /) -> str:
        """What computed the numbers."""
        ...

    def outputs(self, column: Column) -> Floats:
        """A number for each judged translation of the column, better when higher."""
        ...

    def tally(self, column: Column) -> Tally:
        """Counts by segment and system, for scores of whole systems."""
        ...

    def decisions(self, column: Column) -> Callable[[Pairs], Floats] | None:
        """How far the first translation of each pair is preferred; None: as their scores say."""
        ...


@dataclass(frozen=True)
class MeasureScorer:
    """A measure that runs here on the texts; the counts of a column are computed once."""

    measure: Measure
    _counts: dict[str, Floats] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """The measure's name."""
        return self.measure.name

    @property
    def scope(self) -> Scope:
        """The texts that the measure is made for."""
        return self.measure.steps.scope

    def signature(self, level: str, /) -> str:
        """The measure's signature, with its direction where lower was better."""
        negated = "|negated:yes" if self.measure.sign < 0 else ""
        return self.measure.signature(level=level) + negated

    def outputs(self, column: Column) -> Floats:
        """Sentence scores (corpus scores of whole systems), negated where lower is better."""
        counts = self._counted(column)
        if column.kind != "system ratings":
            return self.measure.sign * self.measure.segment_scores(counts)
        sums = np.zeros((len(column.systems), counts.shape[-1]))
        np.add.at(sums, [column.systems.index(system) for system, _ in rows_of(column)], counts)
        return self.measure.sign * self.measure.corpus_scores(sums[column.system])

    def tally(self, column: Column) -> Tally:
        """The measure's own counts by segment and system; its corpus score is computed of them."""
        counts = self._counted(column)
        shape = (len(column.segments), len(column.systems), counts.shape[-1])
        table = np.zeros(shape)
        table[column.segment, column.system] = counts
        return Tally(table, lambda sums: self.measure.sign * self.measure.corpus_scores(sums))

    def decisions(self, column: Column) -> None:
        """None: pairs are decided by the scores."""

    def _counted(self, column: Column) -> Floats:
        """Counts of every judged translation; the same text against the same references once."""
        if column.name not in self._counts:
            hypotheses, references = texts_of(column, self.name)
            distinct = list(dict.fromkeys(zip(hypotheses, references, strict=True)))
            row = {key: i for i, key in enumerate(distinct)}
            counts = self.measure.counts(
                [text for text, _ in distinct],
                [refs for _, refs in distinct],
                threads=os.cpu_count() or 1,
                **self.measure.prepare(all_references(column)),
            )
            where = [row[key] for key in zip(hypotheses, references, strict=True)]
            self._counts[column.name] = counts[where]
        return self._counts[column.name]


@dataclass(frozen=True)
class TableScorer:
    """Scores that a file gives by system and segment, or by system only."""

    name: str
    values: Mapping[Output, float]
    files: tuple[str, ...]
    sign: int = 1
    scope: Scope = ANYTHING

    def signature(self, _level: str, /) -> str:
        """The file and a digest of it."""
        return file_signature(self.name, self.files, self.sign)

    def outputs(self, column: Column) -> Floats:
        """The file's score of each judged translation or system (or the mean of its segments)."""
        testset = self.testset_for(column)
        found = [self.values.get(each._replace(testset=testset)) for each in column.outputs]
        if column.kind == "system ratings" and None in found:
            means = self._means(testset, column.pair)
            found = [means.get(each.system) for each in column.outputs]
        missing = [each for each, value in zip(column.outputs, found, strict=True) if value is None]
        if len(missing) == len(column.outputs):
            raise UndefinedStatistic(f"{self.name} has no scores for {column.name}")
        if missing:
            raise ConcordantError(self._missing(column, missing))
        return self.sign * np.array(found, dtype=np.float64)

    def tally(self, column: Column) -> Tally:
        """Segment scores to be averaged by system."""
        return mean_tally(column, self.outputs(column))

    def decisions(self, column: Column) -> None:
        """None: pairs are decided by the scores."""

    def _means(self, testset: str, pair: str) -> dict[str, float]:
        scores: dict[str, list[float]] = {}
        for each, value in self.values.items():
            if (each.testset, each.pair) == (testset, pair) and each.segment is not None:
                scores.setdefault(each.system, []).append(value)
        return {system: float(np.mean(values)) for system, values in scores.items()}

    def _missing(self, column: Column, missing: Sequence[Output]) -> str:
        first = missing[0]
        place = f"system {first.system}"
        place += "" if first.segment is None else f", segment {first.segment}"
        return (
            f"{self.files[0]}: {self.name} has no score for {len(missing)} of "
            f"{len(column.outputs)} judged translations of {column.name} (the first: {place})"
        )

    def testset_for(self, column: Column) -> str:
        """The name under which the file has this column: its own, or the only one of the pair."""
        names = {each.testset for each in self.values if each.pair in {column.pair, ""}}
        return column.testset if column.testset in names or len(names) != 1 else names.pop()


def scorers_named(
    name: str | Measure | Metric, columns: Sequence[Column], *, sign: int = 1
) -> list[Scorer]:
    """The metrics that a name, a loaded metric, or a file or folder of scores stands for."""
    known = resolved(name) if isinstance(name, str) else name
    name = name if isinstance(name, str) else name.name
    if isinstance(known, Measure):
        if sign < 0:
            raise SpecError(f"lower-is-better is only for files of scores, not for {name}")
        return [MeasureScorer(known)]
    if isinstance(known, Feature):
        return [feature_scorer(known)]
    if known is not None:
        return [MetricScorer(known)]
    if not name or not _exists(name):
        raise unknown(name, "a file of scores")
    found = read(name)
    if not found.tables and not found.score_lines:
        held = " and ".join(kinds_of(found)) or "only texts"
        raise SpecError(
            f"{name} holds no metric scores, but {held}; scores must be one per line, or in rows "
            "of metric, language pair, test set, system, segment and score"
        )
    return [
        *table_scorers(found.tables, sign),
        *(line_scorer(lines, columns, sign) for lines in found.score_lines),
    ]


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except PermissionError:
        return True  # it may well be there; reading it will say what is wrong


def table_scorers(tables: Sequence[ScoreTable], sign: int) -> list[TableScorer]:
    """One scorer a metric: a tree of scores has a file for each language pair and level."""
    values: dict[str, dict[Output, float]] = {}
    files: dict[str, list[str]] = {}
    for table in tables:
        known = values.setdefault(table.metric, {})
        files.setdefault(table.metric, []).append(table.file)
        for output, value in table.values.items():
            if known.setdefault(output, value) != value:
                raise ConcordantError(
                    f"{table.file}: {table.metric} has two scores for {output.system} of "
                    f"{output.testset} {output.pair}: {known[output]:g} and {value:g}"
                )
    return [TableScorer(name, values[name], tuple(files[name]), sign) for name in values]


def naming_notes(scorers: Sequence[Scorer], columns: Sequence[Column]) -> list[str]:
    """A note for every metric whose file has a column under another test set's name."""
    return [
        f"{scorer.name}: scores of {named or 'an unnamed test set'} are taken for {column.name}, "
        "the only ones of that language pair"
        for scorer in scorers
        if isinstance(scorer, TableScorer)
        for column in columns
        if (named := scorer.testset_for(column)) != column.testset
    ]


def line_scorer(lines: ScoreLines, columns: Sequence[Column], sign: int) -> TableScorer:
    """Scores, one per line, as scores of the judged translations of all columns, in order.

    An error with both counts if they do not add up.
    """
    outputs = [output for column in columns for output in column.outputs]
    if len(lines.values) != len(outputs):
        parts = " + ".join(f"{len(column.outputs)} {column.name}" for column in columns)
        raise ConcordantError(
            f"{lines.file}: {len(lines.values)} scores for {len(outputs)} judged translations "
            f"({parts}); "
            "give one score per line for each, in the order of the judgements"
        )
    values = dict(zip(outputs, lines.values, strict=True))
    return TableScorer(lines.metric, values, (lines.file,), sign)


def file_signature(name: str, files: Sequence[str], sign: int) -> str:
    """The signature of scores that were read, not computed."""
    digest = hashlib.sha256(b"".join(read_bytes(each) for each in files)).hexdigest()[:12]
    source = f"file:{Path(files[0]).name}" if len(files) == 1 else f"files:{len(files)}"
    negated = "|negated:yes" if sign < 0 else ""
    return f"metric:{name}|{source}|sha256:{digest}{negated}"

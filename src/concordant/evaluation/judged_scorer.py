"""A metric on judged translations: their scores, counts of whole systems, decisions on pairs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import SpecError
from concordant.judgements.judged_columns import all_references, rows_of, texts_of
from concordant.metrics.find import lookup, unknown
from concordant.metrics.score_files import GivenScores, is_there, read_scores
from concordant.metrics.scorer import Batch
from concordant.stats.system_level import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.judgements.judged_columns import Column, Floats, Pairs
    from concordant.metrics.scorer import Scorer


@dataclass(frozen=True)
class JudgedScorer:
    """A metric, and the counts of each column's translations, which are computed once."""

    metric: Scorer
    _counts: dict[str, Floats] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """The metric's name: a row's heading."""
        return self.metric.name

    def signature(self, level: str) -> str:
        """The metric's signature, with its direction where lower was better."""
        negated = "|negated:yes" if self.metric.sign < 0 else ""
        return self.metric.signature(level=level) + negated

    def scores(self, column: Column) -> Floats:
        """A number for each judged translation or judged system, better when higher."""
        metric, counts = self.metric, self._counted(column)
        if column.kind != "system ratings" or not metric.needs.texts:
            return np.asarray(metric.sign * metric.segment_scores(counts))
        sums = np.zeros((len(column.systems), counts.shape[-1]))
        np.add.at(sums, [column.systems.index(system) for system, _ in rows_of(column)], counts)
        return np.asarray(metric.sign * metric.system_scores(sums[column.system]))

    def tally(self, column: Column) -> Tally:
        """The counts by segment and system, which system scores are computed from."""
        counts, metric = self._counted(column), self.metric
        table = np.zeros((len(column.segments), len(column.systems), counts.shape[-1]))
        np.add.at(table, (column.segment, column.system), counts)
        return Tally(table, lambda sums: metric.sign * metric.system_scores(sums), metric.averages)

    def decisions(self, column: Column) -> Callable[[Pairs], Floats] | None:
        """How far the first translation of each pair is preferred; None: as their scores say."""
        if not self.metric.compares:
            return None
        batch, how = self._read(column)
        return lambda pairs: self.metric.margins(
            batch.take(pairs.better), batch.take(pairs.worse), **how
        )

    def _counted(self, column: Column) -> Floats:
        """Counts of every judged translation; the same text against the same references once."""
        if column.name not in self._counts:
            if self.metric.needs.texts:
                batch, how = self._read(column)
                distinct, rows = batch.distinct()
                self._counts[column.name] = self.metric.counts(distinct, **how)[rows]
            else:
                places = Batch([], [], places=column.places)
                self._counts[column.name] = self.metric.counts(places)
        return self._counts[column.name]

    def _read(self, column: Column) -> tuple[Batch, dict[str, Any]]:
        """A column's texts, and how they are counted."""
        prepared = self.metric.prepare(all_references(column))
        how = {"threads": os.cpu_count() or 1, "prepared": prepared}
        return column_batch(column, self.metric), how


def column_batch(column: Column, metric: Scorer) -> Batch:
    """The judged translations of a column with what the metric needs of references and sources."""
    needs = metric.needs
    translations, references = texts_of(column, metric.name, referenced=needs.references)
    if not needs.sources:
        return Batch(translations, references)
    known = {} if column.texts is None else column.texts.source
    segments = [segment for _, segment in rows_of(column)]
    missing = [segment for segment in segments if segment not in known]
    if missing:
        raise SpecError(
            f"{metric.name} needs the source; {column.name} has none for segment {missing[0]}"
        )
    return Batch(translations, references, [known[segment] for segment in segments])


def judged_scorers(
    named: str | Path | Scorer, columns: Sequence[Column], *, sign: int = 1
) -> list[JudgedScorer]:
    """The metrics that a name, a loaded metric, or a file or folder of scores stands for."""
    found = lookup(named) if isinstance(named, str | Path) else named
    if found is not None:
        if sign < 0:
            raise SpecError(f"lower-is-better is only for files of scores, not for {found.name}")
        return [JudgedScorer(found)]
    name = str(named)
    if not is_there(name):
        raise unknown(name, "a file of scores")
    places = [place for column in columns for place in column.places]
    return [JudgedScorer(each) for each in read_scores(name, places, sign=sign)]


def naming_notes(scorers: Sequence[JudgedScorer], columns: Sequence[Column]) -> list[str]:
    """A note for every metric whose file has a column under another test set's name."""
    return [
        f"{scorer.name}: scores of {named or 'an unnamed test set'} are taken for {column.name}, "
        "the only ones of that language pair"
        for scorer in scorers
        if isinstance(scorer.metric, GivenScores)
        for column in columns
        if (named := scorer.metric.name_of(column.testset, column.pair)) != column.testset
    ]

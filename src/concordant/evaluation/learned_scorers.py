"""Features and trained metrics as scorers of a column's translations and judged pairs.

A metric that compares two translations decides each judged pair directly; where a statistic needs
a number for every translation, its scores of single translations are taken.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from concordant.errors import SpecError
from concordant.evaluation.system_scores import mean_tally
from concordant.features.extraction import FeatureSet
from concordant.judgements.judged_columns import (
    all_references,
    mean_of_systems,
    rows_of,
    texts_of,
)
from concordant.metrics.find import feature_scope
from concordant.models.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.features.feature import Feature
    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_columns import Column, Floats, Pairs
    from concordant.metrics.learned import Metric
    from concordant.metrics.lexical.scope import Scope
    from concordant.stats.system_level import Tally


@dataclass(frozen=True)
class FeatureScorer:
    """A feature that can stand as a metric by its main column; system scores are means."""

    feature: Feature
    _values: dict[str, Floats] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """The feature's spelling."""
        return str(self.feature.spec)

    @property
    def scope(self) -> Scope:
        """The texts that the feature is made for."""
        return feature_scope(self.feature)

    def signature(self, _level: str, /) -> str:
        """The feature, what it is made of, and where what it fits was fitted."""
        fitted = "|fitted:on the references" if self.feature.fit is not None else ""
        return f"metric:{self.name}|{self.feature.signature}{fitted}"

    def outputs(self, column: Column) -> Floats:
        """The main column of every judged translation."""
        return mean_of_systems(column, self._scores(column))

    def tally(self, column: Column) -> Tally:
        """Segment scores to be averaged by system."""
        return mean_tally(column, self._scores(column))

    def decisions(self, column: Column) -> None:
        """None: pairs are decided by the scores."""

    def _scores(self, column: Column) -> Floats:
        if column.name not in self._values:
            hypotheses, references = texts_of(column, self.name)
            values = FeatureSet((self.feature,)).extract(
                hypotheses,
                references,
                threads=os.cpu_count() or 1,
                test_set=all_references(column),
            )
            self._values[column.name] = values[:, self.feature.main or 0]
        return self._values[column.name]


@dataclass(frozen=True)
class MetricScorer:
    """A trained metric; the inputs of a column's translations are computed once."""

    metric: Metric
    _inputs: dict[str, Inputs] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """The metric's name."""
        return self.metric.name

    @property
    def scope(self) -> Scope:
        """The texts that the metric is made for."""
        return self.metric.scope

    def signature(self, _level: str, /) -> str:
        """The metric's signature."""
        return self.metric.signature()

    def outputs(self, column: Column) -> Floats:
        """The metric's score of every judged translation."""
        return mean_of_systems(column, self.metric.segment_scores(self._read(column)))

    def tally(self, column: Column) -> Tally:
        """Segment scores to be averaged by system."""
        return mean_tally(column, self.metric.segment_scores(self._read(column)))

    def decisions(self, column: Column) -> Callable[[Pairs], Floats] | None:
        """How far each pair's first translation is preferred, for a metric that compares two."""
        if kind_of(self.metric.kind).margin is None:
            return None

        def decide(pairs: Pairs) -> Floats:
            inputs = self._read(column)
            halves = (inputs.take(rows) for rows in (pairs.better, pairs.worse))
            return self.metric.margins(*halves)

        return decide

    def _read(self, column: Column) -> Inputs:
        if column.name not in self._inputs:
            needed = self.metric.preparation.needs_references
            hypotheses, references = texts_of(column, self.name, referenced=needed)
            self._inputs[column.name] = self.metric.preparation.inputs(
                hypotheses,
                references,
                self._sources(column),
                threads=os.cpu_count() or 1,
                test_set=all_references(column),
            )
        return self._inputs[column.name]

    def _sources(self, column: Column) -> list[str] | None:
        if "source" not in self.metric.preparation.anchors or column.texts is None:
            return None
        known = column.texts.source
        segments = [segment for _, segment in rows_of(column)]
        missing = [segment for segment in segments if segment not in known]
        if missing:
            raise SpecError(
                f"{self.name} needs the source; {column.name} has none for segment {missing[0]}"
            )
        return [known[segment] for segment in segments]


def feature_scorer(feature: Feature) -> FeatureScorer:
    """The scorer of a feature with a column that can stand as a metric."""
    if feature.main is None:
        raise SpecError(f"{feature.spec} is several features, not a metric; train one with them")
    return FeatureScorer(feature)

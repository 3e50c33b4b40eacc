"""Metrics measured on every column, and compared with each other on the same draws.

Two metrics are swapped at random, unit by unit; the share of draws in which they differ as much
as observed is the p-value. All comparisons of a column are Holm-corrected together.
"""

from __future__ import annotations

import itertools
import zlib
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.evaluation.statistics import PAIRWISE, measure_segments
from concordant.evaluation.system_statistics import measure_systems, resamples_systems
from concordant.stats.correlation import pearson
from concordant.stats.resampling import Difference, bootstrap_weights, difference_from, swap_masks
from concordant.stats.significance import holm, permutation_p, williams

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.evaluation.judged_scorer import JudgedScorer
    from concordant.evaluation.options import EvaluationOptions
    from concordant.judgements.judged_columns import Column, Floats
    from concordant.stats.measured import Measured

    Couple = tuple[str, str]


@dataclass(frozen=True)
class Draws:
    """One metric in one column: its value, its bootstrap values, and what they come from.

    `points` computes the metric's scores of the translations, or of the systems at system level.
    """

    value: float
    resampled: Floats
    measured: Measured
    points: Callable[[], Floats]
    n: int


@dataclass(frozen=True)
class MetricComparison:
    """Two metrics in one column; `p_holm` is corrected over all comparisons of the column."""

    column: str
    first: str
    second: str
    difference: Difference
    p_holm: float


def measure(
    scorer: JudgedScorer, columns: Sequence[Column], name: str, asked: EvaluationOptions
) -> tuple[dict[str, Draws], dict[str, str]]:
    """A metric's value and resamples in each column, and why it is undefined in the others."""
    drawn: dict[str, Draws] = {}
    undefined: dict[str, str] = {}
    for column in columns:
        try:
            measured = _measure(scorer, column, name, asked)
            value = measured.value()
        except UndefinedStatistic as reason:
            undefined[column.name] = str(reason)
            continue
        n = len(column.systems) if asked.level == "system" else column.judgements
        drawn[column.name] = Draws(
            value,
            _resample(measured, column, asked),
            measured,
            partial(_points, scorer, column, asked),
            n,
        )
    return drawn, undefined


def _resample(measured: Measured, column: Column, asked: EvaluationOptions) -> Floats:
    """The bootstrap values; undefined where there is one unit, which every draw gives again."""
    units, clusters = _units(column, asked), column.clusters
    if (units if clusters is None else int(clusters.max()) + 1) < 2:
        return np.full(asked.resamples, np.nan)
    rng = _rng(column, asked, 0)
    return measured.resample(bootstrap_weights(units, asked.resamples, rng, clusters=clusters))


def _measure(scorer: JudgedScorer, column: Column, name: str, asked: EvaluationOptions) -> Measured:
    if asked.level == "segment":
        pairs = name in PAIRWISE and column.kind != "system ratings"
        decide = scorer.decisions(column) if pairs else None
        scores = decide or scorer.scores(column)
        return measure_segments(name, column, scores, average=asked.average, gap=asked.gap)
    return measure_systems(
        name,
        column,
        scorer,
        method=asked.system_scores,
        seed=asked.seed,
        permutations=asked.permutations,
    )


def _points(scorer: JudgedScorer, column: Column, asked: EvaluationOptions) -> Floats:
    if asked.level == "segment" or column.kind == "system ratings":
        return scorer.scores(column)
    tally = scorer.tally(column)
    return tally.compute(tally.counts.sum(axis=0))


def compare(
    names: Sequence[str],
    columns: Sequence[Column],
    groups: Mapping[str, Sequence[str]],
    drawn: Mapping[str, Mapping[str, Draws]],
    asked: EvaluationOptions,
) -> tuple[MetricComparison, ...]:
    """Every two metrics, or each metric and the baseline, in every column and every average."""
    if asked.baseline is None:
        couples = list(itertools.combinations(names, 2))
    else:
        couples = [(each, asked.baseline) for each in names if each != asked.baseline]
    parts_of: dict[str, Sequence[str]] = {column.name: [column.name] for column in columns}
    nulls: dict[tuple[str, Couple], Floats] = {}
    if asked.test == "permutation":  # Williams' test is of one correlation, not of an average
        parts_of |= groups
        nulls = _exchange(columns, couples, drawn, asked)
    comparisons: list[MetricComparison] = []
    for heading, parts in parts_of.items():
        tested = {
            couple: _difference(drawn, couple, parts, nulls, asked)
            for couple in couples
            if all(part in drawn[each] for part in parts for each in couple)
        }
        adjusted = holm([difference.p for difference in tested.values()]) if tested else ()
        comparisons += [
            MetricComparison(heading, *couple, difference, float(p))
            for (couple, difference), p in zip(tested.items(), adjusted, strict=True)
        ]
    return tuple(comparisons)


def _exchange(
    columns: Sequence[Column],
    couples: Sequence[Couple],
    drawn: Mapping[str, Mapping[str, Draws]],
    asked: EvaluationOptions,
) -> dict[tuple[str, Couple], Floats]:
    """The differences that chance makes: both metrics exchanged at random, for every couple.

    Row 0 exchanges nothing: it is the difference itself, measured as the others are.
    """
    nulls = {}
    for column in columns:
        masks = swap_masks(
            _units(column, asked),
            asked.permutations,
            _rng(column, asked, 1),
            clusters=column.clusters,
        )
        masks = np.concatenate([np.zeros_like(masks[:1]), masks])
        for couple in couples:
            one, two = (drawn[each].get(column.name) for each in couple)
            if one is not None and two is not None:
                swapped = one.measured.swap(two.measured, masks)
                nulls[column.name, couple] = swapped[0] - swapped[1]
    return nulls


def _difference(
    drawn: Mapping[str, Mapping[str, Draws]],
    couple: Couple,
    parts: Sequence[str],
    nulls: Mapping[tuple[str, Couple], Floats],
    asked: EvaluationOptions,
) -> Difference:
    first, second = (drawn[each] for each in couple)
    value = float(np.mean([first[part].value - second[part].value for part in parts]))
    resampled = np.mean([first[part].resampled - second[part].resampled for part in parts], axis=0)
    if asked.test == "williams":
        one, two = first[parts[0]], second[parts[0]]
        points = one.points(), two.points()
        p = williams(one.value, two.value, pearson(*points), len(points[0])).p_two_sided
    else:
        null = np.mean([nulls[part, couple] for part in parts], axis=0)
        p = permutation_p(float(null[0]), null[1:][~np.isnan(null[1:])])
    return difference_from(value, resampled, p, level=asked.confidence)


def _units(column: Column, asked: EvaluationOptions) -> int:
    if asked.level == "system" and resamples_systems(column, asked.system_scores):
        return len(column.systems)
    return len(column.segments)


def _rng(column: Column, asked: EvaluationOptions, stream: int) -> np.random.Generator:
    """A generator of its own for each column, so that a figure never depends on its neighbours."""
    return np.random.default_rng([asked.seed, zlib.crc32(column.name.encode()), stream])

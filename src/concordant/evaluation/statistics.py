"""Every agreement statistic by name: which judgements it needs, and how it measures a column.

At segment level a statistic compares translations, over all of them at once ("pooled"),
within each segment, or within each system. At system level it compares systems, whose human and
metric scores are sums over the judged segments.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError, UndefinedStatistic, nearest
from concordant.judgements.conversion import DARR_GAP
from concordant.judgements.judged_columns import Pairs
from concordant.stats.accuracy import tied_pairs
from concordant.stats.arrays import finite, rescale, standardise
from concordant.stats.correlation import kendall_rows, pearson_rows, spearman_rows
from concordant.stats.measured import (
    Additive,
    Averaged,
    OfPoints,
    mean_of_groups,
    moments,
    pearson_from_moments,
)
from concordant.stats.tau import VARIANTS, cells_of_pairs, from_cells, pairs_apart, tau_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.judgements.judged_columns import Column, Floats, Ints
    from concordant.stats.measured import Measured

    Decide = Callable[[Pairs], Floats]

AVERAGES = ("pooled", "segment", "system")
KENDALL = {"tau-a": "a", "tau-b": "b", "tau-c": "c"}
PAIRWISE = [name for name in VARIANTS if name not in KENDALL]
# What correlates ratings with a metric, on rows of each.
CORRELATIONS: dict[str, Callable[..., Floats]] = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    **{name: partial(kendall_rows, variant=variant) for name, variant in KENDALL.items()},
}


@dataclass(frozen=True)
class Statistic:
    """A name for the table, the levels it exists at, and the judgements it needs."""

    title: str
    levels: tuple[str, ...]
    kinds: tuple[str, ...]


ANY_PAIRS = ("preferences", "rankings", "ratings")
STATISTICS = {
    **{
        name: Statistic(
            VARIANTS[name].title,
            ("segment", "system") if name == "accuracy" else ("segment",),
            ("ratings",) if name == "tau-darr" else ANY_PAIRS,
        )
        for name in PAIRWISE
    },
    "acc-eq": Statistic(
        "accuracy with ties, the metric's threshold calibrated", ("segment",), ("ratings",)
    ),
    "pearson": Statistic("Pearson's r", ("segment", "system"), ("ratings",)),
    "spearman": Statistic("Spearman's ρ", ("segment", "system"), ("ratings",)),
    **{
        name: Statistic(f"Kendall's τ-{variant}", ("segment", "system"), ("ratings",))
        for name, variant in KENDALL.items()
    },
    "spa": Statistic("soft pairwise accuracy", ("system",), ("ratings",)),
}


def statistic_named(name: str, level: str) -> Statistic:
    """The statistic of that name, which must exist at the level."""
    known = [each for each, row in STATISTICS.items() if level in row.levels]
    if name not in known:
        raise SpecError(
            f'statistic "{name}" is not one of {", ".join(known)} at {level} level'
            f"{nearest(name, known)}"
        )
    return STATISTICS[name]


def measure_segments(
    name: str,
    column: Column,
    scores: Floats | Decide,
    *,
    average: str = "pooled",
    gap: float | None = None,
) -> Measured:
    """A statistic of a column's translations, ready to be valued, resampled and compared.

    `scores` are the metric's; or, for a statistic of pairs, a function that says how far the first
    of each pair is preferred by a metric that compares two translations.
    """
    if average not in AVERAGES:
        raise SpecError(f'average "{average}" is not one of {", ".join(AVERAGES)}')
    of_systems = column.kind == "system ratings"
    units = len(column.systems if of_systems else column.segments)
    if callable(scores):
        return _pairwise(name, column, scores, units, average, gap)
    values = finite(scores, "the metric")
    if name in PAIRWISE and not of_systems:
        return _pairwise(name, column, _by_scores(values), units, average, gap)
    human = _ratings(name, column)
    if name == "acc-eq":
        return tied_pairs(human, values, column.segment, units)
    standard = standardise(values) if name in CORRELATIONS else rescale(values)
    if average == "pooled":
        return _correlation(name, human, values, standard, column.segment, units)
    if average == "segment":
        return _by_segment(name, human, values, column.segment, units)
    return Averaged(
        tuple(
            _correlation(
                name, human[each], values[each], standard[each], column.segment[each], units
            )
            for each in _members(column.system, len(column.systems))
        )
    )


def pairs_of(column: Column, gap: float | None) -> Pairs:
    """The judged pairs of a column; ratings are paired within segments, at least a gap apart."""
    if column.pairs is not None:
        return column.pairs
    if column.ratings is None:
        raise UndefinedStatistic(f"{column.name} has no judged pairs")
    better, worse, tie = pairs_apart(column.ratings, column.segment, gap or 0.0)
    once = np.ones(len(tie))
    return Pairs(better, worse, tie, once, once)


def _by_scores(values: Floats) -> Decide:
    # Scores are compared as they are: a difference of two very close ones may round to 0.
    return lambda pairs: (
        (values[pairs.better] > values[pairs.worse]).astype(np.float64)
        - (values[pairs.better] < values[pairs.worse])
    )


def _pairwise(
    name: str,
    column: Column,
    decide: Decide,
    units: int,
    average: str,
    gap: float | None,
) -> Measured:
    if average == "system":
        raise SpecError(
            f"{name} compares translations of a segment; average it pooled or by segment"
        )
    if name == "tau-darr":
        gap = DARR_GAP if gap is None else gap
        ratings = column.raw if column.raw is not None else _ratings(name, column)
        column = _with_ratings(column, ratings)
    pairs = pairs_of(column, gap)
    gaps = decide(pairs)
    cells = cells_of_pairs(
        gaps,
        np.zeros(len(gaps)),
        pairs.tie,
        count=pairs.weight,
        unit=column.segment[pairs.better],
        units=units,
    )
    if average == "pooled":
        return Additive(cells, lambda sums: from_cells(sums, name), name)
    return _mean_by_unit(from_cells(cells, name), name)


def _by_segment(name: str, human: Floats, metric: Floats, group: Ints, groups: int) -> Measured:
    values = np.full(groups, np.nan)
    for g, each in enumerate(_members(group, groups)):
        if len(each) > 1:
            values[g] = CORRELATIONS[name](human[each], metric[each])
    return _mean_by_unit(values, name)


def _members(group: Ints, groups: int) -> list[Ints]:
    """The points of each group."""
    ends = np.cumsum(np.bincount(group, minlength=groups))
    return np.split(np.argsort(group, kind="stable"), ends[:-1])


def _mean_by_unit(values: Floats, name: str) -> Additive:
    defined = ~np.isnan(values)
    counts = np.stack([np.where(defined, values, 0.0), defined.astype(np.float64)], axis=-1)
    return Additive(counts, mean_of_groups, f"{name} by segment")


def _correlation(
    name: str, human: Floats, metric: Floats, standard: Floats, unit: Ints, units: int
) -> Additive | OfPoints:
    if name == "pearson":
        if len(human) > 0:
            human = human - human.mean()
        return Additive(moments(human, standard, unit, units), pearson_from_moments, name)
    compute = CORRELATIONS.get(name) or partial(tau_rows, name=name)
    return OfPoints(human, metric, standard, unit, compute, name)


def _ratings(name: str, column: Column) -> Floats:
    if column.ratings is None:
        fitting = [each for each, row in STATISTICS.items() if column.kind in row.kinds]
        raise SpecError(
            f"{name} at segment level needs ratings, and {column.name} has {column.kind}; "
            f"use one of {', '.join(fitting)}"
        )
    return finite(column.ratings, "the human ratings")


def _with_ratings(column: Column, ratings: Floats | None) -> Column:
    return replace(column, ratings=ratings, pairs=None)

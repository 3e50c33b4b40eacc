"""Statistics over systems: how far a metric orders whole systems as people do."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.evaluation.statistics import CORRELATIONS, measure_segments
from concordant.evaluation.system_scores import human_scores, human_tally
from concordant.stats.arrays import DIGITS, finite
from concordant.stats.significance import outlier_systems
from concordant.stats.soft_accuracy import soft_pairwise_accuracy
from concordant.stats.system_level import SystemLevel
from concordant.stats.system_ratings import VARIANTS
from concordant.stats.tau import tau_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.evaluation.judged_scorer import JudgedScorer
    from concordant.judgements.judged_columns import Column, Floats
    from concordant.stats.measured import Measured


def _of_rounded(
    correlate: Callable[[Floats, Floats], Floats], human: Floats, metric: Floats
) -> Floats:
    """The same of scores to 12 digits: a sum in another order differs, and must still be a tie."""
    return correlate(*((each / _largest(each)).round(DIGITS) for each in (human, metric)))


def _largest(rows: Floats) -> Floats:
    largest = np.abs(rows).max(axis=-1, keepdims=True)
    return np.where(largest > 0, largest, 1.0)


# What compares systems, on rows of human and metric system scores.
_ACCURACY: Callable[..., Floats] = partial(tau_rows, name="accuracy")  # Kocmi et al. 2021
OVER_SYSTEMS: dict[str, Callable[[Floats, Floats], Floats]] = {
    name: correlate if name == "pearson" else partial(_of_rounded, correlate)
    for name, correlate in {**CORRELATIONS, "accuracy": _ACCURACY}.items()
}


def measure_systems(
    name: str,
    column: Column,
    scorer: JudgedScorer,
    *,
    method: str = "expected-wins",
    seed: int = 0,
    permutations: int = 1000,
) -> Measured:
    """A statistic of a column's systems, ready to be valued, resampled and compared.

    Human scores are means of ratings, or wins in comparisons by `method`. Where either side has no
    segments to sum over (ratings of whole systems, TrueSkill), the systems themselves are the
    points, and what is resampled.
    """
    if name == "spa":
        return _soft_accuracy(column, scorer, seed, permutations)
    if resamples_systems(column, method):
        points = system_points(column, method)
        values = (
            scorer.scores(column) if column.kind == "system ratings" else _means(column, scorer)
        )
        return measure_segments(name, points, values)
    human, metric = human_tally(column, method=method), scorer.tally(column)
    return SystemLevel(human, metric, OVER_SYSTEMS[name], name)


def resamples_systems(column: Column, method: str) -> bool:
    """Whether systems, not segments, are what a bootstrap of this column draws."""
    return column.kind == "system ratings" or (column.pairs is not None and method not in VARIANTS)


def without_outliers(column: Column, *, method: str) -> tuple[Column, list[str]]:
    """The column without systems far off the others (2.5 MAD of the human scores), and these."""
    far = outlier_systems(human_scores(column, method=method))
    names = [system for system, out in zip(column.systems, far, strict=True) if out]
    return (_restrict(column, ~far), names) if names else (column, [])


def system_points(column: Column, method: str) -> Column:
    """A column whose points are systems with their human scores."""
    if column.kind == "system ratings":
        return column
    places = [each._replace(segment=None) for each in column.places]
    first = [places.index(o) for o in dict.fromkeys(places)]
    order = sorted(first, key=lambda i: int(column.system[i]))
    number = np.arange(len(column.systems))
    return replace(
        column,
        kind="system ratings",
        places=tuple(places[i] for i in order),
        segments=(),
        segment=number,
        system=number,
        pairs=None,
        ratings=human_scores(column, method=method),
        clusters=None,
    )


def _means(column: Column, scorer: JudgedScorer) -> Floats:
    tally = scorer.tally(column)
    return tally.compute(tally.counts.sum(axis=0))


def _soft_accuracy(column: Column, scorer: JudgedScorer, seed: int, permutations: int) -> Measured:
    if column.ratings is None or not column.segments:
        raise SpecError(f"spa needs ratings of segments; {column.name} has {column.kind}")
    shape = (len(column.segments), len(column.systems))
    human, metric = np.full(shape, np.nan), np.full(shape, np.nan)
    human[column.segment, column.system] = finite(column.ratings, "the human ratings")
    metric[column.segment, column.system] = finite(scorer.scores(column), "the metric")
    rng = np.random.default_rng(seed)
    return soft_pairwise_accuracy(human, metric, permutations=permutations, rng=rng)


def _restrict(column: Column, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Column:
    """The column with only the systems that are kept."""
    from concordant.judgements.judged_columns import Pairs  # noqa: PLC0415

    items = kept[column.system]
    new_item = np.cumsum(items) - 1
    new_system = np.cumsum(kept) - 1
    pairs = column.pairs
    if pairs is not None:
        both = items[pairs.better] & items[pairs.worse]
        pairs = Pairs(
            new_item[pairs.better[both]],
            new_item[pairs.worse[both]],
            pairs.tie[both],
            pairs.count[both],
            pairs.weight[both],
        )
    of_systems = column.kind == "system ratings"
    return replace(
        column,
        places=tuple(o for o, keep in zip(column.places, items, strict=True) if keep),
        systems=tuple(s for s, keep in zip(column.systems, kept, strict=True) if keep),
        segment=new_system[column.segment[items]] if of_systems else column.segment[items],
        system=new_system[column.system[items]],
        pairs=pairs,
        ratings=None if column.ratings is None else column.ratings[items],
        raw=None if column.raw is None else column.raw[items],
    )

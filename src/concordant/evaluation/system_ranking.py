"""People's ranking of systems: scores, rank ranges by bootstrap over segments, and clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.evaluation.system_scores import human_scores, human_tally
from concordant.stats.quantiles import percentile_interval
from concordant.stats.ranks import clusters, ranges_from_resamples
from concordant.stats.resampling import bootstrap_weights
from concordant.stats.system_ratings import VARIANTS

if TYPE_CHECKING:
    from concordant.judgements.judged_columns import Column, Floats


@dataclass(frozen=True)
class HumanStanding:
    """One system: its score with interval, its range of ranks, and the cluster it belongs to."""

    testset: str
    pair: str
    system: str
    score: float
    low: float | None
    high: float | None
    rank_low: int | None
    rank_high: int | None
    cluster: int | None


def system_ranking(
    column: Column,
    *,
    method: str = "expected-wins",
    seed: int = 0,
    resamples: int = 1000,
    confidence: float = 0.95,
) -> list[HumanStanding]:
    """The systems of a column, best first; cluster 1 is the best.

    Ranges and clusters need scores that are sums over segments: expected wins or mean ratings.
    Bradley–Terry and TrueSkill give scores alone; so do judgements of one segment, or so few that
    most resamples leave a system without any.
    """
    if len(column.systems) < 2:
        raise SpecError(f"{column.name} has {len(column.systems)} system; at least two are needed")
    scores = human_scores(column, method=method)
    order = np.argsort(-scores, kind="stable")
    if len(column.segments) < 2 or (column.pairs is not None and method not in VARIANTS):
        return [_standing(column, i, scores) for i in order]
    weights = bootstrap_weights(len(column.segments), resamples, np.random.default_rng(seed))
    drawn = human_tally(column, method=method).scores(weights)
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    if 2 * len(drawn) < resamples:
        return [_standing(column, i, scores) for i in order]
    ranges = ranges_from_resamples(drawn, level=confidence)
    cluster = clusters(ranges)
    return [
        _standing(
            column,
            i,
            scores,
            percentile_interval(drawn[:, i], level=confidence),
            (int(ranges[i, 0]), int(ranges[i, 1])),
            cluster[int(i)],
        )
        for i in order
    ]


def _standing(
    column: Column,
    i: int,
    scores: Floats,
    interval: tuple[float | None, float | None] = (None, None),
    ranks: tuple[int | None, int | None] = (None, None),
    cluster: int | None = None,
) -> HumanStanding:
    system = column.systems[int(i)]
    score = float(scores[i])
    return HumanStanding(column.testset, column.pair, system, score, *interval, *ranks, cluster)

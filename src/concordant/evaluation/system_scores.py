"""Scores of whole systems from people's judgements: means of ratings, or wins in comparisons."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError, UndefinedStatistic
from concordant.stats.measured import mean_of_groups
from concordant.stats.system_level import Tally
from concordant.stats.system_ratings import VARIANTS, bradley_terry, expected_wins
from concordant.stats.true_skill import true_skill

if TYPE_CHECKING:
    from concordant.judgements.judged_columns import Column, Floats

METHODS = (*VARIANTS, "bradley-terry", "trueskill")


def human_tally(column: Column, *, method: str = "expected-wins") -> Tally:
    """People's system scores as sums over segments: mean rating, or a kind of expected wins."""
    if column.ratings is not None:
        return mean_tally(column, column.ratings)
    if method not in VARIANTS:
        raise SpecError(
            f"{method} cannot be resampled by segment; use one of {', '.join(VARIANTS)}"
        )
    table = win_table(column)
    uncounted = np.isnan(_expected_wins(table.sum(axis=0), variant=method))
    names = [name for name, none in zip(column.systems, uncounted, strict=True) if none]
    if names:
        raise UndefinedStatistic(
            f'{column.name}: no judgement of {", ".join(names)} counts for "{method}"; '
            "use another score (better-or-equal counts ties) or collect more judgements"
        )
    return Tally(table, partial(_expected_wins, variant=method))


def human_scores(column: Column, *, method: str = "expected-wins") -> Floats:
    """People's score of each system over all segments, better when higher.

    `method`: a kind of expected wins, "bradley-terry" or "trueskill" (ratings: always their mean).
    """
    if method not in METHODS:
        raise SpecError(f'method "{method}" is not one of {", ".join(METHODS)}')
    if column.kind == "system ratings" and column.ratings is not None:
        return column.ratings[np.argsort(column.system)]
    if column.ratings is not None or method in VARIANTS:
        tally = human_tally(column, method=method)
        return tally.compute(tally.counts.sum(axis=0))
    wins, ties = _halves(win_table(column).sum(axis=0))
    if method == "trueskill":
        return true_skill(wins, ties).mean
    return bradley_terry(wins, ties)


def mean_tally(column: Column, values: Floats) -> Tally:
    """Values as sums and counts by segment and system, so that means can be computed."""
    table = np.zeros((len(column.segments), len(column.systems), 2))
    np.add.at(table, (column.segment, column.system), np.stack([values, np.ones_like(values)], -1))
    return Tally(table, mean_of_groups, mean=True)


def win_table(column: Column) -> Floats:
    """Wins, then ties, of each system against each other by segment: (segments, k, 2 k)."""
    if column.pairs is None:
        raise UndefinedStatistic(f"{column.name} has {column.kind}, not comparisons")
    pairs, k = column.pairs, len(column.systems)
    unit = column.segment[pairs.better]
    better, worse = column.system[pairs.better], column.system[pairs.worse]
    table = np.zeros((len(column.segments), k, 2 * k))
    np.add.at(table, (unit, better, np.where(pairs.tie, worse + k, worse)), pairs.weight)
    tie = pairs.tie
    np.add.at(table, (unit[tie], worse[tie], better[tie] + k), pairs.weight[tie])
    return table


def _expected_wins(sums: Floats, variant: str) -> Floats:
    return expected_wins(*_halves(sums), variant=variant)


def _halves(sums: Floats) -> tuple[Floats, Floats]:
    k = sums.shape[-2]
    return sums[..., :k], sums[..., k:]

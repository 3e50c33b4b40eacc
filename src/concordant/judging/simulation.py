"""Campaigns replayed: how many judgements each policy needs until the ranking is settled.

Judgements of a finished campaign are drawn again, with replacement, two systems at a time: the
policy says which two, and the judgement is one that people gave of these. After a number of
judgements the ranking by (weighted) expected wins is held against that of the whole campaign.
Needed is the number from which, over many replays,

- "tau": Kendall's tau between the two rankings of systems is at least 0.95 on average;
- "clusters": all systems that the whole campaign puts into different clusters are in the right
  order in at least 95 % of the replays. Within a cluster the campaign itself knows no order.

Intervals are by bootstrap over replays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.evaluation.system_ranking import system_ranking
from concordant.judgements.judged_columns import texts_of
from concordant.judging.allocation import pair_lacks
from concordant.judging.choice import shares_of
from concordant.judging.disagreement import METRICS
from concordant.scoring.in_memory import score
from concordant.stats.quantiles import percentile_interval
from concordant.stats.system_ratings import expected_wins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from concordant.judgements.judged_columns import Column
    from concordant.stats.arrays import Bools, Floats, Ints

    Track = Callable[[Sequence[int], str], Iterable[int]]

CRITERIA = ("tau", "clusters")
TARGET = 0.95
STEPS = 150  # how often a replay looks at its ranking and chooses anew
LONGEST = 6  # times the campaign's own judgements; who needs more is counted with this
RESAMPLES = 1000


@dataclass(frozen=True)
class Needed:
    """How many judgements a policy needs on one language pair, and as a share of random's."""

    testset: str
    pair: str
    policy: str
    criterion: str
    systems: int
    judgements: int
    needed: int
    reached: bool
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Pool:
    """A finished campaign: its judgements, ordered by pair of systems, and its ranking.

    `first` and `second` are the systems of each pair, `pair` that of each judgement. `outcome` is 1
    if the first system was better, -1 if the second, 0 for a tie. `worth` is how far metrics
    disagree about the two translations.
    """

    first: Ints
    second: Ints
    pair: Ints
    outcome: Ints
    worth: Floats
    scores: Floats
    apart: Bools  # for all pairs of systems: are they in different clusters?


def pool_of(column: Column, *, metrics: Sequence[str] | None = METRICS) -> Pool:
    """A column of judged pairs as a pool; `metrics` None: segments are drawn at random only."""
    if column.pairs is None:
        raise SpecError(f"{column.name} has {column.kind}; a replay needs judged pairs or rankings")
    standings = {each.system: each for each in system_ranking(column)}
    if any(each.cluster is None for each in standings.values()):
        raise SpecError(f"{column.name} has too few judgements to know clusters")
    scores = np.array([standings[name].score for name in column.systems])
    cluster = np.array([standings[name].cluster for name in column.systems])
    better, worse = column.system[column.pairs.better], column.system[column.pairs.worse]
    outcome = np.where(column.pairs.tie, 0, np.where(better < worse, 1, -1))
    worth = np.ones(len(outcome)) if metrics is None else _disagreement(column, metrics)
    keys, pair = np.unique(
        np.minimum(better, worse) * len(scores) + np.maximum(better, worse), return_inverse=True
    )
    rows = np.repeat(np.arange(len(pair)), column.pairs.count.astype(np.int64))
    rows = rows[np.argsort(pair[rows], kind="stable")]
    return Pool(
        keys // len(scores), keys % len(scores), pair[rows], outcome[rows], worth[rows],
        scores, cluster[:, None] != cluster[None, :],
    )  # fmt: skip


def replay(
    pool: Pool, policy: str, goals: Ints, rng: np.random.Generator, *, random_share: float = 0.1
) -> Floats:
    """The scores of all systems after each number of judgements in `goals`, (goals, systems).

    A system that has met none is scored 1/2.
    """
    k, pairs = len(pool.scores), len(pool.first)
    chances, weights = _chances(pool, policy, random_share)
    ends = np.cumsum(chances)  # of pair i between i and i + 1
    sums = np.zeros((pairs, 3))  # losses, ties and wins of each pair's first system
    found = np.empty((len(goals), k))
    done = 0
    for step, goal in enumerate(goals.tolist()):
        wins, ties = _tables(pool, sums)
        shares = np.full(pairs, 1 / pairs)
        if policy != "random" and done > 0:
            lacks = shares_of(pair_lacks(wins, ties)[pool.first, pool.second])
            shares = (1 - random_share) * lacks + random_share * shares
        asked = np.repeat(np.arange(pairs), rng.multinomial(goal - done, shares))
        drawn = np.searchsorted(ends, asked + rng.random(len(asked)), side="right")
        drawn = np.minimum(drawn, len(ends) - 1)
        cells = pool.pair[drawn] * 3 + pool.outcome[drawn] + 1
        sums += np.bincount(cells, weights[drawn], minlength=pairs * 3).reshape(pairs, 3)
        done = goal
        found[step] = np.nan_to_num(expected_wins(*_tables(pool, sums)), nan=0.5)
    return found


def simulate(
    column: Column,
    policies: Sequence[str],
    *,
    replays: int = 100,
    seed: int = 0,
    random_share: float = 0.1,
    track: Track = lambda items, _: items,
) -> list[Needed]:
    """What each policy needs on one column, random among them as the measure of the others."""
    pool = pool_of(column, metrics=METRICS if "both" in policies else None)
    most = LONGEST * len(pool.outcome)
    goals = np.unique(np.geomspace(2 * len(pool.scores), most, STEPS).astype(np.int64))
    reached: dict[str, Floats] = {}
    for policy in dict.fromkeys(["random", *policies]):
        words = f"{column.name}, {policy}"
        reached[policy] = np.stack(
            [
                _reached(pool, replay(pool, policy, goals, np.random.default_rng([seed, number]),
                                      random_share=random_share))
                for number in track(range(replays), words)
            ]
        )  # fmt: skip
    rng = np.random.default_rng(seed)
    draws = rng.integers(replays, size=(RESAMPLES, replays))
    return [
        _needed(column, pool, goals, policy, place, reached, draws)
        for policy in policies
        for place in range(len(CRITERIA))
    ]


def _needed(
    column: Column, pool: Pool, goals: Ints, policy: str, place: int, reached: dict[str, Floats],
    draws: Ints,
) -> Needed:  # fmt: skip
    mine, base = reached[policy][:, :, place], reached["random"][:, :, place]
    needed, ever = _first(mine.mean(axis=0), goals)
    share = needed / _first(base.mean(axis=0), goals)[0]
    shares = np.array([
        _first(mine[rows].mean(axis=0), goals)[0] / _first(base[rows].mean(axis=0), goals)[0]
        for rows in draws
    ])
    low, high = percentile_interval(shares)
    return Needed(
        column.testset, column.pair, policy, CRITERIA[place], len(pool.scores), len(pool.outcome),
        needed, ever, share, low, high,
    )  # fmt: skip


def _first(values: Floats, goals: Ints) -> tuple[int, bool]:
    """The first number of judgements with which the target is reached, and whether it ever is."""
    good = values >= TARGET
    return (int(goals[int(good.argmax())]), True) if good.any() else (int(goals[-1]), False)


def _reached(pool: Pool, scores: Floats) -> Floats:
    """Tau with the whole campaign, and whether all clusters are in order, (goals, 2)."""
    one, other = np.triu_indices(len(pool.scores), 1)
    truth = np.sign(pool.scores[one] - pool.scores[other])
    agree = np.sign(scores[:, one] - scores[:, other]) * truth
    ordered = (agree > 0) | ~pool.apart[one, other]
    return np.stack([agree.mean(axis=1), ordered.all(axis=1)], axis=1)


def _chances(pool: Pool, policy: str, random_share: float) -> tuple[Floats, Floats]:
    """How likely each judgement is among those of its pair, and its weight."""
    count = np.bincount(pool.pair)[pool.pair]
    worth = pool.worth if policy == "both" else np.ones(len(pool.pair))
    chosen = worth / np.bincount(pool.pair, worth)[pool.pair]
    mixed = (1 - random_share) * chosen + random_share / count
    return mixed, 1 / (count * mixed)


def _tables(pool: Pool, sums: Floats) -> tuple[Floats, Floats]:
    """Wins and ties as tables of all systems."""
    k = len(pool.scores)
    wins, ties = np.zeros((k, k)), np.zeros((k, k))
    wins[pool.second, pool.first], wins[pool.first, pool.second] = sums[:, 0], sums[:, 2]
    ties[pool.first, pool.second] = ties[pool.second, pool.first] = sums[:, 1]
    return wins, ties


def _disagreement(column: Column, metrics: Sequence[str]) -> Floats:
    """How far metrics disagree about each judged pair of translations, above 0."""
    assert column.pairs is not None  # noqa: S101 - pool_of has looked
    translations, references = texts_of(column, "the policy both")
    differences = []
    for name in metrics:
        scores = score(translations, references, metric=name).segments
        scores = scores / max(float(scores.std()), 1e-9)
        sign = -1 if name == "ter" else 1
        differences.append(sign * (scores[column.pairs.better] - scores[column.pairs.worse]))
    return np.asarray(np.std(differences, axis=0) + 1e-3)

"""How far a metric's scores of held-out systems agree with people: Pearson's r, with its interval.

Both scores of a system, people's and the metric's, are computed again for each resample of the
segments. The r is averaged over the language pairs and test sets that have three systems or more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.correlation import pearson_rows
from concordant.stats.measured import mean_of_groups
from concordant.stats.resampling import bootstrap_weights, estimate_from
from concordant.stats.system_level import SystemLevel, Tally
from concordant.stats.system_ratings import expected_wins

if TYPE_CHECKING:
    from concordant.judgements.judged_systems import JudgedSystems
    from concordant.judgements.judged_translations import Floats, Ints, JudgedPairs
    from concordant.records import Estimate

RESAMPLES = 1000
FEWEST = 3


def system_agreement(
    scores: Floats, pairs: JudgedPairs, corpora: JudgedSystems, *, human: str, seed: int = 0
) -> Estimate | None:
    """Pearson's r over systems; None where no test set has three of them.

    `scores` are the metric's of all translations, `human` names people's score of a system.
    """
    places: dict[tuple[str, str], list[int]] = {}
    for i, (pair, testset, _) in enumerate(corpora.names):
        places.setdefault((pair, testset), []).append(i)
    values, drawn = [], []
    for number, systems in enumerate(places.values()):
        if len(systems) < FEWEST:
            continue
        measured = _system_level(scores, pairs, corpora, systems, human)
        rng = np.random.default_rng([seed, number])
        units = len(measured.human.counts)
        try:
            values.append(measured.value())
        except UndefinedStatistic:
            continue  # all systems alike, for people or for the metric: there is no r
        drawn.append(measured.resample(bootstrap_weights(units, RESAMPLES, rng)))
    if not values:
        return None
    method = f"bootstrap over segments, {RESAMPLES} resamples"
    systems_of_all = sum(len(each) for each in places.values() if len(each) >= FEWEST)
    return estimate_from(
        float(np.mean(values)), np.mean(drawn, axis=0), systems_of_all, method=method
    )


def _system_level(
    scores: Floats, pairs: JudgedPairs, corpora: JudgedSystems, systems: list[int], human: str
) -> SystemLevel:
    rows = np.concatenate([corpora.rows[i] for i in systems])
    system = np.repeat(np.arange(len(systems)), [len(corpora.rows[i]) for i in systems])
    _, unit = np.unique([pairs.places[row][2] for row in rows], return_inverse=True)
    shape = (int(unit.max()) + 1, len(systems))
    if human == "ratings" and pairs.ratings is not None:
        rated = ~np.isnan(pairs.ratings[rows])
        people = _means(pairs.ratings[rows][rated], unit[rated], system[rated], shape)
    else:
        people = _wins(pairs, rows, unit, system, shape)
    return SystemLevel(people, _means(scores[rows], unit, system, shape), pearson_rows, "pearson")


def _means(values: Floats, unit: Ints, system: Ints, shape: tuple[int, int]) -> Tally:
    table = np.zeros((*shape, 2))
    np.add.at(table, (unit, system), np.stack([values, np.ones_like(values)], axis=-1))
    return Tally(table, mean_of_groups, mean=True)


def _wins(
    pairs: JudgedPairs, rows: Ints, unit: Ints, system: Ints, shape: tuple[int, int]
) -> Tally:
    place = {int(row): i for i, row in enumerate(rows)}
    decided = np.ones(len(pairs), dtype=bool) if pairs.tie is None else ~pairs.tie
    table = np.zeros((*shape, shape[1]))
    for i in np.flatnonzero(decided):
        better, worse = place.get(int(pairs.better[i])), place.get(int(pairs.worse[i]))
        if better is not None and worse is not None:
            table[unit[better], system[better], system[worse]] += pairs.weight[i]
    return Tally(table, lambda wins: expected_wins(wins, np.zeros_like(wins)))

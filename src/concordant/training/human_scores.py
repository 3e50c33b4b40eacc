"""People's scores of systems that training learns from, from the judgements of one side of a split.

Expected Wins (Koehn 2012), as in Stanojević and Sima'an 2017, §2.2, or the mean of ratings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.stats.system_ratings import expected_wins

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.judgements.judged_systems import JudgedSystems, Name, SystemScores
    from concordant.judgements.judged_translations import JudgedPairs


def refuse_no_systems(sides: Mapping[str, JudgedSystems]) -> None:
    """Training on corpora needs two systems to compare, on the sides trained and validated on."""
    for name in ("training", "validation"):
        if not len(sides[name]):
            systems = len(sides[name].names)
            raise ConcordantError(
                f"the {name} side has no two systems with different human scores ({systems} have a "
                "name and a score); give judgements that name systems, or set objective.kind = "
                '"sentence"'
            )


def _expected_wins(pairs: JudgedPairs, rows: Mapping[Name, Sequence[int]]) -> dict[Name, float]:
    """Each system's mean chance to win against another, in [0, 1]; ties do not count."""
    systems: dict[tuple[str, str], list[Name]] = {}
    for name in rows:
        systems.setdefault(name[:2], []).append(name)
    decided = np.ones(len(pairs), dtype=bool) if pairs.tie is None else ~pairs.tie
    wins: dict[tuple[Name, Name], float] = {}
    for better, worse, count in zip(
        pairs.better[decided], pairs.worse[decided], pairs.weight[decided], strict=True
    ):
        pair, testset, _ = pairs.places[better]
        key = ((pair, testset, pairs.systems[better]), (pair, testset, pairs.systems[worse]))
        wins[key] = wins.get(key, 0.0) + count
    scores: dict[Name, float] = {}
    for names in systems.values():
        won = np.array([[wins.get((one, other), 0.0) for other in names] for one in names])
        found = expected_wins(won, np.zeros_like(won))
        scores |= {n: float(v) for n, v in zip(names, found, strict=True) if not np.isnan(v)}
    return scores


def _mean_ratings(pairs: JudgedPairs, rows: Mapping[Name, Sequence[int]]) -> dict[Name, float]:
    """Each system's mean rating, where 0 is the lowest segment rating and 1 the highest."""
    if pairs.ratings is None:
        raise ConcordantError(
            'objective.systems = "ratings" needs ratings of translations; there are none'
        )
    low, high = np.nanmin(pairs.ratings), np.nanmax(pairs.ratings)
    if low == high:
        raise ConcordantError(f"every rating is {low:g}; there is nothing to learn")
    shares = (pairs.ratings - low) / (high - low)
    found = {name: shares[list(of)] for name, of in rows.items()}
    return {n: float(np.nanmean(v)) for n, v in found.items() if not np.isnan(v).all()}


# Name of people's score of a system → how to compute it from judged pairs and the systems' rows.
HUMAN_SCORES: dict[str, SystemScores] = {"wins": _expected_wins, "ratings": _mean_ratings}

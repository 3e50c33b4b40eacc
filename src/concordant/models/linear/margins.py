"""The margin between the scores of a judged pair: constant, or by people's confidence.

The paper (Stanojević and Sima'an 2017) wants 1 for every judgement. Beyond it, a pair that judges
disagree on may be asked for less, and ratings say themselves by how much one translation is better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.judgements.judged_translations import Bools, Floats, Ints, JudgedPairs


@dataclass(frozen=True)
class MarginPairs:
    """Judged pairs by their rows, the better one first, each with its margin.

    `tie` says which pairs are tied, None if none is; the margin of a tie does not count.
    """

    better: Ints
    worse: Ints
    margin: Floats
    tie: Bools | None = None


def margin_pairs(pairs: JudgedPairs, how: str = "one") -> MarginPairs:
    """Judged pairs with their margins (see MARGINS), a pair judged n times n times."""
    rows, margin = MARGINS[how](pairs)
    if not len(rows):
        raise ConcordantError("no pair has a majority of judgements; nothing to learn")
    times = pairs.weight[rows].astype(np.int64)
    tie = None if pairs.tie is None else np.repeat(pairs.tie[rows], times)
    return MarginPairs(
        np.repeat(pairs.better[rows], times),
        np.repeat(pairs.worse[rows], times),
        np.repeat(margin, times),
        tie,
    )


def _one(pairs: JudgedPairs) -> tuple[Ints, Floats]:
    return np.arange(len(pairs)), np.ones(len(pairs))


def _agreement(pairs: JudgedPairs) -> tuple[Ints, Floats]:
    """Of the judgements of a pair, how many more were for than against it: a share of all.

    A judgement that most others contradict is left out; so is a pair that nobody won. Ties count as
    judgements that are neither for nor against.
    """
    keys = np.sort(np.stack([pairs.better, pairs.worse], axis=-1), axis=-1)
    _, number = np.unique(keys, axis=0, return_inverse=True)
    number = number.reshape(-1)
    tie = np.zeros(len(pairs), dtype=bool) if pairs.tie is None else pairs.tie
    sign = np.where(tie, 0.0, np.where(pairs.better == keys[:, 0], 1.0, -1.0))
    net = np.bincount(number, sign * pairs.weight)[number] * sign
    total = np.bincount(number, pairs.weight)[number]
    rows = np.flatnonzero(tie | (net > 0))
    return rows, (net / total)[rows]


def _ratings(pairs: JudgedPairs) -> tuple[Ints, Floats]:
    """The gap between the two ratings, where the mean gap is 1."""
    if pairs.ratings is None:
        raise ConcordantError(
            'objective.margin = "ratings" needs ratings of translations; these judgements have none'
        )
    gaps = np.abs(pairs.ratings[pairs.better] - pairs.ratings[pairs.worse])
    if np.isnan(gaps).any():
        raise ConcordantError(
            f'objective.margin = "ratings", but {int(np.isnan(gaps).sum())} judged pairs have a '
            'translation without a rating; set data.kind = "ratings"'
        )
    return np.arange(len(pairs)), gaps / gaps.mean()


# Name → the pairs to learn from and the margin of each.
MARGINS: dict[str, Callable[[JudgedPairs], tuple[Ints, Floats]]] = {
    "one": _one,
    "agreement": _agreement,
    "ratings": _ratings,
}

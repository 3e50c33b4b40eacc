"""Where the next judgement settles most: which two systems to compare, which system to rate.

Systems are ranked by expected wins or mean ratings, as `concordant data systems` ranks them, so
what is asked next never changes what is estimated. Of every two neighbours in the ranking, the
probability that their order is wrong follows from a normal approximation; it falls with the
variance of their difference, fastest where the order is most doubtful. For these weights the best
division of all judgements is Neyman's (1934): in proportion to the root of weight times variance.
What a pair lacks of its part is asked next.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtr

if TYPE_CHECKING:
    from concordant.stats.arrays import Floats, Ints

PRIOR = 0.5  # wins each way that every two systems begin with
AHEAD = 0.05  # by how much more than what there is a division looks ahead


class Neighbours(NamedTuple):
    """Neighbours in a ranking, better one first, and the probability that they are in disorder."""

    better: Ints
    worse: Ints
    doubt: Floats


def pair_lacks(wins: Floats, ties: Floats) -> Floats:
    """How many judgements each two systems lack of their part, (k, k), at least 0, symmetric.

    >>> wins = np.array([[0, 9, 5.0], [1, 0, 5], [5, 5, 0]])
    >>> lacks = pair_lacks(wins, np.zeros((3, 3)))
    >>> bool(lacks[0, 2] > lacks[0, 1])
    True
    """
    pairs, variance, doubts, coefficients = _pair_terms(wins)
    i, j = pairs.T
    decided = wins[i, j] + wins[j, i]
    asked = decided + ties[i, j]
    useful = (decided + 1) / (asked + 1)  # ties say nothing of expected wins
    single = variance * (decided + 2 * PRIOR)  # of one decided judgement
    parts = np.sqrt((doubts @ coefficients**2) * single / useful)
    lacks = np.zeros_like(wins)
    lacks[i, j] = lacks[j, i] = _lacking(asked, parts)
    return lacks


def pair_doubts(wins: Floats) -> Neighbours:
    """How doubtful the order of each two neighbours by expected wins is, from 0 to 1/2."""
    scores, difference, deviation = _differences(wins)
    order = np.argsort(-scores, kind="stable")
    better, worse = order[:-1], order[1:]
    return Neighbours(better, worse, ndtr(-difference[better, worse] / deviation[better, worse]))


def rating_lacks(counts: Floats, sums: Floats, squares: Floats) -> Floats:
    """How many ratings each system lacks of its part, (k,), at least 0.

    >>> counts, means = np.full(3, 5.0), np.array([50.0, 52, 90])
    >>> int(rating_lacks(counts, 5 * means, 5 * (means**2 + 100)).argmin())
    2
    """
    means, variances = _means(counts, sums, squares)
    order = np.argsort(-means, kind="stable")
    weights = np.zeros(len(counts))
    for one, other in itertools.pairwise(order):
        deviation = np.sqrt(variances[one] / counts[one] + variances[other] / counts[other])
        weights[[one, other]] += _density((means[one] - means[other]) / deviation) / deviation
    return _lacking(counts, np.sqrt(weights * variances))


def rating_doubts(counts: Floats, sums: Floats, squares: Floats) -> Neighbours:
    """How doubtful the order of each two neighbours by mean rating is, from 0 to 1/2."""
    means, variances = _means(counts, sums, squares)
    order = np.argsort(-means, kind="stable")
    better, worse = order[:-1], order[1:]
    spread = variances / counts
    z = (means[better] - means[worse]) / np.sqrt(spread[better] + spread[worse])
    return Neighbours(better, worse, ndtr(-z))


def _lacking(asked: Floats, parts: Floats) -> Floats:
    """What is missing where a few more judgements than there are were divided in these parts."""
    total = float(asked.sum()) * (1 + AHEAD) + len(asked)
    return np.maximum(parts / max(float(parts.sum()), 1e-300) * total - asked, 0.0)


def _pair_terms(wins: Floats) -> tuple[Ints, Floats, Floats, Floats]:
    """All pairs, the variance of their shares, and for neighbours the weight of their doubt.

    The last is what each pair's share adds to each difference of neighbours, (k - 1, pairs).
    """
    k = len(wins)
    pairs = np.array(list(itertools.combinations(range(k), 2)))
    i, j = pairs.T
    games = wins[i, j] + wins[j, i] + 2 * PRIOR
    share = (wins[i, j] + PRIOR) / games
    variance = share * (1 - share) / games
    incidence = np.zeros((k, len(pairs)))
    incidence[i, np.arange(len(pairs))] = 1 / (k - 1)
    incidence[j, np.arange(len(pairs))] = -1 / (k - 1)
    scores = incidence @ (share - 0.5)
    order = np.argsort(-scores, kind="stable")
    coefficients = incidence[order[:-1]] - incidence[order[1:]]
    deviation = np.sqrt(coefficients**2 @ variance)
    difference = scores[order[:-1]] - scores[order[1:]]
    return pairs, variance, _density(difference / deviation) / deviation, coefficients


def _differences(wins: Floats) -> tuple[Floats, Floats, Floats]:
    """Expected wins, their differences between all systems, and the deviations of these."""
    k = len(wins)
    games = wins + wins.T + 2 * PRIOR
    share = (wins + PRIOR) / games
    np.fill_diagonal(share, 0.5)
    variance = share * (1 - share) / games
    np.fill_diagonal(variance, 0.0)
    scores = (share - 0.5).sum(axis=1) / (k - 1)
    own = variance.sum(axis=1)
    # The two systems' own pair counts in both scores: its coefficient is 2, squared 4, not 1 + 1.
    spread = (own[:, None] + own[None, :] + 2 * variance) / (k - 1) ** 2
    return scores, scores[:, None] - scores[None, :], np.sqrt(spread)


def _means(counts: Floats, sums: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """Means and variances; a system with few ratings takes the variance of all."""
    means = sums / counts
    within = np.maximum(squares - counts * means**2, 0.0)
    free = max(1.0, float(counts.sum()) - len(counts))
    pooled = max(float(within.sum()) / free, 1e-6)
    return means, np.where(
        counts > 10, np.maximum(within / np.maximum(counts - 1, 1), 1e-6), pooled
    )


def _density(z: Floats) -> Floats:
    return np.asarray(np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi))

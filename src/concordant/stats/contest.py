"""Which of several systems is better on this test set? All of them against each other.

"Count, then compute": a segment is a row of counts, a test set is their sum, and a score is a
function of one such sum. A resample of the test set is then another sum (paired bootstrap, Koehn
2004), and so is a test set in which two systems have swapped some of their translations
(approximate randomisation, Riezler and Maxwell 2005). Every system meets the same resamples and the
same coins, so that intervals, rank ranges and all pairs come from one pass. Both p-values of all
pairs are corrected by Holm.

Ranks follow from the tests, so that they never say more than those (see `ranks`).

How small a difference can this test set detect? The detectable difference of two systems is
(z₁₋α/₂ + z₀.₈) · s, where s is the standard deviation of their resampled differences: a true
difference of that size would be significant in 80 % of such test sets (Card et al.
2020, who recommend this power).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from concordant.brief import Brief
from concordant.errors import UndefinedStatistic
from concordant.stats.arrays import finite
from concordant.stats.draws import block_sizes, coins, resampled_sums
from concordant.stats.quantiles import percentile_interval
from concordant.stats.ranks import clusters, ranges_from_tests
from concordant.stats.significance import ROUNDING, holm, permutation_p

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from concordant.stats.arrays import Floats, Ints

    Score = Callable[[Floats], Floats]

POWER = 0.8


@dataclass(frozen=True)
class ContestStanding:
    """A system's score with its interval, its range of ranks, and its cluster, 1 for the best."""

    score: float
    low: float
    high: float
    best_rank: int
    worst_rank: int
    cluster: int


@dataclass(frozen=True)
class PairTest:
    """How much higher the first system scores than the second, with significance.

    `p_…` are two-sided, `…_holm` corrected for all pairs; `ahead` is the share of resamples where
    the first is higher, `tied` where both are equal; `detectable` the difference that this test set
    detects with 80 % power. `…_at_floor` says that no draw was as extreme: the p-value is the
    smallest that so many draws can give, and the true one lies below it.
    """

    first: int
    second: int
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_bootstrap_holm: float
    p_randomisation: float
    p_randomisation_holm: float
    ahead: float
    tied: float
    detectable: float
    bootstrap_at_floor: bool = False
    randomisation_at_floor: bool = False

    def significant(self, alpha: float) -> bool:
        """Whether both tests are significant, corrected for all pairs."""
        return max(self.p_bootstrap_holm, self.p_randomisation_holm) < alpha

    @property
    def order(self) -> tuple[int, int]:
        """The system that scores higher, then the other."""
        return (self.first, self.second) if self.difference > 0 else (self.second, self.first)


@dataclass(frozen=True, repr=False)
class Contest(Brief):
    """The systems in the order given, and all pairs of them; `units` were resampled."""

    standings: tuple[ContestStanding, ...]
    pairs: tuple[PairTest, ...]
    units: int


def contest(
    counts: Sequence[npt.ArrayLike],
    score: Score,
    *,
    rng: np.random.Generator,
    groups: npt.ArrayLike | None = None,
    n_resamples: int = 1000,
    n_permutations: int = 10_000,
    level: float = 0.95,
) -> Contest:
    """All systems against each other, from their counts (segments, k), one array a system.

    `score` maps sums of counts (…, k) to numbers (…), better when higher. `groups` names the
    document of each segment; documents are then drawn or swapped as a whole.

    >>> good, bad = np.array([0.5, 0.7, 0.6, 0.9]), np.array([0.4, 0.6, 0.5, 0.8])
    >>> systems = [np.stack([each, np.ones(4)], axis=1) for each in (bad, good)]
    >>> mean = lambda sums: sums[..., 0] / sums[..., 1]
    >>> result = contest(systems, mean, rng=np.random.default_rng(0), n_permutations=99)
    >>> round(result.pairs[0].difference, 3), result.pairs[0].ahead, result.standings[1].cluster
    (-0.1, 0.0, 1)
    """
    units = _units(counts, groups)  # (systems, units, k)
    scores = _resampled_scores(units, score, n_resamples, rng)  # (resamples, systems)
    observed = score(units.sum(axis=1))
    shuffled = _shuffle(units, n_permutations, rng)  # (permutations, systems, k)
    pairs = list(combinations(range(len(units)), 2))
    seen = [float(_difference(observed[i], observed[j])) for i, j in pairs]
    drawn = [_difference(scores[:, i], scores[:, j]) for i, j in pairs]
    # Resampled differences, moved to have mean 0: as far from 0 as the observed one is?
    resampled = [permutation_p(d, row - row.mean()) for d, row in zip(seen, drawn, strict=True)]
    swapped = [_randomisation_p(units, shuffled, score, i, j) for i, j in pairs]
    corrected = holm(resampled).tolist(), holm(swapped).tolist()
    tests = tuple(
        PairTest(
            i, j, seen[row], *percentile_interval(drawn[row], level=level),
            p_bootstrap=resampled[row],
            p_bootstrap_holm=corrected[0][row],
            p_randomisation=swapped[row],
            p_randomisation_holm=corrected[1][row],
            ahead=float(np.mean(drawn[row] > 0)),
            tied=float(np.mean(drawn[row] == 0)),
            detectable=detectable(float(drawn[row].std(ddof=1)), level),
            bootstrap_at_floor=at_floor(resampled[row], n_resamples),
            randomisation_at_floor=at_floor(swapped[row], n_permutations),
        )
        for row, (i, j) in enumerate(pairs)
    )  # fmt: skip
    ordered = (each.order for each in tests if each.significant(1 - level))
    standings = _standings(observed, scores, ranges_from_tests(ordered, len(units)), level)
    return Contest(standings, tests, units.shape[1])


def against(pairs: Sequence[PairTest], system: int) -> tuple[PairTest, ...]:
    """The tests of one system against each other one, corrected by Holm for these alone.

    >>> good, bad = np.array([0.5, 0.7, 0.6, 0.9]), np.array([0.4, 0.6, 0.5, 0.8])
    >>> systems = [np.stack([each, np.ones(4)], axis=1) for each in (bad, good, bad)]
    >>> mean = lambda sums: sums[..., 0] / sums[..., 1]
    >>> pairs = contest(systems, mean, rng=np.random.default_rng(0), n_permutations=99).pairs
    >>> [(each.first, each.second) for each in against(pairs, 1)]
    [(0, 1), (1, 2)]
    """
    found = [each for each in pairs if system in {each.first, each.second}]
    corrected = (
        holm([each.p_bootstrap for each in found]).tolist(),
        holm([each.p_randomisation for each in found]).tolist(),
    )
    return tuple(
        replace(each, p_bootstrap_holm=one, p_randomisation_holm=two)
        for each, one, two in zip(found, *corrected, strict=True)
    )


def detectable(spread: float, level: float = 0.95) -> float:
    """The difference detected with 80 % power, if differences have standard deviation `spread`.

    >>> round(detectable(1.0), 3)
    2.802
    """
    return float((ndtri((1 + level) / 2) + ndtri(POWER)) * spread)


def at_floor(p: float, draws: int) -> bool:
    """Whether a p-value is the smallest that a number of draws can give.

    >>> at_floor(1 / 1001, 1000), at_floor(2 / 1001, 1000)
    (True, False)
    """
    return p * (draws + 1) < 1.5  # one of n + 1: the observed difference itself


def _units(counts: Sequence[npt.ArrayLike], groups: npt.ArrayLike | None) -> Floats:
    """The counts of all systems, summed over documents where there are any."""
    if len(counts) < 2:
        raise UndefinedStatistic(f"{len(counts)} system cannot be compared; at least 2 are needed")
    arrays = [finite(each, f"counts of system {i}") for i, each in enumerate(counts, 1)]
    if len({each.shape for each in arrays}) > 1 or arrays[0].ndim != 2:
        shapes = ", ".join(str(each.shape) for each in arrays)
        raise UndefinedStatistic(f"counts of shape {shapes}; all must be the same (segments, k)")
    if groups is not None:
        arrays = [_sum(each, np.asarray(groups)) for each in arrays]
    if len(arrays[0]) < 2:
        what = "segment" if groups is None else "document"
        raise UndefinedStatistic(f"{len(arrays[0])} {what} to resample; at least 2 are needed")
    return np.stack(arrays)


def _resampled_scores(
    units: Floats, score: Score, n_resamples: int, rng: np.random.Generator
) -> Floats:
    systems, rows, width = units.shape
    side_by_side = units.transpose(1, 0, 2).reshape(rows, systems * width)
    return np.concatenate([
        score(sums.reshape(len(sums), systems, width))
        for sums in resampled_sums(side_by_side, n_resamples, rng)
    ])


def _shuffle(units: Floats, n_permutations: int, rng: np.random.Generator) -> Floats:
    """The counts that each system would exchange: summed over the units its coins select."""
    systems, rows, width = units.shape
    side_by_side = units.transpose(1, 0, 2).reshape(rows, systems * width)
    return np.concatenate([
        coins(rng, size, rows).astype(np.float64) @ side_by_side
        for size in block_sizes(n_permutations, rows)
    ]).reshape(n_permutations, systems, width)


def _randomisation_p(units: Floats, shuffled: Floats, score: Score, i: int, j: int) -> float:
    total_i, total_j = units[i].sum(axis=0), units[j].sum(axis=0)
    moved = shuffled[:, j] - shuffled[:, i]
    null = _difference(score(total_i + moved), score(total_j - moved))
    return permutation_p(float(_difference(score(total_i), score(total_j))), null)


def _standings(
    observed: Floats, scores: Floats, ranges: Ints, level: float
) -> tuple[ContestStanding, ...]:
    group = clusters(ranges)
    return tuple(
        ContestStanding(
            float(observed[i]),
            *percentile_interval(scores[:, i], level=level),
            int(best),
            int(worst),
            group[i],
        )
        for i, (best, worst) in enumerate(ranges)
    )


def _difference(first: Floats, second: Floats) -> Floats:
    """The first scores minus the second ones, exactly 0 where they are equal up to rounding.

    Rounding is of the largest score's size: of a mean near 0 the segments' scores were not near 0.
    """
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise UndefinedStatistic(
            "the score of a resampled test set is not a number; add segments or use smoothing"
        )
    difference = np.asarray(first - second)
    size = np.maximum(np.abs(first), np.abs(second)).max(initial=0.0)
    return np.where(np.abs(difference) <= ROUNDING * size, 0.0, difference)


def _sum(counts: Floats, groups: npt.NDArray[np.generic]) -> Floats:
    """Counts summed over the segments of each group."""
    if groups.shape != counts.shape[:1]:
        raise UndefinedStatistic(
            f"{groups.size} groups for {len(counts)} segments; every segment needs its document"
        )
    names, index = np.unique(groups, return_inverse=True)
    sums = np.zeros((len(names), counts.shape[1]))
    np.add.at(sums, index, counts)
    return sums

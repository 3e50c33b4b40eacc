"""Is system a better than system b on this test set? Paired bootstrap, approximate randomisation.

Both are "count, then compute": a segment is a row of counts, a test set is their sum, and a score
is a function of one such sum. A resample of the test set is then another sum (Koehn 2004), and so
is a test set in which a and b have swapped some of their translations (Riezler and Maxwell 2005).
`groups` names the document of each segment; documents are drawn or swapped as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.arrays import finite
from concordant.stats.draws import block_sizes, coins, resampled_sums
from concordant.stats.quantiles import percentile_interval
from concordant.stats.significance import ROUNDING, permutation_p

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from concordant.stats.arrays import Floats

    Score = Callable[[Floats], Floats]


@dataclass(frozen=True)
class BootstrapComparison:
    """How much higher a scores than b, in `n_resamples` resamples of the test set.

    `wins` is the share of resamples where a is higher, `ties` where both are equal; `p` is
    two-sided.
    """

    difference: float
    low: float
    high: float
    level: float
    wins: float
    ties: float
    p: float
    n: int
    n_resamples: int


@dataclass(frozen=True)
class RandomisationTest:
    """How much higher a scores than b, and how often chance alone gives as much (two-sided)."""

    difference: float
    p: float
    n: int
    n_permutations: int


def mean_score(sums: Floats) -> Floats:
    """The mean of scores whose counts are (score, 1), the default: last axis (sum, number)."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def paired_bootstrap(
    a_counts: npt.ArrayLike,
    b_counts: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    score: Score = mean_score,
    groups: npt.ArrayLike | None = None,
    n_resamples: int = 1000,
    level: float = 0.95,
) -> BootstrapComparison:
    """The difference a - b with its interval, and in how many resamples a is ahead.

    Counts are (segments, k), or plain segment scores, whose mean is taken. `score` maps sums of
    counts (…, k) to numbers (…) and must be better when higher for `wins` to mean it.

    The p-value is the share of resamples, moved to have mean 0, that lie as far from 0 as the
    observed difference does.

    >>> a = [0.5, 0.7, 0.6, 0.9]
    >>> result = paired_bootstrap(a, [0.4, 0.6, 0.5, 0.8], rng=np.random.default_rng(0))
    >>> round(result.difference, 3), result.wins, result.ties
    (0.1, 1.0, 0.0)
    """
    a, b = _counts(a_counts, b_counts, groups)
    both = np.concatenate([a, b], axis=1)
    differences = np.concatenate([
        _difference(sums, score) for sums in resampled_sums(both, n_resamples, rng)
    ])
    observed = float(_difference(both.sum(axis=0), score))
    return bootstrap_comparison(observed, differences, n=len(a), level=level)


def bootstrap_comparison(
    observed: float, differences: Floats, *, n: int, level: float = 0.95
) -> BootstrapComparison:
    """What resampled differences of two systems say of the observed one."""
    low, high = percentile_interval(differences, level=level)
    return BootstrapComparison(
        difference=observed,
        low=low,
        high=high,
        level=level,
        wins=float(np.mean(differences > 0)),
        ties=float(np.mean(differences == 0)),
        p=permutation_p(observed, differences - differences.mean()),
        n=n,
        n_resamples=len(differences),
    )


def approximate_randomisation(
    a_counts: npt.ArrayLike,
    b_counts: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    score: Score = mean_score,
    groups: npt.ArrayLike | None = None,
    n_permutations: int = 10_000,
) -> RandomisationTest:
    """The difference a - b, and the share of random swaps between a and b that give as much.

    Counts, `score` and `groups` as in `paired_bootstrap`.

    >>> a = [0.5, 0.7, 0.6, 0.9]
    >>> approximate_randomisation(a, a, rng=np.random.default_rng(0)).p
    1.0
    """
    a, b = _counts(a_counts, b_counts, groups)
    total_a, total_b = a.sum(axis=0), b.sum(axis=0)
    null = []
    for size in block_sizes(n_permutations, len(a)):
        moved = coins(rng, size, len(a)).astype(np.float64) @ (b - a)
        null.append(_difference(np.concatenate([total_a + moved, total_b - moved], axis=-1), score))
    observed = float(_difference(np.concatenate([total_a, total_b]), score))
    p = permutation_p(observed, np.concatenate(null))
    return RandomisationTest(observed, p, len(a), n_permutations)


def _difference(sums: Floats, score: Score) -> Floats:
    """Score of the first half of the columns minus that of the second; exactly 0 up to rounding."""
    half = sums.shape[-1] // 2
    return difference_of(score(sums[..., :half]), score(sums[..., half:]))


def difference_of(first: Floats, second: Floats) -> Floats:
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


def _counts(
    a_counts: npt.ArrayLike, b_counts: npt.ArrayLike, groups: npt.ArrayLike | None
) -> tuple[Floats, Floats]:
    """Counts of both systems with one row a unit (segment or document)."""
    a, b = finite(a_counts, "the first system's counts"), finite(b_counts, "the second system's")
    if a.shape != b.shape or a.ndim not in {1, 2}:
        raise UndefinedStatistic(
            f"counts of shape {a.shape} and {b.shape}; both systems need the same segments, "
            "(segments,) or (segments, k)"
        )
    if a.ndim == 1:
        a, b = (np.stack([scores, np.ones_like(scores)], axis=1) for scores in (a, b))
    if groups is not None:
        a, b = (summed(counts, np.asarray(groups)) for counts in (a, b))
    if len(a) < 2:
        what = "segment" if groups is None else "document"
        raise UndefinedStatistic(f"{len(a)} {what}s to resample; at least 2 are needed")
    return a, b


def summed(counts: Floats, groups: npt.NDArray[np.generic]) -> Floats:
    """Counts summed over the segments of each group."""
    if groups.shape != counts.shape[:1]:
        raise UndefinedStatistic(
            f"{groups.size} groups for {len(counts)} segments; every segment needs its document"
        )
    names, index = np.unique(groups, return_inverse=True)
    sums = np.zeros((len(names), counts.shape[1]))
    np.add.at(sums, index, counts)
    return sums

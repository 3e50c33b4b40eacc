"""Hybrid super-sampling: thousands of systems from a few real ones (Graham and Liu 2016).

A dozen systems are too few to distinguish two metrics by system-level correlations. A hybrid
system takes each segment's translation from one of two real systems at random; its
human score and its metric scores are the means over the translations taken. Metrics are then
compared over 10,000 hybrids by Williams' test.

Hybrids share segments and systems, so that they are many but not independent: the test says that
a difference will show again on hybrids of the same systems and segments, not on new ones.

Where people scored only some translations, a hybrid's scores are the means over those that it takes
and that people scored. That is our own extension, for data in which systems share few segments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm

from concordant.errors import UndefinedStatistic
from concordant.stats.arrays import finite
from concordant.stats.correlation import divide, pearson
from concordant.stats.draws import block_sizes, coins
from concordant.stats.significance import ROUNDING, Williams, williams

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from concordant.stats.arrays import Bools, Floats

N_HYBRIDS = 10_000


@dataclass(frozen=True)
class HybridComparison:
    """Two metrics' correlations with people over hybrids; the interval is of their difference."""

    first: float
    second: float
    between: float
    difference: float
    low: float
    high: float
    level: float
    test: Williams
    n_hybrids: int


def hybrid_scores(
    matrices: Sequence[npt.ArrayLike],
    *,
    rng: np.random.Generator,
    n_hybrids: int = N_HYBRIDS,
    judged: npt.ArrayLike | None = None,
) -> Floats:
    """The mean scores of the same random hybrids under each matrix, (matrices, hybrids).

    Every matrix is (systems, segments); a hybrid is drawn from two different systems, each pair
    with equal chance. `judged` says which translations count, all without it; the values of others
    may be any finite numbers. A hybrid that takes none that counts is left out.

    >>> human = [[1.0, 1.0], [3.0, 3.0]]
    >>> hybrid_scores([human], rng=np.random.default_rng(0), n_hybrids=4).tolist()
    [[2.0, 1.0, 1.0, 2.0]]
    """
    scores = _stack(matrices)
    _, systems, segments = scores.shape
    counted = _mask(judged, (systems, segments))
    one = rng.integers(systems, size=n_hybrids)
    other = (one + rng.integers(1, systems, size=n_hybrids)) % systems
    means = np.empty((len(scores), n_hybrids))
    done = 0
    for size in block_sizes(n_hybrids, segments):
        drawn = slice(done, done + size)
        take_one = coins(rng, size, segments)
        taken = None
        if counted is not None:
            taken = np.where(take_one, counted[one[drawn]], counted[other[drawn]])
        for mean, matrix in zip(means, scores, strict=True):
            rest = matrix[other[drawn]]
            mean[drawn] = _means(rest + take_one * (matrix[one[drawn]] - rest), taken)
        done += size
    return _with_scores(means)


def compare_on_hybrids(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    n_hybrids: int = N_HYBRIDS,
    level: float = 0.95,
    judged: npt.ArrayLike | None = None,
) -> HybridComparison:
    """How much better x correlates (Pearson) with people than y over hybrids; positive: better.

    Tested by Williams' test; the interval is Zou's (2007) for two correlations that share a
    variable. `judged` says which translations people scored, all without it.

    >>> rng = np.random.default_rng(0)
    >>> human = rng.normal(size=(5, 50))
    >>> better, worse = (human + rng.normal(0, noise, human.shape) for noise in (1, 3))
    >>> result = compare_on_hybrids(better, worse, human, rng=rng)
    >>> result.low > 0, result.test.p_two_sided < 0.001
    (True, True)
    """
    first, second, people = hybrid_scores(
        [x, y, human], rng=rng, n_hybrids=n_hybrids, judged=judged
    )
    r_1h, r_2h, r_12 = pearson(first, people), pearson(second, people), pearson(first, second)
    n = len(people)
    low, high = difference_interval(r_1h, r_2h, r_12, n, level=level)
    test = williams(r_1h, r_2h, r_12, n)
    return HybridComparison(r_1h, r_2h, r_12, r_1h - r_2h, low, high, level, test, n)


def difference_interval(
    r_1h: float, r_2h: float, r_12: float, n: int, *, level: float = 0.95
) -> tuple[float, float]:
    """Zou's interval of r_1h − r_2h, two correlations with the same variable over n points.

    >>> low, high = difference_interval(0.396, 0.179, 0.088, 66)
    >>> round(low, 3), round(high, 3)
    (-0.093, 0.517)
    """
    if n < 4:
        raise UndefinedStatistic(f"an interval from {n} points; at least 4 are needed")
    reach = norm.ppf((1 + level) / 2) / np.sqrt(n - 3)
    bounded = np.clip([r_1h, r_2h], -1 + ROUNDING, 1 - ROUNDING)
    low = np.tanh(np.arctanh(bounded) - reach)
    high = np.tanh(np.arctanh(bounded) + reach)
    free = np.prod(1 - bounded**2)
    shared = (r_12 - r_1h * r_2h / 2) * (1 - r_1h**2 - r_2h**2 - r_12**2) + r_12**3
    overlap = np.clip(shared / free, -1, 1)
    down, up = bounded - low, high - bounded
    below = down[0] ** 2 + up[1] ** 2 - 2 * overlap * down[0] * up[1]
    above = up[0] ** 2 + down[1] ** 2 - 2 * overlap * up[0] * down[1]
    difference = r_1h - r_2h
    return (
        float(difference - np.sqrt(max(0.0, below))),
        float(difference + np.sqrt(max(0.0, above))),
    )


def _means(values: Floats, taken: Bools | None) -> Floats:
    """The mean of each row, over what was taken; NaN where nothing was."""
    if taken is None:
        return np.asarray(values.mean(axis=-1))
    return divide((values * taken).sum(axis=-1), taken.sum(axis=-1).astype(np.float64))


def _with_scores(means: Floats) -> Floats:
    """The hybrids that have scores, which must be the most of them."""
    scored = np.flatnonzero(~np.isnan(means).any(axis=0))
    drawn = means.shape[1]
    if 2 * len(scored) < drawn:
        raise UndefinedStatistic(
            f"{drawn - len(scored)} of {drawn} hybrids have no translation that people "
            "scored; too few are scored for hybrids"
        )
    return means[:, scored]


def _mask(judged: npt.ArrayLike | None, shape: tuple[int, int]) -> Bools | None:
    if judged is None:
        return None
    mask = np.asarray(judged, dtype=bool)
    if mask.shape != shape:
        raise UndefinedStatistic(f"judged has shape {mask.shape}, but the scores have {shape}")
    return mask


def _stack(matrices: Sequence[npt.ArrayLike]) -> Floats:
    """The matrices as one array, once they are found to agree."""
    arrays = [finite(matrix, "a score matrix") for matrix in matrices]
    shapes = {array.shape for array in arrays}
    if len(shapes) != 1 or arrays[0].ndim != 2:
        raise UndefinedStatistic(
            f"score matrices of shapes {', '.join(str(a.shape) for a in arrays)}; "
            "all must be the same (systems, segments)"
        )
    systems, segments = arrays[0].shape
    if systems < 2 or segments < 1:
        raise UndefinedStatistic(
            f"{systems} systems with {segments} segments; "
            "a hybrid needs at least 2 systems and 1 segment"
        )
    return np.stack(arrays)

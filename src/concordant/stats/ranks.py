"""Ranks of systems, the ranges their ranks lie in, and clusters of systems that ranges join.

A range comes from resamples or from tests. Resampled, it is the central share of a system's ranks
over all resamples (Bojar et al. 2013). Tested, a system's best rank is 1 + the number of systems
significantly better than it, and its worst rank the number of systems minus those significantly
worse (WMT's findings since 2022). Systems whose ranges overlap, directly or through others, form a
cluster, and nothing is said about the order within one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.quantiles import LEVEL, central_shares, whole_quantiles

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from concordant.stats.arrays import Floats, Ints


def ranks_of(ratings: npt.ArrayLike) -> Ints:
    """Ranks along the last axis, 1 for the highest; equal ratings share the better rank.

    >>> ranks_of([0.2, 0.9, 0.2]).tolist()
    [2, 1, 2]
    """
    values = np.asarray(ratings, dtype=np.float64)
    return np.asarray(1 + (values[..., None, :] > values[..., :, None]).sum(axis=-1))


def ranges_from_resamples(ratings: Floats, *, level: float = LEVEL) -> Ints:
    """The best and the worst rank of each system in `level` of all resamples, (systems, 2).

    `ratings` is (resamples, systems), better when higher.

    >>> ranges_from_resamples(np.array([[0.9, 0.5, 0.4], [0.8, 0.3, 0.6]])).tolist()
    [[1, 1], [2, 3], [2, 3]]
    """
    return np.asarray(whole_quantiles(ranks_of(ratings), central_shares(level)).T)


def ranges_from_tests(ordered: Iterable[tuple[int, int]], systems: int) -> Ints:
    """The ranks that tests leave open: `ordered` has each (better, worse) found significant.

    >>> ranges_from_tests([(0, 1), (0, 2)], 3).tolist()
    [[1, 1], [2, 3], [2, 3]]
    """
    ranges = np.tile([1, systems], (systems, 1))
    for better, worse in ordered:
        ranges[worse, 0] += 1
        ranges[better, 1] -= 1
    return ranges


def clusters(ranges: npt.ArrayLike) -> list[int]:
    """The cluster of each system, 1 for the best, from rank ranges (systems, 2) that overlap.

    >>> clusters([[3, 4], [1, 2], [3, 4], [1, 1], [2, 2]])
    [2, 1, 2, 1, 1]
    """
    bounds = np.asarray(ranges)
    if bounds.ndim != 2 or bounds.shape[1] != 2 or len(bounds) == 0:
        raise UndefinedStatistic(f"rank ranges of shape {bounds.shape}; (systems, 2) is needed")
    found = [0] * len(bounds)
    cluster, reach = 0, -np.inf
    for system in np.lexsort((bounds[:, 1], bounds[:, 0])):
        best, worst = bounds[system]
        cluster += int(best > reach)
        found[system] = cluster
        reach = max(reach, worst)
    return found

"""Rank ranges and clusters of systems from pairwise judgements, as WMT's findings print them.

The judgements are resampled a thousand times, the systems ranked each time, and the extreme ranks
left out: what remains of a system's ranks is its range. Systems whose ranges overlap, directly or
through others, form a cluster, and nothing is said about the order within one (Bojar et al. 2013).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.draws import resampled_sums
from concordant.stats.system_ratings import expected_wins, pair_tables, unit_counts

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from concordant.stats.arrays import Floats, Ints
    from concordant.stats.system_ratings import Outcomes


def rank_ranges(
    outcomes: Outcomes,
    *,
    rng: np.random.Generator,
    n_resamples: int = 1000,
    level: float = 0.95,
    rate: Callable[[Floats, Floats], Floats] = expected_wins,
) -> Ints:
    """The best and the worst rank of each system in `level` of all resamples of units, (k, 2).

    Rank 1 is best; equal ratings share the better rank. `rate` turns wins and ties (…, k, k) into
    ratings (…, k).

    >>> from concordant.stats.system_ratings import Outcomes
    >>> games = Outcomes.of([0, 1, 0] * 20, [1, 2, 2] * 20, [1, 0, 1] * 20)
    >>> from functools import partial
    >>> rate = partial(expected_wins, variant="better-or-equal")
    >>> rank_ranges(games, rng=np.random.default_rng(0), rate=rate).tolist()
    [[1, 1], [2, 3], [2, 3]]
    """
    if not 0 < level < 1:
        raise UndefinedStatistic(f"level {level:g} must lie between 0 and 1, such as 0.95")
    counts = unit_counts(outcomes)
    if counts.shape[0] < 2:
        raise UndefinedStatistic("judgements of 1 unit cannot be resampled; at least 2 are needed")
    ranks = np.concatenate([
        ranks_of(rate(*pair_tables(sums, outcomes.n_systems)))
        for sums in resampled_sums(counts, n_resamples, rng)
    ])
    left_out = int(n_resamples * (1 - level) / 2 + 1e-9)  # 25 of 1,000, whatever 1 - 0.95 rounds to
    ranks.sort(axis=0)
    return np.stack([ranks[left_out], ranks[n_resamples - 1 - left_out]], axis=-1)


def ranks_of(ratings: npt.ArrayLike) -> Ints:
    """Ranks along the last axis, 1 for the highest; equal ratings share the better rank.

    >>> ranks_of([0.2, 0.9, 0.2]).tolist()
    [2, 1, 2]
    """
    values = np.asarray(ratings, dtype=np.float64)
    return np.asarray(1 + (values[..., None, :] > values[..., :, None]).sum(axis=-1))


def clusters(ranges: npt.ArrayLike) -> list[list[int]]:
    """Systems grouped by overlapping rank ranges (k, 2), the best group first.

    >>> clusters([[3, 4], [1, 2], [3, 4], [1, 1], [2, 2]])
    [[1, 3, 4], [0, 2]]
    """
    bounds = np.asarray(ranges)
    if bounds.ndim != 2 or bounds.shape[1] != 2 or len(bounds) == 0:
        raise UndefinedStatistic(f"rank ranges of shape {bounds.shape}; (systems, 2) is needed")
    groups: list[list[int]] = []
    reach = -np.inf
    for system in np.lexsort((bounds[:, 1], bounds[:, 0])):
        best, worst = bounds[system]
        if best > reach:
            groups.append([])
        groups[-1].append(int(system))
        reach = max(reach, worst)
    return [sorted(group) for group in groups]

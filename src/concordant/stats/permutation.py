"""PERM-BOTH: does one metric correlate with people better than another?

If it made no difference which metric a score came from, swapping the scores of some translations
between the metrics would change nothing (Deutsch, Dror and Roth 2021). Here each translation's two
scores are swapped on their own, which has the most power; `measured` swaps whole segments or whole
systems, as `evaluate` does.

Every matrix is (systems, segments). The two metrics are standardised first, because scores on
different scales cannot be swapped. A metric that a permutation made constant correlates 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError, UndefinedStatistic, nearest
from concordant.stats.arrays import DIGITS, standardise
from concordant.stats.correlation import kendall_rows, pearson_rows
from concordant.stats.draws import block_sizes, coins
from concordant.stats.significance import ROUNDING, permutation_p

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    from concordant.stats.arrays import Bools, Floats

    Arrangement = Callable[[Floats], Floats]


def _kendall_rows(scores: Floats, human: Floats) -> Floats:
    # A score that was swapped back, or a mean in another order, may differ by rounding, which must
    # not break a tie.
    return kendall_rows(scores.round(DIGITS), human.round(DIGITS))


STATISTICS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": pearson_rows,
    "kendall": _kendall_rows,
}


def _system_means(scores: Floats) -> Floats:
    return np.asarray(scores.mean(axis=-1))[..., None, :]


def _all_outputs(scores: Floats) -> Floats:
    return scores.reshape(*scores.shape[:-2], 1, -1)


def _segments(scores: Floats) -> Floats:
    return np.swapaxes(scores, -1, -2)


# What is correlated: (…, systems, segments) → (…, groups, points), averaged over the groups. All of
# them are linear, so that what a swap moves can be arranged by itself.
LEVELS: dict[str, Arrangement] = {
    "system": _system_means,  # the systems' mean scores
    "segment": _all_outputs,  # every translation of every system, in one group
    "per-segment": _segments,  # the translations of a segment, averaged over segments
}


@dataclass(frozen=True)
class PermutationTest:
    """Correlations of two metrics with people, their difference, and how likely it is by chance.

    `n` counts what was correlated: systems, translations, or segments with different human scores.
    """

    first: float
    second: float
    difference: float
    p: float
    n: int
    n_permutations: int


def perm_both(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    level: str = "system",
    statistic: str = "pearson",
    n_permutations: int = 1000,
) -> PermutationTest:
    """The correlations of x and y with people, compared; p is two-sided, small if they differ.

    `level` is "system", "segment" or "per-segment", `statistic` "pearson" or "kendall" (τ-b).

    >>> human = np.arange(60.0).reshape(6, 10)
    >>> noise = np.random.default_rng(1).normal(0, 40, (6, 10))
    >>> test = perm_both(human, human + noise, human, rng=np.random.default_rng(0))
    >>> round(test.difference, 2), test.p < 0.05
    (0.11, True)
    """
    _check_option("level", level, LEVELS)
    _check_option("statistic", statistic, STATISTICS)
    first, second, judged = _matrices(x, y, human)
    arrange, correlate = LEVELS[level], STATISTICS[statistic]
    kept = _differ(arrange(judged))
    target, one, other = (arrange(scores)[kept] for scores in (judged, first, second))
    for name, scores in (("human scores", target), ("first metric", one), ("second metric", other)):
        if not _differ(scores).any():
            raise UndefinedStatistic(f'the {name}: no differences to correlate at level "{level}"')

    def correlation(scores: Floats) -> Floats:
        rows = np.nan_to_num(correlate(scores, target))
        return np.asarray(np.where(_differ(scores), rows, 0.0).mean(axis=-1))

    null = []
    for size in block_sizes(n_permutations, judged.size):
        swap = coins(rng, size, judged.size).reshape(size, *judged.shape)
        moved = arrange(swap * (second - first))[..., kept, :]
        null.append(correlation(one + moved) - correlation(other - moved))
    r_first, r_second = float(correlation(one)), float(correlation(other))
    p = permutation_p(r_first - r_second, np.concatenate(null))
    n = int(kept.sum()) if level == "per-segment" else int(target.shape[-1])
    return PermutationTest(r_first, r_second, r_first - r_second, p, n, n_permutations)


def _matrices(
    x: npt.ArrayLike, y: npt.ArrayLike, human: npt.ArrayLike
) -> tuple[Floats, Floats, Floats]:
    """The three matrices, standardised, once they are found to agree in shape."""
    first, second = standardise(x, "the first metric"), standardise(y, "the second metric")
    judged = standardise(human, "the human scores")
    if not first.shape == second.shape == judged.shape or judged.ndim != 2:
        raise UndefinedStatistic(
            f"scores of shape {first.shape}, {second.shape} and {judged.shape} (human); "
            "all three must be (systems, segments)"
        )
    if judged.shape[0] < 2:
        raise UndefinedStatistic("the scores of 1 system; at least 2 systems are needed")
    return first, second, judged


def _differ(scores: Floats) -> Bools:
    """Whether standardised scores differ along the last axis by more than rounding."""
    return np.asarray(np.ptp(scores, axis=-1) > ROUNDING)


def _check_option(what: str, value: str, known: Mapping[str, object]) -> None:
    if value not in known:
        raise SpecError(
            f'{what} "{value}" is not one of {", ".join(known)}{nearest(value, list(known))}'
        )

"""Small tests that need no resampling of their own, and the p-value that all resampling shares.

Williams' test (Williams 1959; Graham and Baldwin 2014) asks whether two metrics correlate with the
same human scores to a different degree, Holm's procedure (1979) keeps the error of a family of
tests, and the median absolute deviation (Iglewicz and Hoaglin 1993; Mathur et al. 2020) finds
outlier systems that would dominate a correlation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import t as student_t

from concordant.errors import UndefinedStatistic
from concordant.stats.arrays import finite

if TYPE_CHECKING:
    import numpy.typing as npt

    from concordant.stats.arrays import Bools, Floats

# Two sums of the same numbers in another order differ by rounding, and must still count as equal.
ROUNDING = 1e-12

MAD_SCALE = 1.483  # makes the median absolute deviation of a normal sample its standard deviation


@dataclass(frozen=True)
class Williams:
    """Williams' t with its degrees of freedom; `p_one_sided` is small if the first r is greater."""

    t: float
    df: int
    p_one_sided: float
    p_two_sided: float


def williams(r_1h: float, r_2h: float, r_12: float, n: int) -> Williams:
    """Williams' test of r_1h = r_2h, where both metrics meet the same n human scores.

    `r_12` is the correlation of the two metrics with each other: the closer they are, the smaller
    difference is significant. Two equal metrics have p = 1.

    >>> result = williams(0.9, 0.8, 0.9, 30)
    >>> round(result.t, 3), result.df, round(result.p_two_sided, 4)
    (2.657, 27, 0.0131)
    """
    r = finite([r_1h, r_2h, r_12], "the correlations")
    if np.any(np.abs(r) > 1 + ROUNDING):
        raise UndefinedStatistic(f"correlations {r.tolist()}: each must lie in [-1, 1]")
    if n < 4:
        raise UndefinedStatistic(f"Williams' test of {n} points; at least 4 are needed")
    df = n - 3
    if r_12 >= 1 - ROUNDING and abs(r_1h - r_2h) <= ROUNDING:
        return Williams(0.0, df, 0.5, 1.0)
    determinant = 1 - np.sum(r**2) + 2 * np.prod(r)
    if determinant <= ROUNDING:
        raise UndefinedStatistic(
            f"Williams' test: correlations {r_1h:.6g}, {r_2h:.6g} and {r_12:.6g} have determinant "
            f"{determinant:.2g}, which must be positive: the three scores determine each other, "
            "or do not belong to the same points"
        )
    spread = 2 * determinant * (n - 1) / df + ((r_1h + r_2h) / 2) ** 2 * (1 - r_12) ** 3
    t = float((r_1h - r_2h) * np.sqrt((n - 1) * (1 + r_12) / spread))
    return Williams(
        t, df, float(student_t.sf(t, df)), float(min(1.0, 2 * student_t.sf(abs(t), df)))
    )


def holm(p_values: npt.ArrayLike) -> Floats:
    """Holm's adjusted p-values in [0, 1], in the order given: reject those ≤ the family's level.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = finite(p_values, "the p-values")
    if p.ndim != 1:
        raise UndefinedStatistic(f"the p-values have shape {p.shape}; a plain list is needed")
    if np.any((p < 0) | (p > 1)):
        raise UndefinedStatistic(
            f"p-values from {p.min():g} to {p.max():g}; each must be in [0, 1]"
        )
    order = np.argsort(p, kind="stable")
    raised = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(raised, 1.0)
    return adjusted


def outlier_systems(scores: npt.ArrayLike, *, threshold: float = 2.5) -> Bools:
    """True for each system whose human score is an outlier, as WMT20 leaves them out.

    An outlier is more than `threshold` times 1.483 · MAD off the median. Where MAD is 0, because
    more than half of the scores are equal, every score that differs from them is one.

    >>> outlier_systems([0.1, 0.0, -0.1, 0.05, -3.0]).tolist()
    [False, False, False, False, True]
    """
    values = finite(scores, "the system scores")
    if values.ndim != 1 or values.size == 0:
        raise UndefinedStatistic(f"scores of shape {values.shape}; one score per system is needed")
    deviation = np.abs(values - np.median(values))
    return np.asarray(deviation > threshold * MAD_SCALE * np.median(deviation))


def permutation_p(observed: float, null: npt.ArrayLike) -> float:
    """The share of null values at least as far from 0 as the observed, in [1/(n + 1), 1].

    The observed value is one of the permutations, hence (count + 1) / (n + 1) and never 0 (Phipson
    and Smyth 2010). Values equal up to rounding count as equal.

    >>> permutation_p(2.0, [0.5, -2.5, 1.0])
    0.5
    """
    values = finite(null, "the null distribution")
    bar = float(np.abs(finite([observed], "the observed value"))[0])
    reached = np.count_nonzero(np.abs(values) >= bar - ROUNDING * max(1.0, bar))
    return (int(reached) + 1) / (values.size + 1)

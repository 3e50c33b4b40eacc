"""Correlation of two variables: Pearson's r, Spearman's ρ, Kendall's τ-a, τ-b and τ-c.

Each has a checked form for one pair of variables, which raises `UndefinedStatistic` where it has
no value, and a form over many rows at once for resampling, where an undefined row is NaN and is
counted by whoever resamples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError, UndefinedStatistic
from concordant.stats import _native
from concordant.stats.arrays import check_paired

if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from concordant.stats.arrays import Floats, Ints

KENDALL_VARIANTS = ("a", "b", "c")


def pearson(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Pearson's r in [-1, 1]; 1 when y rises exactly linearly with x.

    >>> round(pearson([1, 2, 3, 4], [1, 3, 2, 4]), 3)
    0.8
    """
    return _check(*check_paired(x, y), pearson_rows)


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Spearman's ρ in [-1, 1]: Pearson's r of the midranks.

    >>> round(spearman([1, 2, 3, 4], [1, 30, 20, 400]), 3)
    0.8
    """
    return _check(*check_paired(x, y), spearman_rows)


def kendall(x: npt.ArrayLike, y: npt.ArrayLike, *, variant: str = "b") -> float:
    """Kendall's τ in [-1, 1]: τ-a over all pairs, τ-b and τ-c corrected for ties.

    >>> round(kendall([1, 2, 3, 4], [1, 3, 2, 4]), 3)
    0.667
    """
    first, second = check_paired(x, y)
    _refuse_constant(first, second)
    return float(kendall_rows(first, second, variant=variant))


def pair_counts(x: Floats, y: Floats, starts: Ints | None = None, *, threads: int = 1) -> Ints:
    """Pairs that are concordant, discordant, tied in x only, in y only, in both (last axis).

    With `starts`, one row for each group of points `starts[g]:starts[g + 1]`.

    >>> pair_counts(np.array([1.0, 2.0, 2.0]), np.array([1.0, 2.0, 3.0])).tolist()
    [2, 0, 1, 0, 0]
    """
    bounds = np.array([0, len(x)], dtype=np.int64) if starts is None else starts
    counts: Ints = _native.pair_counts(x, y, bounds, threads)
    return counts[0] if starts is None else counts


def kendall_from_counts(
    counts: npt.NDArray[Any], *, variant: str = "b", classes: npt.ArrayLike = 0
) -> Floats:
    """Kendall's τ from the five pair counts (last axis); NaN where a variable is constant.

    τ-c needs `classes`, the smaller number of distinct values of the two variables.
    """
    concordant, discordant, tied_x, tied_y, tied_both = np.moveaxis(
        np.asarray(counts, dtype=np.float64), -1, 0
    )
    surplus = concordant - discordant
    pairs = concordant + discordant + tied_x + tied_y + tied_both
    untied_x = concordant + discordant + tied_y
    untied_y = concordant + discordant + tied_x
    if variant == "a":
        return divide(surplus, np.where((untied_x == 0) | (untied_y == 0), 0.0, pairs))
    if variant == "b":
        return divide(surplus, np.sqrt(untied_x) * np.sqrt(untied_y))
    if variant == "c":
        points = (1 + np.sqrt(1 + 8 * pairs)) / 2
        scale = 1.0 - 1.0 / np.maximum(classes, 1)
        return divide(2 * surplus, points**2 * scale)
    raise SpecError(f'Kendall variant "{variant}" is not one of {", ".join(KENDALL_VARIANTS)}')


def classes(x: Floats, y: Floats, weights: npt.NDArray[Any] | None = None) -> Ints:
    """The smaller number of distinct values of the two variables along the last axis (m in τ-c).

    With weights, x and y are single rows; for each row of weights, points without one are left out.

    >>> classes(np.array([[1.0, 1.0, 2.0], [3.0, 3.0, 3.0]]), np.array([4.0, 5.0, 6.0])).tolist()
    [2, 1]
    """
    distinct = []
    for each in (x, y):
        if weights is None:
            distinct.append(1 + (np.diff(np.sort(each, axis=-1), axis=-1) != 0).sum(axis=-1))
            continue
        order = np.argsort(each, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(each[order]) != 0])
        drawn = np.logical_or.reduceat(weights[..., order] > 0, starts, axis=-1)
        distinct.append(drawn.sum(axis=-1))
    return np.asarray(np.minimum(*distinct))


def pearson_rows(x: Floats, y: Floats, weights: Floats | None = None) -> Floats:
    """Pearson's r along the last axis, points counted `weights` times; NaN where constant."""
    if weights is None:
        dx = x - x.mean(axis=-1, keepdims=True)
        dy = y - y.mean(axis=-1, keepdims=True)
        covariance, var_x, var_y = (dx * dy).sum(-1), (dx * dx).sum(-1), (dy * dy).sum(-1)
        size = x.shape[-1]
    else:
        total = np.maximum(weights.sum(axis=-1, keepdims=True), 1e-300)
        dx = x - (weights * x).sum(axis=-1, keepdims=True) / total
        dy = y - (weights * y).sum(axis=-1, keepdims=True) / total
        covariance = (weights * dx * dy).sum(-1)
        var_x, var_y = (weights * dx * dx).sum(-1), (weights * dy * dy).sum(-1)
        size = total[..., 0]
    # A constant leaves rounding errors of the order of its own size behind, not an exact zero.
    flat = (var_x <= size * _noise(x)) | (var_y <= size * _noise(y))
    r = divide(covariance, np.sqrt(var_x) * np.sqrt(var_y))
    return np.where(flat, np.nan, np.clip(r, -1.0, 1.0))


def spearman_rows(x: Floats, y: Floats, weights: Floats | None = None) -> Floats:
    """Spearman's ρ along the last axis, points counted `weights` times; NaN where constant.

    With weights, x and y are single rows and there is one result for each row of weights.
    """
    if weights is None:
        ones = np.ones(y.shape[-1])
        ranks_x = np.apply_along_axis(midranks, -1, x, ones)
        ranks_y = np.apply_along_axis(midranks, -1, y, ones)
        return pearson_rows(ranks_x, ranks_y)
    return pearson_rows(midranks(x, weights), midranks(y, weights), weights)


def midranks(x: Floats, weights: Floats) -> Floats:
    """The rank of each point of x, equal points sharing their mean rank, for each row of weights.

    >>> midranks(np.array([5.0, 1.0, 5.0]), np.ones(3)).tolist()
    [2.5, 1.0, 2.5]
    """
    order = np.argsort(x, kind="stable")
    sorted_x = x[order]
    starts = np.flatnonzero(np.r_[True, sorted_x[1:] != sorted_x[:-1]])
    group = np.cumsum(np.r_[True, sorted_x[1:] != sorted_x[:-1]]) - 1
    sizes = np.add.reduceat(weights[..., order], starts, axis=-1)
    below = np.cumsum(sizes, axis=-1) - sizes
    ranks = np.empty(weights.shape)
    ranks[..., order] = (below + (sizes + 1) / 2)[..., group]
    return ranks


def kendall_rows(
    x: Floats, y: Floats, weights: Floats | None = None, *, variant: str = "b"
) -> Floats:
    """Kendall's τ along the last axis, points counted `weights` times; NaN where undefined.

    With weights, x and y are single rows and there is one result for each row of weights.
    """
    counts = pair_count_rows(x, y, weights)
    distinct = classes(x, y, weights) if variant == "c" else 0
    return kendall_from_counts(counts, variant=variant, classes=distinct)


def pair_count_rows(x: Floats, y: Floats, weights: Floats | None = None) -> Ints:
    """The five pair counts along the last axis of broadcastable rows, (…, 5)."""
    if weights is not None:
        counted: Ints = _native.weighted_pair_counts(x, y, weights.astype(np.int64))
        return counted
    x, y = np.broadcast_arrays(x, y)
    flat_x = np.ascontiguousarray(x, dtype=np.float64).reshape(-1)
    flat_y = np.ascontiguousarray(y, dtype=np.float64).reshape(-1)
    starts = np.arange(0, flat_x.size + 1, x.shape[-1], dtype=np.int64)
    return pair_counts(flat_x, flat_y, starts).reshape(*x.shape[:-1], 5)


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient, NaN where the denominator is 0."""
    safe = np.where(denominator == 0, 1.0, denominator)
    return np.where(denominator == 0, np.nan, numerator / safe)


def _noise(x: Floats) -> Floats:
    return np.asarray((np.abs(x).max(axis=-1, initial=0.0) * 1e-13) ** 2)


def _check(x: Floats, y: Floats, rows: Any) -> float:
    _refuse_constant(x, y)
    value = float(rows(x, y))
    if np.isnan(value):
        raise UndefinedStatistic("a variable is constant up to rounding")
    return value


def _refuse_constant(x: Floats, y: Floats) -> None:
    for name, values in (("first", x), ("second", y)):
        if values.min() == values.max():
            raise UndefinedStatistic(f"the {name} variable is constant over {values.size} points")

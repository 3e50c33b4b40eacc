"""How far judges agree: WMT's κ over pairwise comparisons, and Krippendorff's α.

Both are "count, then compute": a unit (a segment with two systems; a rated translation)
is a row of counts, and the coefficient a function of their sum, so that a bootstrap over units is
many sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array, hstack

from concordant.errors import SpecError, UndefinedStatistic, nearest
from concordant.records import Estimate
from concordant.stats.arrays import finite
from concordant.stats.correlation import divide
from concordant.stats.draws import resampled_sums
from concordant.stats.resampling import estimate_from

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from concordant.stats.arrays import Floats, Ints

    # (coincidences of pairs, pairs, marginals, values) → disagreement (observed, expected)
    Scale = Callable[[Floats, Ints, Floats, Floats], tuple[Floats, Floats]]

KINDS = ("inter", "intra")
RATIO_BLOCK = 1024  # distinct values whose distances to all others are held at once
RATIO_VALUES = 5000  # distinct values at most: their distances grow with the square


def cohen_kappa_wmt(
    item: npt.ArrayLike,
    judge: npt.ArrayLike,
    label: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    kind: str = "inter",
    n_resamples: int = 1000,
    level: float = 0.95,
) -> Estimate:
    """WMT's κ = (P(A) - P(E)) / (1 - P(E)), at most 1, 0 where judges agree as often as by chance.

    An `item` is a segment with two systems in a fixed order; its `label` is -1, 0 (tie) or +1. P(A)
    is the share of equal labels among all pairs of judgements of an item, by different judges
    ("inter") or by one ("intra"); `n` counts those pairs. P(E) = P(A<B)² + P(A=B)² + P(A>B)²,
    where the share of ties is observed and the rest halved, since the order of two systems is
    arbitrary (Callison-Burch et al. 2012; Bojar et al. 2016).

    >>> rng = np.random.default_rng(0)
    >>> items, judges = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    >>> kappa = cohen_kappa_wmt(items, judges, [1, 1, 0, 0, -1, -1, 1, 0], rng=rng)
    >>> round(kappa.value, 3), kappa.n
    (0.624, 4)
    """
    if kind not in KINDS:
        raise SpecError(f'kind "{kind}" is not one of {", ".join(KINDS)}{nearest(kind, KINDS)}')
    labels = finite(label, "the labels")
    if not np.isin(labels, (-1, 0, 1)).all():
        raise UndefinedStatistic("a label is not one of -1 (worse), 0 (tie), +1 (better)")
    items, judges = _number(item), _number(judge)
    _check_lengths(items.size, judges.size, labels.size)
    counts = _kappa_counts(items, judges, labels.astype(np.int64) + 1, kind)
    sums = counts.sum(axis=0)
    if sums[1] == 0:
        by = "different judges" if kind == "inter" else "the same judge"
        raise UndefinedStatistic(f"no item was judged twice by {by}; κ needs at least one")
    value = float(_kappa(sums))
    if np.isnan(value):
        raise UndefinedStatistic("every judgement is a tie: chance agreement is 1 and κ undefined")
    if np.count_nonzero(counts[:, 1]) < 2:
        return Estimate(value, None, None, int(sums[1]), level, "no interval: only 1 item to pair")
    resampled = np.concatenate([_kappa(s) for s in resampled_sums(counts, n_resamples, rng)])
    return estimate_from(value, resampled, int(sums[1]), level, "bootstrap over items")


def _kappa_counts(items: Ints, judges: Ints, labels: Ints, kind: str) -> Floats:
    """Each item's agreeing pairs, pairs, ties and judgements."""
    n_items, n_judges = int(items.max()) + 1, int(judges.max()) + 1

    def pairs(*keys: tuple[Ints, int]) -> Floats:
        """Pairs of judgements that agree in all keys, for each item."""
        key = items
        for values, number in keys:
            key = key * number + values
        groups, sizes = np.unique(key, return_counts=True)
        for _, number in keys:
            groups = groups // number
        each = np.bincount(groups, weights=sizes * (sizes - 1) / 2, minlength=n_items)
        return each.astype(np.float64)

    by_judge, by_label = (judges, n_judges), (labels, 3)
    total, agreeing = pairs(by_judge), pairs(by_judge, by_label)
    if kind == "inter":
        total, agreeing = pairs() - total, pairs(by_label) - agreeing
    ties, judgements = np.bincount(items[labels == 1], minlength=n_items), np.bincount(items)
    return np.stack([agreeing, total, ties, judgements], axis=-1, dtype=np.float64)


def _kappa(sums: Floats) -> Floats:
    """κ from summed (agreeing pairs, pairs, ties, judgements); NaN where undefined."""
    agreeing, pairs, ties, judgements = np.moveaxis(sums, -1, 0)
    tied = divide(ties, judgements)
    chance = tied**2 + (1 - tied) ** 2 / 2
    return divide(divide(agreeing, pairs) - chance, 1 - chance)


def krippendorff_alpha(
    units: npt.ArrayLike,
    raters: npt.ArrayLike,
    values: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    scale: str = "interval",
    n_resamples: int = 1000,
    level: float = 0.95,
) -> Estimate:
    """Krippendorff's α, 1 for perfect agreement and 0 for none beyond chance (Krippendorff 2011).

    One entry a rating; a rating that is missing is simply not there, and a unit with a single one
    cannot be paired and is left out. `scale` is "nominal", "ordinal", "interval" or "ratio"; `n`
    counts the pairable values.

    >>> units, raters = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    >>> rng = np.random.default_rng(0)
    >>> round(krippendorff_alpha(units, raters, [1, 1, 2, 2, 3, 4, 5, 5], rng=rng).value, 3)
    0.954
    """
    if scale not in SCALES:
        raise SpecError(
            f'scale "{scale}" is not one of {", ".join(SCALES)}{nearest(scale, list(SCALES))}'
        )
    rated, unit, rater = finite(values, "the ratings"), _number(units), _number(raters)
    _check_lengths(unit.size, rater.size, rated.size)
    _refuse_repeated(unit, rater)
    pairable = np.bincount(unit)[unit] >= 2
    if not pairable.any():
        raise UndefinedStatistic("no unit was rated by two raters; α needs at least one")
    distinct, code = np.unique(rated[pairable], return_inverse=True)
    if len(distinct) < 2:
        raise UndefinedStatistic(f"every pairable rating is {distinct[0]:g}: α is undefined")
    if scale == "ratio":
        _check_ratio(distinct)
    pairs, counts = _coincidences(_number(unit[pairable]), code, len(distinct))

    def alpha(sums: Floats) -> Floats:
        observed, marginals = sums[..., : len(pairs)], sums[..., len(pairs) :]
        return _alpha(observed, pairs, marginals, distinct, SCALES[scale])

    value = float(alpha(np.asarray(counts.sum(axis=0))))
    n = int(np.count_nonzero(pairable))
    if counts.shape[0] < 2:
        return Estimate(value, None, None, n, level, "no interval: only 1 unit to pair")
    resampled = np.concatenate([alpha(s) for s in resampled_sums(counts, n_resamples, rng)])
    return estimate_from(value, resampled, n, level, "bootstrap over units")


def _coincidences(unit: Ints, code: Ints, n_values: int) -> tuple[Ints, csr_array]:
    """The pairs of different values that meet within units, and each unit's counts.

    Columns are the coincidences of each such pair, either way round and divided by the unit's
    number of ratings less one, followed by how often the unit has each value.
    """
    n_units = int(unit.max()) + 1
    cells, times = np.unique(unit * n_values + code, return_counts=True)
    owner, value = np.divmod(cells, n_values)
    marginals = csr_array((times.astype(np.float64), (owner, value)), shape=(n_units, n_values))
    # Every cell meets the cells after it that belong to the same unit.
    last = np.searchsorted(owner, owner, side="right")
    partners = last - np.arange(len(cells)) - 1
    left = np.repeat(np.arange(len(cells)), partners)
    offset = np.arange(len(left)) - np.repeat(np.cumsum(partners) - partners, partners)
    right = left + 1 + offset
    met, column = np.unique(value[left] * n_values + value[right], return_inverse=True)
    weight = 2 * times[left] * times[right] / (np.bincount(unit) - 1)[owner[left]]
    together = csr_array((weight, (owner[left], column)), shape=(n_units, len(met)))
    return np.stack(np.divmod(met, n_values), axis=-1), csr_array(hstack([together, marginals]))


def _alpha(
    coincidences: Floats, pairs: Ints, marginals: Floats, values: Floats, scale: Scale
) -> Floats:
    """α = 1 - observed / expected disagreement; NaN where only one value is left."""
    n = marginals.sum(axis=-1)
    observed, expected = scale(coincidences, pairs, marginals, values)
    enough = (np.count_nonzero(marginals, axis=-1) >= 2) & (expected > 0)
    return 1 - divide(observed * (n - 1), np.where(enough, expected, 0.0))


def _nominal(
    coincidences: Floats, _pairs: Ints, marginals: Floats, _values: Floats
) -> tuple[Floats, Floats]:
    n = marginals.sum(axis=-1)
    return coincidences.sum(axis=-1), n**2 - (marginals**2).sum(axis=-1)


def _interval(
    coincidences: Floats, pairs: Ints, marginals: Floats, values: Floats
) -> tuple[Floats, Floats]:
    n = marginals.sum(axis=-1, keepdims=True)
    centred = values - (marginals * values).sum(axis=-1, keepdims=True) / n
    gaps = (centred[..., pairs[:, 0]] - centred[..., pairs[:, 1]]) ** 2
    expected = 2 * n[..., 0] * (marginals * centred**2).sum(axis=-1)
    return (coincidences * gaps).sum(axis=-1), expected


def _ordinal(
    coincidences: Floats, pairs: Ints, marginals: Floats, _values: Floats
) -> tuple[Floats, Floats]:
    """Krippendorff's ordinal distance is the interval distance between midranks."""
    ranks = np.cumsum(marginals, axis=-1) - marginals / 2
    return _interval(coincidences, pairs, marginals, ranks)


def _ratio(
    coincidences: Floats, pairs: Ints, marginals: Floats, values: Floats
) -> tuple[Floats, Floats]:
    def distance(one: Floats, other: Floats) -> Floats:
        return np.asarray(((one - other) / np.maximum(one + other, np.finfo(float).tiny)) ** 2)

    gaps = distance(values[pairs[:, 0]], values[pairs[:, 1]])
    expected = np.zeros(marginals.shape[:-1])
    for begin in range(0, len(values), RATIO_BLOCK):
        rows = slice(begin, begin + RATIO_BLOCK)
        met = marginals[..., rows] @ distance(values[rows, None], values)
        expected += (met * marginals).sum(axis=-1)
    return (coincidences * gaps).sum(axis=-1), expected


# Observed disagreement, and n (n - 1) times the expected, on each scale of measurement.
SCALES: dict[str, Scale] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}


def _number(names: npt.ArrayLike) -> Ints:
    """Names of any kind as numbers from 0."""
    return np.asarray(np.unique(np.asarray(names), return_inverse=True)[1], dtype=np.int64)


def _check_lengths(units: int, raters: int, values: int) -> None:
    if not units == raters == values:
        raise UndefinedStatistic(
            f"{values} judgements of {units} units by {raters} raters; "
            "every judgement needs its unit and its rater"
        )
    if values == 0:
        raise UndefinedStatistic("no judgements")


def _check_ratio(distinct: Floats) -> None:
    if distinct[0] < 0:
        raise UndefinedStatistic(f"rating {distinct[0]:g} is negative; a ratio scale starts at 0")
    if len(distinct) > RATIO_VALUES:
        raise UndefinedStatistic(
            f"{len(distinct)} different ratings; α on a ratio scale takes up to {RATIO_VALUES}: "
            "round them, or use the interval scale"
        )


def _refuse_repeated(unit: Ints, rater: Ints) -> None:
    key = unit * (int(rater.max()) + 1) + rater
    repeated = key.size - np.unique(key).size
    if repeated:
        raise UndefinedStatistic(
            f"{repeated} ratings repeat a unit's rater; α compares different raters, "
            "so keep or average one rating each"
        )

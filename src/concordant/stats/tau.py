"""WMT's tau variants, as tables of which pairs count and how.

Human and metric each order or tie a pair of translations, so every judged pair is in one of five
cells: concordant, discordant, tied by the human only, by the metric only, by both. A variant is
two rows of coefficients over these cells, a numerator and a denominator (Macháček & Bojar 2014
describe WMT12 to WMT14 in this way).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError, UndefinedStatistic, nearest
from concordant.stats.arrays import finite
from concordant.stats.correlation import divide, pair_count_rows

if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from concordant.stats.arrays import Bools, Floats, Ints

CELLS = ("concordant", "discordant", "human tie", "metric tie", "both tie")


@dataclass(frozen=True)
class Variant:
    """What each cell adds to the numerator and to the denominator, in the order of CELLS."""

    numerator: tuple[int, int, int, int, int]
    denominator: tuple[int, int, int, int, int]
    title: str
    citation: str


VARIANTS = {
    "tau-wmt12": Variant(
        (1, -1, 0, -1, 0),
        (1, 1, 0, 1, 0),
        "human ties left out, a metric's tie counts against it",
        "Callison-Burch et al. 2012",
    ),
    "tau-wmt13": Variant(
        (1, -1, 0, 0, 0),
        (1, 1, 0, 0, 0),
        "ties of either side left out",
        "Macháček and Bojar 2013",
    ),
    "tau-wmt14": Variant(
        (1, -1, 0, 0, 0),
        (1, 1, 0, 1, 0),
        "human ties left out, a metric's tie is worth 0",
        "Macháček and Bojar 2014",
    ),
    "tau-darr": Variant(
        (1, -1, 0, -1, 0),
        (1, 1, 0, 1, 0),
        "Kendall-like tau on pairs of ratings at least 25 points apart",
        "Bojar et al. 2017",
    ),
    "tau-a": Variant(
        (1, -1, 0, 0, 0), (1, 1, 1, 1, 1), "all pairs in the denominator", "Kendall 1938"
    ),
    "accuracy": Variant(
        (1, 0, 0, 0, 0),
        (1, 1, 0, 1, 0),
        "share of the pairs people order that the metric orders alike",
        "Kocmi et al. 2021",
    ),
    "accuracy-ties": Variant(
        (1, 0, 0, 0, 1),
        (1, 1, 1, 1, 1),
        "share of all pairs ordered or tied alike",
        "Deutsch et al. 2023",
    ),
}


def variant(name: str) -> Variant:
    """The table row of a variant; an unknown name is an error that lists the known ones."""
    if name not in VARIANTS:
        hint = nearest(name, list(VARIANTS))
        raise SpecError(f'tau variant "{name}" is not one of {", ".join(VARIANTS)}{hint}')
    return VARIANTS[name]


def from_cells(cells: npt.NDArray[Any], name: str) -> Floats:
    """A variant's value from counts of the five cells (last axis); NaN where no pair counts.

    >>> float(from_cells(np.array([60, 30, 0, 10, 5]), "tau-wmt12"))
    0.2
    """
    row = variant(name)
    numerator = cells @ np.array(row.numerator, dtype=np.float64)
    return divide(numerator, cells @ np.array(row.denominator, dtype=np.float64))


def cells_of_pairs(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    tie: npt.ArrayLike,
    *,
    count: npt.ArrayLike = 1,
    unit: npt.ArrayLike | None = None,
    units: int = 1,
) -> Floats:
    """Counts of the five cells for each unit (a segment, say), of shape (units, 5).

    `first` and `second` are the metric's scores of the two translations, the one people preferred
    first; where `tie` is true they preferred neither. `count` weighs a pair.

    >>> cells_of_pairs([3.0, 1.0, 2.0], [1.0, 1.0, 2.5], [False, False, True]).tolist()
    [[1.0, 0.0, 1.0, 1.0, 0.0]]
    """
    better, worse = finite(first, "the metric"), finite(second, "the metric")
    human_tie = np.asarray(tie, dtype=bool)
    cell = np.where(
        human_tie,
        np.where(better == worse, 4, 2),
        np.where(better > worse, 0, np.where(better < worse, 1, 3)),
    )
    where = np.zeros(len(cell), dtype=np.int64) if unit is None else np.asarray(unit)
    weights = np.broadcast_to(np.asarray(count, dtype=np.float64), cell.shape)
    flat = np.bincount(where * 5 + cell, weights=weights, minlength=units * 5)
    return flat.reshape(units, 5).astype(np.float64)


def tau_rows(x: Floats, y: Floats, weights: Floats | None = None, *, name: str) -> Floats:
    """A variant over all pairs of points along the last axis; NaN where no pair counts.

    >>> float(tau_rows(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]), name="tau-wmt14"))
    0.3333333333333333
    """
    return from_cells(pair_count_rows(x, y, weights), name)


def tau(first: npt.ArrayLike, second: npt.ArrayLike, tie: npt.ArrayLike, name: str) -> float:
    """A variant over all pairs at once, in [-1, 1] (accuracies in [0, 1]), better when higher.

    >>> tau([3.0, 1.0], [1.0, 1.0], [False, False], "tau-wmt12")
    0.0
    """
    value = float(from_cells(cells_of_pairs(first, second, tie)[0], name))
    if np.isnan(value):
        pairs = int(np.size(tie))
        raise UndefinedStatistic(f"{name}: none of the {pairs} pairs counts; all of them are ties")
    return value


def strict_outcomes(gaps: Floats) -> Floats:
    """+1 where the metric orders a pair as people do, -1 where it does not or ties it.

    `gaps` are the metric's scores of the better translations minus those of the worse. The mean of
    the outcomes is the strict tau, "tau-wmt12" without human ties.

    >>> strict_outcomes(np.array([0.3, -0.1, 0.0])).tolist()
    [1.0, -1.0, -1.0]
    """
    return np.where(gaps > 0, 1.0, -1.0)


def strict_tau(gaps: Floats) -> float:
    """The strict tau of pairs that people ordered, in [-1, 1], better when higher.

    >>> strict_tau(np.array([0.3, 0.2, 0.1, 0.0]))
    0.5
    """
    if len(gaps) == 0:
        raise UndefinedStatistic("strict tau: there are no judged pairs")
    return float(np.mean(strict_outcomes(gaps)))


def strict_counts(outcomes: Floats, unit: Ints) -> Floats:
    """Summed outcomes and pairs of each unit, (units, 2): the strict tau is their quotient."""
    _, number = np.unique(unit, return_inverse=True)
    counts = np.zeros((int(number.max()) + 1, 2))
    np.add.at(counts, number, np.stack([outcomes, np.ones(len(outcomes))], axis=1))
    return counts


def pairs_apart(ratings: Floats, group: Ints, gap: float) -> tuple[Ints, Ints, Bools]:
    """All pairs of points within a group: (index of the better, of the worse, is it a tie).

    A pair closer than `gap` is left out; with gap 0 equal ratings are ties, and kept.

    >>> [part.tolist() for part in pairs_apart(np.array([10.0, 40.0, 50.0]), np.zeros(3, int), 25)]
    [[1, 2], [0, 0], [False, False]]
    """
    ratings = finite(ratings, "the human ratings")
    order = np.argsort(group, kind="stable")
    bounds = np.flatnonzero(np.diff(group[order])) + 1
    firsts, seconds = [], []
    for members in np.split(order, bounds):
        left, right = np.triu_indices(len(members), k=1)
        firsts.append(members[left])
        seconds.append(members[right])
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    swap = ratings[first] < ratings[second]
    better, worse = np.where(swap, second, first), np.where(swap, first, second)
    difference = ratings[better] - ratings[worse]
    kept = difference >= gap
    return better[kept], worse[kept], (difference == 0)[kept]

"""System scores from pairwise judgements: expected wins in WMT's variants, Bradley-Terry.

Judges say which of two is better. Everything here is a function of two tables, how often
system i beat system j and how often they tied. TrueSkill, which plays games by them, is in
`true_skill`, and what the numbers are worth in `ranks`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from concordant.errors import SpecError, UndefinedStatistic, nearest
from concordant.stats.arrays import finite
from concordant.stats.correlation import divided

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from concordant.stats.arrays import Floats, Ints


class PairTables(NamedTuple):
    """How often row beat column (`wins`) and tied with it (`ties`, symmetric), (…, k, k)."""

    wins: Floats
    ties: Floats


@dataclass(frozen=True)
class Outcomes:
    """Pairwise judgements: +1 where `first` is better than `second`, -1 where worse, 0 for a tie.

    Systems are numbers from 0 to `n_systems` - 1. `unit` numbers what is resampled together, such
    as a segment or a five-way ranking.
    """

    first: Ints
    second: Ints
    outcome: Ints
    unit: Ints
    n_systems: int

    @classmethod
    def of(
        cls,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        outcome: npt.ArrayLike,
        unit: npt.ArrayLike | None = None,
        *,
        n_systems: int | None = None,
    ) -> Outcomes:
        """Checked outcomes; without `unit`, every judgement is a unit of its own."""
        one, other, result = _integers(first), _integers(second), _integers(outcome)
        units = np.arange(one.size) if unit is None else _integers(unit)
        if not one.shape == other.shape == result.shape == units.shape or one.ndim != 1:
            raise UndefinedStatistic(
                f"judgements of lengths {one.size}, {other.size}, {result.size} and {units.size}; "
                "each needs two systems, an outcome and a unit"
            )
        if one.size == 0:
            raise UndefinedStatistic("no pairwise judgements")
        if np.any(np.abs(result) > 1):
            raise UndefinedStatistic("an outcome is not one of -1 (worse), 0 (tie), +1 (better)")
        if np.any(one == other):
            raise UndefinedStatistic(f"system {one[one == other][0]} is compared with itself")
        known = int(max(one.max(), other.max())) + 1 if n_systems is None else n_systems
        if min(one.min(), other.min()) < 0 or max(one.max(), other.max()) >= known:
            raise UndefinedStatistic(f"system numbers must be 0 to {known - 1}")
        return cls(one, other, result, np.unique(units, return_inverse=True)[1], known)


def win_counts(outcomes: Outcomes) -> PairTables:
    """How often each system beat and tied with each other, two tables of shape (k, k).

    >>> win_counts(Outcomes.of([0, 1, 0], [1, 2, 2], [1, -1, 0])).wins.tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    return pair_tables(np.asarray(unit_counts(outcomes).sum(axis=0)), outcomes.n_systems)


def unit_counts(outcomes: Outcomes) -> csr_array:
    """Each unit's wins, then ties, flattened: (units, 2 · k · k), so that resamples are sums."""
    k = outcomes.n_systems
    better = np.where(outcomes.outcome >= 0, outcomes.first, outcomes.second)
    worse = np.where(outcomes.outcome >= 0, outcomes.second, outcomes.first)
    tie = outcomes.outcome == 0
    column = better * k + worse + np.where(tie, k * k, 0)
    mirrored = (worse * k + better + k * k)[tie]
    rows = np.concatenate([outcomes.unit, outcomes.unit[tie]])
    columns = np.concatenate([column, mirrored])
    shape = (int(outcomes.unit.max()) + 1, 2 * k * k)
    return csr_array((np.ones(rows.size), (rows, columns)), shape=shape)


def pair_tables(counts: Floats, n_systems: int) -> PairTables:
    """Flattened counts (…, 2 · k · k) as the two tables (…, k, k)."""
    tables = counts.reshape(*counts.shape[:-1], 2, n_systems, n_systems)
    return PairTables(tables[..., 0, :, :], tables[..., 1, :, :])


def _mean_over_opponents(wins: Floats, losses: Floats, _ties: Floats) -> Floats:
    shares = divided(wins, wins + losses)
    met = ~np.isnan(shares)
    return divided(np.where(met, shares, 0.0).sum(axis=-1), met.sum(axis=-1).astype(np.float64))


def _better(wins: Floats, losses: Floats, _ties: Floats) -> Floats:
    return divided(wins.sum(axis=-1), (wins + losses).sum(axis=-1))


def _better_or_equal(wins: Floats, losses: Floats, ties: Floats) -> Floats:
    return divided((wins + ties).sum(axis=-1), (wins + losses + ties).sum(axis=-1))


def _strictly_better(wins: Floats, losses: Floats, ties: Floats) -> Floats:
    return divided(wins.sum(axis=-1), (wins + losses + ties).sum(axis=-1))


# Functions of (wins, losses, ties), each (…, systems, opponents).
VARIANTS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "expected-wins": _mean_over_opponents,  # Koehn 2012; WMT13: mean of wins / (wins + losses)
    "better": _better,  # Bojar et al. 2011; WMT12: wins / (wins + losses), all opponents together
    "better-or-equal": _better_or_equal,  # to WMT11, "≥ others": (wins + ties) / all
    "strictly-better": _strictly_better,  # WMT09 to WMT11, "> others": wins / all
}


def expected_wins(
    wins: npt.ArrayLike, ties: npt.ArrayLike, *, variant: str = "expected-wins"
) -> Floats:
    """Each system's chance in [0, 1] to be judged better than another; see VARIANTS.

    An opponent never met (or, where ties are ignored, only tied with) is left out of the mean.
    Tables of shape (…, k, k) give (…, k), so that all resamples are rated at once.

    >>> expected_wins([[0, 3, 1], [1, 0, 0], [1, 0, 0]], np.zeros((3, 3))).tolist()
    [0.625, 0.25, 0.5]
    """
    if variant not in VARIANTS:
        raise SpecError(
            f'variant "{variant}" is not one of {", ".join(VARIANTS)}'
            f"{nearest(variant, list(VARIANTS))}"
        )
    won, tied = _tables(wins, ties)
    ratings = VARIANTS[variant](won, np.swapaxes(won, -1, -2), tied)
    empty = np.isnan(ratings)
    if empty.any():
        system = int(np.argwhere(empty)[0, -1])
        raise UndefinedStatistic(
            f'system {system} has no judgement that counts for "{variant}" (in a resample, if '
            "resampled): leave it out or collect more judgements"
        )
    return ratings


def bradley_terry(
    wins: npt.ArrayLike,
    ties: npt.ArrayLike | None = None,
    *,
    prior: float = 0.1,
    tolerance: float = 1e-10,
    max_iterations: int = 10_000,
) -> Floats:
    """Log-strengths with mean 0, higher is better: P(i beats j) = 1 / (1 + exp(s_j - s_i)).

    The maximum of the likelihood, by Newman's (2023) iteration, which climbs as Zermelo's and
    Hunter's (2004) do but in far fewer steps, until no strength moves by `tolerance`. A tie is half
    a win for each. `prior` is added to every pair as wins both ways: without it (0) a system that
    never lost, or groups that never met, have no finite strength.

    >>> bradley_terry([[0, 3], [1, 0]], prior=0).round(3).tolist()
    [0.549, -0.549]
    """
    won, tied = checked_table(wins, np.zeros_like(wins) if ties is None else ties)
    k = len(won)
    points = won + tied / 2 + prior * (1 - np.eye(k))
    parts, _ = connected_components(points > 0, directed=True, connection="strong")
    if parts > 1:
        raise UndefinedStatistic(
            f"Bradley-Terry: {k} systems fall into {parts} groups, and between two of them one "
            "never won; give a prior above 0 (0.1 is the default), or leave systems out"
        )
    strength = np.ones(k)
    for _ in range(max_iterations):
        before = strength.copy()
        for i in range(k):  # one after the other: all at once, two systems would only swap places
            meetings = strength[i] + strength
            strength[i] = (points[i] * strength / meetings).sum() / (points[:, i] / meetings).sum()
        strength /= np.exp(np.log(strength).mean())
        if np.abs(np.log(strength / before)).max() <= tolerance:
            return np.asarray(np.log(strength))
    raise UndefinedStatistic(
        f"Bradley-Terry did not converge in {max_iterations} steps; give a prior above {prior:g}"
    )


def checked_table(wins: npt.ArrayLike, ties: npt.ArrayLike) -> tuple[Floats, Floats]:
    """One table of wins and one of ties, (k, k) each, or an error that says what is wrong."""
    won, tied = _tables(wins, ties)
    if won.ndim != 2:
        raise UndefinedStatistic(f"a table of wins of shape {won.shape}; (k, k) is needed")
    return won, tied


def _tables(wins: npt.ArrayLike, ties: npt.ArrayLike) -> tuple[Floats, Floats]:
    won, tied = finite(wins, "the wins"), finite(ties, "the ties")
    if won.shape != tied.shape or won.ndim < 2 or won.shape[-1] != won.shape[-2]:
        raise UndefinedStatistic(
            f"tables of shape {won.shape} (wins) and {tied.shape} (ties); both must be (…, k, k)"
        )
    if won.shape[-1] < 2:
        raise UndefinedStatistic("1 system has no opponents; at least 2 are needed")
    if np.any(won < 0) or np.any(tied < 0):
        raise UndefinedStatistic("a negative number of wins or ties")
    return won, tied


def _integers(values: npt.ArrayLike) -> Ints:
    array = finite(values, "the judgements")
    whole = array.astype(np.int64)
    if np.any(whole != array):
        raise UndefinedStatistic("systems, outcomes and units must be whole numbers")
    return whole

"""System scores from pairwise judgements: expected wins in WMT's variants, Bradley-Terry.

Judges say which of two is better. Everything here is a function of two tables, how often
system i beat system j and how often they tied. TrueSkill, which plays games by them, is in
`true_skill`, and what the numbers are worth in `ranks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse.csgraph import connected_components

from concordant.errors import UndefinedStatistic
from concordant.stats.arrays import finite
from concordant.stats.correlation import divide

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from concordant.stats.arrays import Floats


def _mean_over_opponents(wins: Floats, losses: Floats, _ties: Floats) -> Floats:
    shares = divide(wins, wins + losses)
    met = ~np.isnan(shares)
    return divide(np.where(met, shares, 0.0).sum(axis=-1), met.sum(axis=-1).astype(np.float64))


def _better(wins: Floats, losses: Floats, _ties: Floats) -> Floats:
    return divide(wins.sum(axis=-1), (wins + losses).sum(axis=-1))


def _better_or_equal(wins: Floats, losses: Floats, ties: Floats) -> Floats:
    return divide((wins + ties).sum(axis=-1), (wins + losses + ties).sum(axis=-1))


def _strictly_better(wins: Floats, losses: Floats, ties: Floats) -> Floats:
    return divide(wins.sum(axis=-1), (wins + losses + ties).sum(axis=-1))


# Functions of (wins, losses, ties), each (…, systems, opponents).
VARIANTS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "expected-wins": _mean_over_opponents,  # Koehn 2012; WMT13: mean of wins / (wins + losses)
    "better": _better,  # Bojar et al. 2011; WMT12: wins / (wins + losses), all opponents together
    "better-or-equal": _better_or_equal,  # to WMT11, "≥ others": (wins + ties) / all
    "strictly-better": _strictly_better,  # WMT09 to WMT11, "> others": wins / all
}


def expected_wins(wins: Floats, ties: Floats, *, variant: str = "expected-wins") -> Floats:
    """Each system's chance in [0, 1] to be judged better than another; see VARIANTS.

    An opponent never met (or, where ties are ignored, only tied with) is left out of the mean; a
    system without any other is NaN. Tables of shape (…, k, k) give (…, k), so that all resamples
    are rated at once.

    >>> wins = np.array([[0.0, 3.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    >>> expected_wins(wins, np.zeros((3, 3))).tolist()
    [0.625, 0.25, 0.5]
    """
    return VARIANTS[variant](wins, np.swapaxes(wins, -1, -2), ties)


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
    won, tied = finite(wins, "the wins"), finite(ties, "the ties")
    if won.shape != tied.shape or won.ndim != 2 or won.shape[0] != won.shape[1]:
        raise UndefinedStatistic(
            f"tables of shape {won.shape} (wins) and {tied.shape} (ties); both must be (k, k)"
        )
    if len(won) < 2:
        raise UndefinedStatistic("1 system has no opponents; at least 2 are needed")
    if np.any(won < 0) or np.any(tied < 0):
        raise UndefinedStatistic("a negative number of wins or ties")
    return won, tied

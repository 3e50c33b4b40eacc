"""TrueSkill: abilities learned from one judgement after the other, as WMT ranked from 2014 to 2016.

Each system's ability is a normal distribution that every judgement moves and narrows (Herbrich,
Minka and Graepel 2006). Which judgement comes next is WMT's own rule (Sakaguchi, Post and Van Durme
2014): the system whose ability is known least meets another one, the likelier the nearer their
abilities, and one of the judgements of these two is drawn, as many times as there are judgements.
So a score does not depend on how often a system met which opponent, and leans on opponents that are
about as good. WMT averages a hundred runs of that; here each game moves the abilities as its draw
is expected to, which is what the average tends to, without chance.

The defaults are WMT's, among them a noise `beta` that grows with the number of judgements, so that
none of them decides alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import norm

from concordant.errors import UndefinedStatistic
from concordant.stats import _native
from concordant.stats.system_ratings import checked_table

if TYPE_CHECKING:
    import numpy.typing as npt

    from concordant.stats.arrays import Floats

JUDGEMENTS_PER_SIGMA = 40.0  # WMT's rule: beta = sigma · judgements / 40


class Abilities(NamedTuple):
    """Mean ability (higher is better) and its standard deviation for every system."""

    mean: Floats
    deviation: Floats


def true_skill(
    wins: npt.ArrayLike,
    ties: npt.ArrayLike,
    *,
    sigma: float = 0.5,
    beta: float | None = None,
    draw_rate: float = 0.25,
) -> Abilities:
    """Abilities with prior N(0, sigma²), from how often each system beat and tied with each other.

    >>> wins = [[0, 9, 8], [2, 0, 7], [1, 3, 0]]
    >>> true_skill(wins, np.zeros((3, 3))).mean.round(2).tolist()
    [0.48, -0.09, -0.4]
    """
    won, tied = checked_table(wins, ties)
    if not 0 <= draw_rate < 1 or sigma <= 0 or (beta is not None and beta <= 0):
        raise UndefinedStatistic("TrueSkill needs sigma and beta above 0, draw_rate in [0, 1)")
    if draw_rate == 0 and tied.any():
        raise UndefinedStatistic("draw_rate is 0 but there are ties; give their share")
    unjudged = np.flatnonzero((won + won.T + tied).sum(axis=1) == 0)
    if unjudged.size:
        raise UndefinedStatistic(f"system {unjudged[0]} was compared with no other: leave it out")
    games = max(1, round(float(won.sum() + tied.sum() / 2)))
    noise = sigma * games / JUDGEMENTS_PER_SIGMA if beta is None else beta
    margin = float(norm.ppf((draw_rate + 1) / 2)) * math.sqrt(2) * noise
    mean, variance = _native.true_skill(won, tied, games, sigma, noise, margin)
    return Abilities(mean, np.sqrt(variance))

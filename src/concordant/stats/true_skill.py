"""TrueSkill: abilities learned from one judgement after the other, as WMT has ranked since 2014.

Each system's ability is a normal distribution that every judgement moves and narrows (Herbrich,
Minka and Graepel 2006). The result depends on the order, so it is averaged over random orders. The
defaults are WMT's (Sakaguchi, Post and Van Durme 2014), who choose a noise `beta` that grows with
the number of judgements, so that none of them decides alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm

from concordant.errors import UndefinedStatistic

if TYPE_CHECKING:
    from concordant.stats.arrays import Floats
    from concordant.stats.system_ratings import Outcomes

TINY = 1e-300
JUDGEMENTS_PER_SIGMA = 40.0  # WMT's rule: beta = sigma · judgements / 40


@dataclass(frozen=True)
class Abilities:
    """Mean ability (higher is better) and its standard deviation for every system."""

    mean: Floats
    deviation: Floats
    n_orders: int


def true_skill(
    outcomes: Outcomes,
    *,
    rng: np.random.Generator,
    n_orders: int = 5,
    sigma: float = 0.5,
    beta: float | None = None,
    draw_rate: float = 0.25,
) -> Abilities:
    """Abilities with prior N(0, sigma²), averaged over `n_orders` random orders of judgements.

    >>> from concordant.stats.system_ratings import Outcomes
    >>> games = Outcomes.of([0, 0, 1], [1, 2, 2], [1, 1, 1])
    >>> true_skill(games, rng=np.random.default_rng(0), beta=0.5).mean.round(2).tolist()
    [0.41, 0.0, -0.39]
    """
    if n_orders < 1:
        raise UndefinedStatistic(f"{n_orders} orders of judgements; at least 1 is needed")
    if not 0 <= draw_rate < 1 or sigma <= 0 or (beta is not None and beta <= 0):
        raise UndefinedStatistic("TrueSkill needs sigma and beta above 0, draw_rate in [0, 1)")
    n = outcomes.outcome.size
    noise = sigma * n / JUDGEMENTS_PER_SIGMA if beta is None else beta
    margin = float(norm.ppf((draw_rate + 1) / 2)) * math.sqrt(2) * noise
    tied = outcomes.outcome == 0
    if margin == 0 and tied.any():
        raise UndefinedStatistic("draw_rate is 0 but there are ties; give their share")
    better = np.where(outcomes.outcome >= 0, outcomes.first, outcomes.second)
    worse = np.where(outcomes.outcome >= 0, outcomes.second, outcomes.first)
    means = np.zeros((n_orders, outcomes.n_systems))
    variances = np.zeros_like(means)
    for mean, variance in zip(means, variances, strict=True):
        order = rng.permutation(n)
        games = zip(
            better[order].tolist(), worse[order].tolist(), tied[order].tolist(), strict=True
        )
        mean[:], variance[:] = _play(list(games), outcomes.n_systems, sigma, noise, margin)
    return Abilities(means.mean(axis=0), np.sqrt(variances.mean(axis=0)), n_orders)


def _play(
    games: list[tuple[int, int, bool]], k: int, sigma: float, noise: float, margin: float
) -> tuple[list[float], list[float]]:
    """Means and variances after all games in the order given."""
    mean, variance = [0.0] * k, [sigma**2] * k
    base = 2 * noise**2
    for winner, loser, tie in games:
        spread = math.sqrt(base + variance[winner] + variance[loser])
        gap = (mean[winner] - mean[loser]) / spread
        shift, shrink = (_drawn if tie else _won)(gap, margin / spread)
        for system, sign in ((winner, 1.0), (loser, -1.0)):
            share = variance[system] / spread
            mean[system] += sign * share * shift
            variance[system] *= 1 - share / spread * shrink
    return mean, variance


def _density(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def _below(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def _won(gap: float, margin: float) -> tuple[float, float]:
    """How far a win moves the means (v) and narrows the variances (w), in units of the spread."""
    lead = gap - margin
    chance = _below(lead)
    if chance < TINY:  # far in the tail v tends to -lead and w to 1
        return -lead, 1.0
    v = _density(lead) / chance
    return v, v * (v + lead)


def _drawn(gap: float, margin: float) -> tuple[float, float]:
    """The same for a tie: v pulls the two means together."""
    size = abs(gap)
    upper, lower = margin - size, -margin - size
    chance = _below(upper) - _below(lower)
    if chance < TINY:
        return math.copysign(upper, -gap) if gap else 0.0, 1.0
    v = (_density(lower) - _density(upper)) / chance
    w = v * v + (upper * _density(upper) - lower * _density(lower)) / chance
    return (v if gap >= 0 else -v), w

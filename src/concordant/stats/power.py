"""How much is needed to settle a difference: segments for a metric, judgements for people.

Both are two-sided tests of a mean difference. With standard deviation `spread` on one segment, a
difference d on n segments has the standard error spread / √n, and is significant with the power
Φ(d √n / spread − z) (Card et al. 2020). A judge prefers one system (1), the other (-1) or neither
(0): that is the same test with the spread of such answers.
"""

from __future__ import annotations

import math

from scipy.special import ndtr, ndtri

from concordant.errors import UndefinedStatistic

LEVEL, POWER = 0.95, 0.8


def needed(difference: float, spread: float, *, power: float = POWER, level: float = LEVEL) -> int:
    """How many segments make a true difference significant with this power, at least 2.

    >>> needed(1.0, 10.0)
    785
    """
    if not difference > 0 or not math.isfinite(difference):
        raise UndefinedStatistic(f"difference {difference:g}; it must be above 0 and finite")
    if not 0 < power < 1 or not 0 < level < 1:
        raise UndefinedStatistic(f"power {power:g} and level {level:g} must lie between 0 and 1")
    size = (_bar(level) + max(ndtri(power), 0.0)) * spread / difference
    return max(2, math.ceil(size**2 - 1e-9))


def power_of(difference: float, spread: float, segments: int, *, level: float = LEVEL) -> float:
    """How likely so many segments make a true difference significant, in [0, 1].

    >>> round(power_of(1.0, 10.0, 785), 3)
    0.8
    """
    if spread == 0:
        return float(difference != 0)
    shift = abs(difference) * math.sqrt(segments) / spread
    return float(ndtr(shift - _bar(level)) + ndtr(-shift - _bar(level)))


def judgements_needed(
    net: float, ties: float, *, power: float = POWER, level: float = LEVEL
) -> int:
    """How many judgements of two translations side by side show which system people prefer.

    `net` is the share of judgements for the better system less the share for the other, `ties` the
    share for neither.

    >>> judgements_needed(0.1, 0.2)
    621
    """
    won = min(net, 1 - ties)
    variance = (1 - ties) - won**2
    return needed(won, math.sqrt(max(variance, 0.0)), power=power, level=level)


def _bar(level: float) -> float:
    return float(ndtri((1 + level) / 2))

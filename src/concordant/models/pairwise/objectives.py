"""What training a pairwise network makes small: functions of its log-odds, and their slopes.

`sign` is +1 where the first was preferred and -1 where the second was, and costs are sums over the
pairs of a batch (the last axis), as Guzmán et al. write them, weight decay beside the sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.models.functions import sigmoid, softplus

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.models.functions import Array


def logistic(there: Array, sign: Array) -> Array:
    """The negative log-likelihood (Guzmán et al. 2015, eq. 4), at least 0.

    >>> float(logistic(np.array([0.0, 100.0]), np.array([1.0, 1.0])).round(3))
    0.693
    """
    return softplus(-sign * there).sum(axis=-1)


def logistic_slope(there: Array, sign: Array) -> Array:
    """How the logistic cost moves with the log-odds of each pair.

    >>> logistic_slope(np.array([0.0, 100.0]), np.array([-1.0, 1.0])).round(3).tolist()
    [0.5, -0.0]
    """
    return -sign * sigmoid(-sign * there)


def kendall(
    there: Array, back: Array, sign: Array, *, gamma: float = 100.0, beta: float = 100.0
) -> Array:
    """The number of discordant pairs made smooth, plus a term against ties (eq. 6), above 0.

    Δ is the probability in the order given minus that of the order swapped. The paper prints the
    sum with a minus sign, which would reward discordance; here it is a cost.
    """
    delta = sigmoid(there) - sigmoid(back)
    discordant = sigmoid(-gamma * sign * delta)
    tied = np.exp(-0.5 * beta * delta * delta)
    return (discordant + tied).sum(axis=-1)


def kendall_slopes(
    there: Array, back: Array, sign: Array, *, gamma: float = 100.0, beta: float = 100.0
) -> tuple[Array, Array]:
    """How Kendall's cost moves with the log-odds of each pair, as given and swapped."""
    one, other = sigmoid(there), sigmoid(back)
    delta = one - other
    discordant = sigmoid(-gamma * sign * delta)
    steep = -gamma * sign * discordant * (1.0 - discordant)
    steep = steep - beta * delta * np.exp(-0.5 * beta * delta * delta)
    return steep * one * (1.0 - one), -steep * other * (1.0 - other)


@dataclass(frozen=True)
class PairObjective:
    """A cost of judged pairs and its slope; `swapped` says that it looks at both orders."""

    cost: Callable[..., Array]
    slope: Callable[..., Array | tuple[Array, Array]]
    swapped: bool


PAIR_OBJECTIVES = {
    "logistic": PairObjective(logistic, logistic_slope, swapped=False),
    "kendall": PairObjective(kendall, kendall_slopes, swapped=True),
}

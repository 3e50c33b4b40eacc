"""What training makes small: functions of a network's output for judged pairs.

`sign` is +1 where the first translation was preferred and -1 where the second was. Costs are sums
over the pairs of a batch (the last axis), as the papers write them, weight decay beside the sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.models.namespace import namespace, sigmoid, softplus

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.models.namespace import Array


def logistic(there: Array, sign: Array) -> Array:
    """The negative log-likelihood (Guzmán et al. 2015, eq. 4), at least 0.

    >>> import numpy as np
    >>> float(logistic(np.array([0.0, 100.0]), np.array([1.0, 1.0])).round(3))
    0.693
    """
    return softplus(-sign * there).sum(axis=-1)


def kendall(
    there: Array, back: Array, sign: Array, *, gamma: float = 100.0, beta: float = 100.0
) -> Array:
    """The number of discordant pairs made smooth, plus a term against ties (eq. 6), above 0.

    Δ is the probability in the order given minus that of the order swapped. The paper prints the
    sum with a minus before it, which would reward discordance; it is a cost here.
    """
    xp = namespace(there)
    delta = sigmoid(there) - sigmoid(back)
    discordant = sigmoid(-gamma * sign * delta)
    tied = xp.exp(-0.5 * beta * delta * delta)
    return (discordant + tied).sum(axis=-1)


@dataclass(frozen=True)
class PairObjective:
    """A cost of judged pairs; `swapped` says that it looks at both orders of a pair."""

    title: str
    cost: Callable[..., Array]
    swapped: bool


PAIR_OBJECTIVES = {
    "logistic": PairObjective(
        "negative log-likelihood (Guzmán et al. 2015, eq. 4)", logistic, False
    ),
    "kendall": PairObjective("smooth Kendall's tau (Guzmán et al. 2015, eq. 6)", kendall, True),
}

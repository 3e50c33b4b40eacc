"""What training makes small: functions of a model's output for judged pairs, and their slopes.

For a network that compares two translations, `sign` is +1 where the first was preferred and -1
where the second was, and costs are sums over the pairs of a batch (the last axis), as Guzmán et al.
write them, weight decay beside the sum. For a model that scores one translation, costs are means
over a batch, as Stanojević and Sima'an (2017) write them.
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


def logistic_slope(there: Array, sign: Array) -> Array:
    """How the logistic cost moves with the log-odds of each pair.

    >>> import numpy as np
    >>> logistic_slope(np.array([0.0, 100.0]), np.array([-1.0, 1.0])).round(3).tolist()
    [0.5, -0.0]
    """
    return -sign * sigmoid(-sign * there)


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


def kendall_slopes(
    there: Array, back: Array, sign: Array, *, gamma: float = 100.0, beta: float = 100.0
) -> tuple[Array, Array]:
    """How Kendall's cost moves with the log-odds of each pair, as given and swapped."""
    xp = namespace(there)
    one, other = sigmoid(there), sigmoid(back)
    delta = one - other
    discordant = sigmoid(-gamma * sign * delta)
    steep = -gamma * sign * discordant * (1.0 - discordant)
    steep = steep - beta * delta * xp.exp(-0.5 * beta * delta * delta)
    return steep * one * (1.0 - one), -steep * other * (1.0 - other)


def sentence_margin(
    difference: Array,
    margin: Array | float = 1.0,
    tie: Array | None = None,
    *,
    tie_width: float = 0.0,
) -> Array:
    """By how much pairs miss their margin, on average (Stanojević and Sima'an 2017, §2.1).

    `difference` is forward(better) - forward(worse). The paper's margin is 1 for every pair; here a
    pair may have its own. Where `tie`, the two should be no further apart than `tie_width`.

    >>> import numpy as np
    >>> float(sentence_margin(np.array([2.0, 0.5, -1.0])))
    0.8333333333333334
    """
    xp = namespace(difference)
    missed = margin - difference
    if tie is not None:
        missed = xp.where(tie, abs(difference) - tie_width, missed)
    return xp.clip(missed, 0.0, None).mean(axis=-1)


def corpus_score(outputs: Array) -> Array:
    """The score of a corpus, the mean of its sentences' scores, from forward(φ) of each (§2)."""
    return sigmoid(outputs).mean(axis=-1)


def corpus_margin(difference: Array, human: Array | float) -> Array:
    """By how much two corpora's scores are closer than people's, at least 0 (§2.2).

    `difference` is the score of the corpus that people scored higher by `human`, minus the
    other's.

    >>> import numpy as np
    >>> corpus_margin(np.array([0.3, 0.0]), 0.25).tolist()
    [0.0, 0.25]
    """
    return namespace(difference).clip(human - difference, 0.0, None)


def joint(sentence: Array, corpus: Array, alpha: float = 0.5) -> Array:
    """Both costs interpolated (§2.3): alpha is the sentences' share.

    >>> joint(1.0, 3.0, 0.25)
    2.5
    """
    return alpha * sentence + (1 - alpha) * corpus


@dataclass(frozen=True)
class PairObjective:
    """A cost of judged pairs and its slope; `swapped` says that it looks at both orders."""

    title: str
    cost: Callable[..., Array]
    slope: Callable[..., Array | tuple[Array, Array]]
    swapped: bool


PAIR_OBJECTIVES = {
    "logistic": PairObjective(
        "negative log-likelihood (Guzmán et al. 2015, eq. 4)", logistic, logistic_slope, False
    ),
    "kendall": PairObjective(
        "smooth Kendall's tau (Guzmán et al. 2015, eq. 6)", kendall, kendall_slopes, True
    ),
}

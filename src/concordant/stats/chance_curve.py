"""How likely people prefer the better-scored of two systems, given the difference and the segments.

    P = 1 / (1 + exp(−(d · n / (n + noise) / scale)^power))

A difference `d` on `n` segments is first shrunk to what a large test set would show of it, then
measured in units of the metric, and passed through a logistic curve. P is 1/2 where d is 0, and
never falls as d or n grows: the three parameters are positive, so this holds by construction.
Fitted by maximum likelihood with weak priors, which decide where data are few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from concordant.errors import UndefinedStatistic

if TYPE_CHECKING:
    import numpy.typing as npt

    from concordant.stats.arrays import Floats

# Means and standard deviations of the logarithms; the scale's mean is the middle difference.
SCALE_PRIOR, POWER_PRIOR, NOISE_PRIOR = (0.0, 2.0), (0.0, 0.5), (np.log(100.0), 1.5)
SURE = 1e-9


class ChanceCurve(NamedTuple):
    """The three positive parameters: at d = `scale` and very many segments P is 0.73."""

    scale: float
    power: float
    noise: float


def chances(curve: npt.ArrayLike, differences: npt.ArrayLike, segments: npt.ArrayLike) -> Floats:
    """The probability in [1/2, 1] that people prefer the better-scored system.

    `curve` has the parameters in its last axis, so that many curves are read at once.

    >>> chances(ChanceCurve(2.0, 1.0, 0.0), [0.0, 2.0, 4.0], 100).round(2).tolist()
    [0.5, 0.73, 0.88]
    """
    scale, power, noise = np.moveaxis(np.asarray(curve, dtype=np.float64), -1, 0)
    n = np.asarray(segments, dtype=np.float64)
    return np.asarray(expit((np.asarray(differences) * n / (n + noise) / scale) ** power))


def difference_for(curve: npt.ArrayLike, chance: float, segments: npt.ArrayLike) -> Floats:
    """The difference at which people agree with probability `chance`, above 1/2 and below 1.

    >>> float(difference_for(ChanceCurve(2.0, 1.0, 0.0), 0.8807970779778823, 100).round(6))
    4.0
    """
    if not 0.5 < chance < 1.0:
        raise UndefinedStatistic(f"chance {chance:g}; it must be above 0.5 and below 1")
    scale, power, noise = np.moveaxis(np.asarray(curve, dtype=np.float64), -1, 0)
    n = np.asarray(segments, dtype=np.float64)
    return np.asarray(np.log(chance / (1 - chance)) ** (1 / power) * scale * (n + noise) / n)


def fit_curve(
    differences: Floats, segments: Floats, agreed: Floats, weights: Floats
) -> ChanceCurve:
    """The curve that makes what people said most likely, given weak priors.

    `agreed` is 1 where people preferred the better-scored system, 0 where the other, 1/2 for a tie.
    """
    if not weights.sum() > 0 or not (differences > 0).any():
        raise UndefinedStatistic("no two systems with different scores to fit a curve to")
    middle = float(np.log(np.median(differences[differences > 0])))
    priors = np.array([(SCALE_PRIOR[0] + middle, SCALE_PRIOR[1]), POWER_PRIOR, NOISE_PRIOR])
    logs = np.log(np.maximum(differences, 1e-300)), np.log(segments)

    def loss(x: Floats) -> tuple[float, Floats]:
        shrink = -np.logaddexp(0.0, x[2] - logs[1])  # log of n / (n + noise)
        inner = logs[0] + shrink - x[0]
        logit = np.exp(np.minimum(np.exp(x[1]) * inner, 50.0))
        value = weights @ (np.logaddexp(0.0, logit) - agreed * logit)
        slope = weights * (expit(logit) - agreed) * logit
        power = np.exp(x[1])
        gradient = np.array([
            -power * slope.sum(), power * (slope @ inner),
            -power * (slope @ expit(x[2] - logs[1])),
        ])  # fmt: skip
        apart = (x - priors[:, 0]) / priors[:, 1]
        return float(value + 0.5 * apart @ apart), gradient + apart / priors[:, 1]

    found = minimize(loss, priors[:, 0], jac=True, method="L-BFGS-B")
    return ChanceCurve(*np.exp(found.x).tolist())


def log_loss(chance: npt.ArrayLike, agreed: Floats, weights: Floats) -> float:
    """The mean negative log-likelihood of what people said, in nats; lower is better.

    >>> round(log_loss(0.5, np.array([1.0, 0.0]), np.ones(2)), 3)
    0.693
    """
    p = np.clip(chance, SURE, 1 - SURE)
    return float(np.average(-agreed * np.log(p) - (1 - agreed) * np.log1p(-p), weights=weights))

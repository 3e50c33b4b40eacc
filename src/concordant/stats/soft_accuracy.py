"""Soft pairwise accuracy, SPA (Thompson et al. 2024): agreement in the confidence of decisions.

For every two systems, people and metric each give a p-value that the first is better than the
second, from a paired permutation test over segments; SPA is 1 minus the mean distance of the two.
It is 1 when both are equally confident about every pair of systems, and about 0.5 for a metric
that is never confident.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import UndefinedStatistic
from concordant.stats.arrays import deviation

if TYPE_CHECKING:
    from concordant.stats.arrays import Bools, Floats


@dataclass(frozen=True)
class SoftAccuracy:
    """Human and metric scores by segment and system, and the ± signs of the permutations.

    `human` and `metric` are (segments, systems), NaN where a translation has no score; `signs` is
    (permutations, segments).
    """

    human: Floats
    metric: Floats
    signs: Floats

    def value(self) -> float:
        """SPA in [0, 1], better when higher, with p-values from the permutations."""
        human = permutation_p_values(_differences(self.human, self.metric), self.signs)
        metric = permutation_p_values(_differences(self.metric, self.human), self.signs)
        return float(1.0 - np.abs(human - metric).mean())

    def resample(self, weights: Floats) -> Floats:
        """SPA for each row of segment weights; p-values by the permutations' normal limit.

        Under random signs the summed difference has mean 0 and variance Σd²; a permutation test
        inside every bootstrap resample would cost a million tests and say the same.
        """
        human = normal_p_values(_differences(self.human, self.metric), weights)
        metric = normal_p_values(_differences(self.metric, self.human), weights)
        return np.asarray(1.0 - np.abs(human - metric).mean(axis=1))

    def swap(self, other: SoftAccuracy, mask: Bools) -> tuple[Floats, Floats]:
        """Both SPAs with the (standardised) metrics exchanged where a row of mask is true.

        The metrics' p-values are those of the normal limit here.
        """
        human = permutation_p_values(_differences(self.human, self.metric), self.signs)
        values = []
        for first, second in ((self, other), (other, self)):
            ones = np.ones(mask.shape)
            one, two = (
                _differences(each.metric, each.human)
                / deviation(each.metric[~np.isnan(each.metric)])
                for each in (first, second)
            )
            keep, take = ones * ~mask, ones * mask
            total = keep @ one + take @ two
            spread = np.sqrt(keep @ one**2 + take @ two**2)
            values.append(1.0 - np.abs(human - _upper_tail(total, spread)).mean(axis=1))
        return values[0], values[1]


def soft_pairwise_accuracy(
    human: Floats, metric: Floats, *, permutations: int, rng: np.random.Generator
) -> SoftAccuracy:
    """The checked input of SPA; at least two systems with common segments are needed."""
    if human.shape != metric.shape or human.ndim != 2:
        raise UndefinedStatistic(
            f"SPA: human scores are {human.shape}, metric scores {metric.shape}; "
            "both must be (segments, systems)"
        )
    if human.shape[1] < 2:
        raise UndefinedStatistic(f"SPA: {human.shape[1]} systems; at least 2 are needed")
    common = ~np.isnan(human) & ~np.isnan(metric)
    together = common.T.astype(np.int64) @ common
    if together.min() == 0:
        raise UndefinedStatistic("SPA: two systems have no judged segment in common")
    signs = rng.choice(np.array([-1.0, 1.0]), size=(permutations, len(human)))
    return SoftAccuracy(human, metric, signs)


def permutation_p_values(differences: Floats, signs: Floats) -> Floats:
    """One-sided p for each column: how often random signs exceed the observed sum.

    (count + ½) / (n + 1) with equal sums counted by half, so that exchanging the two systems gives
    exactly 1 − p and SPA does not depend on the order of the systems.
    """
    observed = differences.sum(axis=0)
    slack = 1e-12 * np.abs(differences).sum(axis=0)
    beyond = signs @ differences - observed
    exceeded = (beyond > slack).sum(axis=0) + 0.5 * (np.abs(beyond) <= slack).sum(axis=0)
    return np.asarray((exceeded + 0.5) / (len(signs) + 1.0))


def normal_p_values(differences: Floats, weights: Floats) -> Floats:
    """The same p-values in the limit of many permutations, for each row of segment weights."""
    return _upper_tail(weights @ differences, np.sqrt(weights @ differences**2))


def _upper_tail(total: Floats, spread: Floats) -> Floats:
    from scipy.special import ndtr  # noqa: PLC0415 - scipy is slow to import

    z = np.where(spread > 0, total / np.where(spread > 0, spread, 1.0), 0.0)
    return np.asarray(ndtr(-z), dtype=np.float64)


def _differences(scores: Floats, other: Floats) -> Floats:
    """Score differences (segments, pairs of systems); 0 where either side lacks a translation."""
    known = np.where(np.isnan(other), np.nan, scores)
    first, second = np.triu_indices(scores.shape[1], k=1)
    difference: Floats = known[:, first] - known[:, second]
    return np.where(np.isnan(difference), 0.0, difference)

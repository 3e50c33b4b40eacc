"""A trained metric's agreement with held-out judgements, with confidence intervals.

For pairs it is strict Kendall's tau, for ratings Pearson's r; both are resampled by segment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.judgements.judged_translations import JudgedPairs, RatedTranslations
from concordant.models.pairwise.fitting import PairSet
from concordant.stats.measured import Additive, moments, pearson_from_moments
from concordant.stats.resampling import bootstrap_weights, estimate
from concordant.stats.tau import strict_counts, strict_outcomes

if TYPE_CHECKING:
    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_translations import JudgedTranslations
    from concordant.metrics.learned import Metric
    from concordant.records import Estimate

RESAMPLES = 1000
METHOD = f"bootstrap over segments, {RESAMPLES} resamples"
DECISIONS, SINGLE = "decisions between two translations", "scores of single translations"


@dataclass(frozen=True, repr=False)
class Outcomes(Brief):
    """What the metric said of each held-out judgement, and what came true.

    Of pairs it is the chance of the preferred translation, and 1 where people prefer it too; else
    (`chances` False) a score and its rating.
    """

    said: np.ndarray
    true: np.ndarray
    chances: bool


@dataclass(frozen=True, repr=False)
class Reached(Brief):
    """A metric's agreement with people: what was compared → the statistic of it.

    `short` is the statistic's name in a record, `things` what was judged. The first estimate is the
    one to look at. `outcomes` are what it comes from.
    """

    statistic: str
    short: str
    things: str
    estimates: dict[str, Estimate]
    outcomes: Outcomes

    @property
    def first(self) -> Estimate:
        """The agreement that the training was for."""
        return next(iter(self.estimates.values()))


def agreement_of(metric: Metric, judged: JudgedTranslations, inputs: Inputs) -> Reached:
    """The agreement of a metric's decisions, or of its scores, with judgements of its own kind."""
    if isinstance(judged, JudgedPairs):
        return pair_agreement(metric, judged, inputs)
    if isinstance(judged, RatedTranslations):
        return agreement_of_scores(metric.scores_of_inputs(inputs.take(judged.rows)), judged)
    raise AssertionError(f"{type(judged).__name__} are judgements of no known kind")


def agreement_of_scores(scores: np.ndarray, judged: RatedTranslations) -> Reached:
    """The agreement of scores with ratings."""
    found = pearson_estimate(scores, judged.ratings[judged.rows], judged.group)
    outcomes = Outcomes(scores, judged.ratings[judged.rows], chances=False)
    return Reached("Pearson's r", "r", judged.THINGS, {SINGLE: found}, outcomes)


def pair_agreement(metric: Metric, pairs: JudgedPairs, inputs: Inputs) -> Reached:
    """Strict tau of the metric's decisions, and of its scores of single translations."""
    if pairs.tie is not None:
        pairs = pairs.take(np.flatnonzero(~pairs.tie))
    rows = PairSet.of(pairs)
    segment = np.repeat(pairs.segment, pairs.weight.astype(np.int64))
    scores = metric.scores_of_inputs(inputs)
    halves = (inputs.take(each) for each in (rows.better, rows.worse))
    gaps = metric.margins_of_inputs(*halves), scores[rows.better] - scores[rows.worse]
    first, second = (tau_estimate(gap, segment) for gap in gaps)
    agreed = np.where(gaps[0] > 0, 1.0, np.where(gaps[0] < 0, 0.0, 0.5))
    outcomes = Outcomes(0.5 + np.abs(gaps[0]), agreed, chances=True)
    return Reached("strict tau", "tau", pairs.THINGS, {DECISIONS: first, SINGLE: second}, outcomes)


def tau_estimate(gaps: np.ndarray, segment: np.ndarray) -> Estimate:
    """The strict tau of decisions, with a bootstrap interval over segments."""
    counts = strict_counts(strict_outcomes(gaps), segment)
    measured = Additive(counts, lambda sums: sums[..., 0] / sums[..., 1], "tau-wmt12")
    return _estimate(measured, len(gaps))


def pearson_estimate(scores: np.ndarray, ratings: np.ndarray, segment: np.ndarray) -> Estimate:
    """Pearson's r of scores with ratings, with a bootstrap interval over segments."""
    _, unit = np.unique(segment, return_inverse=True)
    counts = moments(ratings - ratings.mean(), scores - scores.mean(), unit, int(unit.max()) + 1)
    return _estimate(Additive(counts, pearson_from_moments, "pearson"), len(scores))


def _estimate(measured: Additive, n: int) -> Estimate:
    weights = bootstrap_weights(len(measured.counts), RESAMPLES, np.random.default_rng(0))
    return estimate(measured, weights, n=n, method=METHOD)

"""Calibration: from predicted ratings to the share of translations rated lower.

A prediction above 90 % of all predictions does not mean a translation better than 90 % of
all: predictions have errors, and extreme ones regress to the mean. The expected rating
is learned from translations that the predicting model has not seen.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.models.functions import correlation

if TYPE_CHECKING:
    from concordant.judgements.judged_translations import Floats


def shares_below(ratings: Floats, crowd: Floats) -> Floats:
    """The share of the crowd with a lower rating than each; an equal one counts as half lower.

    >>> shares_below(np.array([1.0, 5.0]), np.array([0.0, 1.0, 2.0, 3.0])).tolist()
    [0.375, 1.0]
    """
    ordered = np.sort(crowd)
    lower, not_higher = (np.searchsorted(ordered, ratings, side) for side in ("left", "right"))
    return np.asarray((lower + not_higher) / (2 * len(crowd)))


def calibration(predicted: Floats, human: Floats) -> Floats:
    """Intercept and slope of the normal deviate of the share of translations rated lower.

    A translation's own deviate is taken as a line of its prediction, and a normal error. The mean
    share of translations with one prediction is then Φ(line / √(1 + the error's variance)).

    >>> calibration(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])).round(3).tolist()
    [-1.935, 0.967]
    """
    deviates = np.array([NormalDist().inv_cdf(p) for p in shares_below(human, human).tolist()])
    r = correlation(predicted, deviates)
    if r <= 0:
        raise ConcordantError(
            "predictions on held-out ratings do not correlate with them, so there is "
            "nothing to calibrate by; leave out model.calibrated, or give more ratings"
        )
    slope = r * deviates.std() / predicted.std()
    intercept = deviates.mean() - slope * predicted.mean()
    error = deviates.var() * (1.0 - r**2)
    return np.asarray(np.array([intercept, slope]) / np.sqrt(1.0 + error))

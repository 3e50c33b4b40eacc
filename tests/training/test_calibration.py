"""Scores from 0 to 100 keep their word: people rate that share of translations lower."""

import numpy as np
import pytest

from concordant.errors import ConcordantError
from concordant.models.regression.calibration import calibration, shares_below
from concordant.models.regression.forward import calibrate


def crowd(agreement, *, many=40_000, seed=1):
    """Ratings, and predictions of them on another scale."""
    rng = np.random.default_rng(seed)
    predicted, error = rng.normal(size=(2, many))
    human = agreement * predicted + np.sqrt(1 - agreement**2) * error
    return 3.0 + 0.2 * predicted, 60.0 + 20.0 * human


@pytest.mark.parametrize("agreement", [0.2, 0.65, 0.95])
def test_outputs_with_a_score_beat_that_share_on_average(agreement):
    predicted, human = crowd(agreement)
    scores = calibrate(predicted, calibration(predicted, human))
    shares = 100 * shares_below(human, human)
    for low in range(0, 100, 10):
        there = (scores >= low) & (scores < low + 10)
        if there.sum() > 1000:
            assert scores[there].mean() == pytest.approx(shares[there].mean(), abs=1.5)


def test_the_less_predictions_agree_the_nearer_scores_are_to_the_middle():
    spreads = [
        np.std(calibrate(predicted, calibration(predicted, human)))
        for predicted, human in map(crowd, (0.2, 0.65, 0.95))
    ]
    assert spreads == sorted(spreads)
    assert spreads[-1] < 29  # of numbers spread evenly from 0 to 100


def test_the_order_of_outputs_and_any_scale_of_ratings_are_kept():
    predicted, human = crowd(0.65, many=500)
    scores = calibrate(predicted, calibration(predicted, human))
    assert (np.argsort(scores) == np.argsort(predicted)).all()
    again = calibrate(7.0 * predicted - 2.0, calibration(7.0 * predicted - 2.0, human**3))
    assert again == pytest.approx(scores)


def test_shares_count_equal_ratings_half():
    human = np.array([1.0, 2.0, 2.0, 5.0])
    slow = [np.mean((human < each) + 0.5 * (human == each)) for each in human]
    assert shares_below(human, human).tolist() == slow


@pytest.mark.parametrize("predicted", [[3.0, 2.0, 1.0], [0.1, 0.1, 0.1]])
def test_predictions_that_do_not_agree_are_refused(predicted):
    with pytest.raises(ConcordantError, match="nothing to calibrate by"):
        calibration(np.array(predicted), np.array([1.0, 2.0, 3.0]))

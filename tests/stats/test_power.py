"""Power: planned numbers do what they promise, in simulation too."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from concordant.errors import UndefinedStatistic
from concordant.stats.contest import detectable
from concordant.stats.power import judgements_needed, needed, power_of

SIZES = st.floats(0.01, 10.0)


@given(SIZES, SIZES, st.sampled_from([0.5, 0.8, 0.9, 0.99]))
def test_the_number_needed_has_the_power_and_one_less_has_not(difference, spread, power):
    n = needed(difference, spread, power=power)
    assert power_of(difference, spread, n) >= power - 1e-6
    if n > 2:
        assert power_of(difference, spread, n - 1) < power + 0.026  # and the other tail


@given(SIZES, st.integers(2, 10_000))
def test_what_is_detectable_is_what_can_be_planned(spread, n):
    # compare's smallest detectable difference on n segments needs n segments.
    smallest = detectable(spread / np.sqrt(n))
    assert needed(smallest, spread) == pytest.approx(n, abs=1)


def test_a_simulated_test_has_the_power():
    rng = np.random.default_rng(0)
    n = needed(0.3, 2.0)
    means = rng.normal(0.3, 2.0 / np.sqrt(n), 20_000)
    assert np.mean(np.abs(means) > 1.959964 * 2.0 / np.sqrt(n)) == pytest.approx(0.8, abs=0.01)


def test_simulated_judgements_show_the_preference():
    rng = np.random.default_rng(0)
    n = judgements_needed(0.1, 0.2)
    answers = rng.choice([1, 0, -1], (4000, n), p=[0.45, 0.2, 0.35])
    bars = 1.959964 * answers.std(axis=1, ddof=1) / np.sqrt(n)
    assert np.mean(np.abs(answers.mean(axis=1)) > bars) == pytest.approx(0.8, abs=0.02)


def test_all_judges_of_one_mind_need_few():
    assert judgements_needed(1.0, 0.0) == 2
    assert judgements_needed(5.0, 0.3) < 10  # no more than all that are not ties


@pytest.mark.parametrize("difference", [0.0, -1.0, float("nan"), float("inf")])
def test_no_difference_cannot_be_planned_for(difference):
    with pytest.raises(UndefinedStatistic, match="it must be above 0"):
        needed(difference, 1.0)


def test_impossible_power_is_told():
    with pytest.raises(UndefinedStatistic, match="must lie between 0 and 1"):
        needed(1.0, 1.0, power=1.0)

"""Curves of chances: monotone, invertible, and fitted to what they were drawn from."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import approx_fprime

from concordant.errors import UndefinedStatistic
from concordant.stats import chance_curve
from concordant.stats.chance_curve import ChanceCurve, chances, difference_for, fit_curve, log_loss

SOME = st.floats(0.01, 100.0)
CURVES = st.builds(ChanceCurve, SOME, st.floats(0.2, 3.0), SOME)
SIZES = st.integers(1, 100_000)


@given(CURVES, st.floats(0.0, 1000.0), st.floats(0.0, 1000.0), SIZES, SIZES)
def test_chances_never_fall_as_differences_or_test_sets_grow(curve, one, other, n, m):
    small, large = sorted((one, other))
    few, many = sorted((n, m))
    assert 0.5 <= chances(curve, small, few) <= chances(curve, large, few) <= 1.0
    assert chances(curve, small, few) <= chances(curve, small, many)
    assert chances(curve, 0.0, n) == 0.5


@given(CURVES, st.floats(0.51, 0.99), SIZES)
def test_the_difference_for_a_chance_has_that_chance(curve, chance, n):
    assert chances(curve, difference_for(curve, chance, n), n) == pytest.approx(chance)


@pytest.mark.parametrize("chance", [0.5, 1.0, 0.0])
def test_no_difference_gives_even_chances_or_certainty(chance):
    with pytest.raises(UndefinedStatistic, match=r"above 0\.5 and below 1"):
        difference_for(ChanceCurve(1.0, 1.0, 1.0), chance, 100)


def drawn(curve, rows, seed=0):
    rng = np.random.default_rng(seed)
    differences = rng.exponential(3.0, rows)
    segments = rng.choice([50.0, 200.0, 3000.0], rows)
    agreed = (rng.random(rows) < chances(curve, differences, segments)).astype(float)
    return differences, segments, agreed, np.ones(rows)


def test_a_curve_is_found_again():
    true = ChanceCurve(1.5, 0.8, 60.0)
    found = fit_curve(*drawn(true, 40_000))
    for size in (50.0, 3000.0):
        at = np.array([0.3, 1.0, 3.0, 9.0])
        assert chances(found, at, size) == pytest.approx(chances(true, at, size), abs=0.02)


def test_few_data_leave_the_curve_at_its_priors():
    differences, segments, agreed, weights = drawn(ChanceCurve(1.0, 1.0, 30.0), 20)
    found = fit_curve(differences, segments, agreed, weights * 1e-9)
    assert found == pytest.approx((np.median(differences), 1.0, 100.0), rel=1e-3)


def test_the_fit_takes_the_gradient_of_its_loss(monkeypatch):
    seen = []

    def check(loss, x, **how):
        for point in (x, x + np.array([0.3, -0.4, 0.5])):
            rough = approx_fprime(point, lambda y: loss(y)[0], 1e-6)
            seen.append(loss(point)[1] == pytest.approx(rough, rel=1e-3, abs=1e-3))
        return minimize(loss, x, **how)

    minimize = chance_curve.minimize
    monkeypatch.setattr(chance_curve, "minimize", check)
    fit_curve(*drawn(ChanceCurve(1.0, 1.0, 30.0), 300))
    assert seen == [True, True]


def test_ties_are_half_an_agreement():
    rng = np.random.default_rng(1)
    differences, segments = rng.exponential(2.0, 500), np.full(500, 500.0)
    ties = fit_curve(differences, segments, np.full(500, 0.5), np.ones(500))
    halves = fit_curve(
        np.repeat(differences, 2), np.repeat(segments, 2), np.tile([1.0, 0.0], 500),
        np.full(1000, 0.5),
    )  # fmt: skip
    assert ties == pytest.approx(halves, rel=1e-3)
    assert log_loss(0.5, np.full(4, 0.5), np.ones(4)) == pytest.approx(np.log(2))


def test_nothing_to_fit_is_an_error():
    zeros = np.zeros(3)
    with pytest.raises(UndefinedStatistic, match="no two systems with different scores"):
        fit_curve(zeros, zeros + 100, zeros + 0.5, np.ones(3))

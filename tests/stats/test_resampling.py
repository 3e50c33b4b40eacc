import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.errors import UndefinedStatistic
from concordant.stats.measured import Additive, mean_of_groups
from concordant.stats.quantiles import percentile_interval
from concordant.stats.resampling import (
    BLOCK,
    bootstrap_weights,
    difference_from,
    estimate,
    estimate_from,
    swap_masks,
)

CLUSTERS = np.array([0, 0, 1, 1, 1, 2])


@given(st.integers(1, 20), st.integers(1, 600), st.integers(0, 5))
@settings(deadline=None)
def test_a_resample_is_as_large_as_the_test_set(units, resamples, seed):
    weights = bootstrap_weights(units, resamples, np.random.default_rng(seed))
    assert weights.shape == (resamples, units)
    assert (weights.sum(axis=1) == units).all()
    assert (weights >= 0).all()


def test_draws_are_multinomial(rng):
    weights = bootstrap_weights(10, 20_000, rng)
    assert weights.mean(axis=0) == pytest.approx(1, abs=0.03)
    assert weights.var(axis=0) == pytest.approx(1 - 1 / 10, abs=0.05)
    assert np.corrcoef(weights[:, 0], weights[:, 1])[0, 1] == pytest.approx(-1 / 9, abs=0.03)


def test_clusters_are_drawn_whole(rng):
    weights = bootstrap_weights(6, 100, rng, clusters=CLUSTERS)
    masks = swap_masks(6, 100, rng, clusters=CLUSTERS)
    for each in (weights, masks):
        assert each.shape == (100, 6)
        assert (each[:, 0] == each[:, 1]).all()
        assert (each[:, 2] == each[:, 4]).all()
    assert (weights[:, [0, 2, 5]].sum(axis=1) == 3).all()


def test_coins_are_fair_and_independent(rng):
    masks = swap_masks(8, 20_000, rng)
    assert masks.dtype == np.bool_
    assert masks.mean(axis=0) == pytest.approx(0.5, abs=0.02)
    correlations = np.corrcoef(masks.T.astype(float))[np.triu_indices(8, k=1)]
    assert correlations == pytest.approx(0, abs=0.04)


@pytest.mark.parametrize("draw", [bootstrap_weights, swap_masks])
def test_a_seed_is_a_result_and_zero_is_a_seed(draw):
    results = [draw(9, 700, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    assert np.array_equal(results[0], results[1])
    assert not np.array_equal(results[0], results[2])


@pytest.mark.parametrize("block", [1, 7, BLOCK, 10**6])
@pytest.mark.parametrize("units", [1, 5, 30])
def test_the_size_of_a_block_does_not_matter(block, units, monkeypatch):
    plain = bootstrap_weights(units, 600, np.random.default_rng(0))
    monkeypatch.setattr("concordant.stats.resampling.BLOCK", block)
    assert np.array_equal(bootstrap_weights(units, 600, np.random.default_rng(0)), plain)


def test_the_interval_of_a_mean_is_the_normal_one(rng):
    values = rng.normal(size=400)
    mean = Additive(np.stack([values, np.ones(400)], axis=1), mean_of_groups, "mean")
    result = estimate(mean, bootstrap_weights(400, 4000, rng), n=400, method="bootstrap")
    half = 1.96 * values.std() / 20
    assert (result.low, result.high) == pytest.approx(
        (values.mean() - half, values.mean() + half), abs=0.015
    )
    assert (result.value, result.n, result.level) == (pytest.approx(values.mean()), 400, 0.95)
    assert result.method == "bootstrap"


def test_intervals_cover_as_often_as_they_say():
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(300):
        values = rng.normal(size=40)
        means = bootstrap_weights(40, 300, rng) @ values / 40
        low, high = percentile_interval(means, level=0.9)
        covered += low <= 0 <= high
    assert 0.84 < covered / 300 < 0.94


def test_undefined_resamples_are_left_out_unless_they_are_most():
    values = np.r_[np.arange(101.0), np.full(101, np.nan)]
    assert percentile_interval(values, level=0.9) == pytest.approx((5, 95))
    with pytest.raises(UndefinedStatistic, match="undefined in 102 of 203 resamples; too few"):
        percentile_interval(np.r_[values, np.nan])
    with pytest.raises(UndefinedStatistic, match="undefined in 0 of 0 resamples"):
        percentile_interval(np.array([]))


def test_an_estimate_without_an_interval_says_why():
    result = estimate_from(0.5, np.full(10, np.nan), 7)
    assert (result.value, result.low, result.high, result.n) == (0.5, None, None, 7)
    assert result.method == (
        "no interval: undefined in 10 of 10 resamples; too few judgements for an interval"
    )
    assert str(result) == "0.500 (n=7)"


def test_differences():
    result = difference_from(0.25, np.arange(101.0), 0.04, level=0.9)
    assert (result.value, result.p) == (0.25, 0.04)
    assert (result.low, result.high) == pytest.approx((5, 95))
    assert difference_from(0.25, np.array([np.nan]), 1.0).low is None

import numpy as np
import pytest

from concordant.errors import UndefinedStatistic
from concordant.stats.draws import block_sizes, coins, resampled_sums


@pytest.mark.parametrize("size", [1, 63, 64, 65, 200])
def test_coins_are_the_same_in_blocks(size):
    whole = coins(np.random.default_rng(3), 10, size)
    rng = np.random.default_rng(3)
    parts = np.concatenate([coins(rng, 4, size), coins(rng, 1, size), coins(rng, 5, size)])
    assert whole.shape == (10, size)
    assert whole.dtype == np.bool_
    assert np.array_equal(whole, parts)


def test_coins_are_fair_and_independent(rng):
    tosses = coins(rng, 2000, 100).astype(float)
    assert abs(tosses.mean() - 0.5) < 0.005
    off_diagonal = np.corrcoef(tosses.T)[~np.eye(100, dtype=bool)]
    assert np.abs(off_diagonal).max() < 0.12


def test_resampled_sums_are_the_same_in_blocks(monkeypatch):
    counts = np.random.default_rng(0).normal(size=(50, 3))
    whole = np.concatenate(list(resampled_sums(counts, 40, np.random.default_rng(1))))
    monkeypatch.setattr("concordant.stats.draws.BLOCK_VALUES", 150)
    parts = list(resampled_sums(counts, 40, np.random.default_rng(1)))
    assert [len(part) for part in parts][:2] == [3, 3]
    assert np.array_equal(whole, np.concatenate(parts))


def test_resamples_have_the_size_of_the_test_set_and_its_mean(rng):
    counts = np.stack([np.arange(100.0), np.ones(100)], axis=1)
    sums = np.concatenate(list(resampled_sums(counts, 2000, rng)))
    assert np.all(sums[:, 1] == 100)
    assert sums[:, 0].mean() / 100 == pytest.approx(49.5, abs=0.3)
    assert sums[:, 0].std() / 100 == pytest.approx(np.arange(100).std() / 10, rel=0.1)


def test_no_draws():
    with pytest.raises(UndefinedStatistic, match="0 random draws"):
        list(block_sizes(0, 10))

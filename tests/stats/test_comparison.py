from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kstest

from concordant.errors import UndefinedStatistic
from concordant.stats.comparison import approximate_randomisation, paired_bootstrap

SCORES = arrays(np.float64, 12, elements=st.integers(-20, 20).map(lambda n: n / 10))
TESTS = [paired_bootstrap, approximate_randomisation]


def f_score(sums):
    """A score that is no mean: F of matched, output and reference counts."""
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def counts(rng, n=60, quality=0.5):
    lengths = rng.integers(5, 20, n)
    return np.stack([rng.binomial(lengths, quality), lengths, lengths], axis=1)


@pytest.mark.parametrize("test", TESTS)
def test_the_same_system_twice(test, rng):
    a = counts(rng)
    result = test(a, a, score=f_score, rng=rng)
    assert (result.difference, result.p) == (0.0, 1.0)
    scores = rng.normal(size=40)
    assert test(scores, scores, rng=rng).p == 1.0


def test_the_same_system_twice_only_ties(rng):
    result = paired_bootstrap(*[counts(rng)] * 2, score=f_score, rng=rng)
    assert (result.wins, result.ties, result.low, result.high) == (0.0, 1.0, 0.0, 0.0)


def test_a_system_that_is_always_better(rng):
    b = counts(rng)
    a = b + np.array([1, 0, 0])
    result = paired_bootstrap(a, b, score=f_score, rng=rng)
    assert (result.wins, result.ties) == (1.0, 0.0)
    assert result.p == 1 / 1001
    assert result.low > 0
    assert approximate_randomisation(a, b, score=f_score, rng=rng).p < 0.001


@given(SCORES, SCORES)
@settings(max_examples=40)
def test_swapping_the_systems_flips_the_sign(a, b):
    one = paired_bootstrap(a, b, rng=np.random.default_rng(3), n_resamples=99)
    other = paired_bootstrap(b, a, rng=np.random.default_rng(3), n_resamples=99)
    assert one.difference == -other.difference
    assert one.p == other.p
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert one.wins + one.ties + other.wins == pytest.approx(1)
    first = approximate_randomisation(a, b, rng=np.random.default_rng(3), n_permutations=99)
    second = approximate_randomisation(b, a, rng=np.random.default_rng(3), n_permutations=99)
    assert first.difference == -second.difference
    assert first.p == second.p


@given(SCORES, SCORES)
@example(np.zeros(12), np.array([0.0] * 9 + [0.1, -0.1, -0.1]))  # sums that are 0 but for rounding
@settings(max_examples=20)
def test_affine_maps_do_not_matter(a, b):
    one = paired_bootstrap(a, b, rng=np.random.default_rng(3), n_resamples=99)
    other = paired_bootstrap(4 * a + 1, 4 * b + 1, rng=np.random.default_rng(3), n_resamples=99)
    assert 4 * one.difference == pytest.approx(other.difference, abs=1e-9)
    assert (one.wins, one.ties, one.p) == (other.wins, other.ties, other.p)


def test_randomisation_approaches_the_exact_test(rng):
    a, b = rng.normal(0.5, 1, 8), rng.normal(0, 1, 8)
    observed = abs((a - b).mean())
    exact = np.mean([
        abs(np.dot(s, a - b)) / 8 >= observed - 1e-12 for s in product([1, -1], repeat=8)
    ])
    assert approximate_randomisation(a, b, rng=rng).p == pytest.approx(exact, abs=0.015)


@pytest.mark.parametrize("test", TESTS)
def test_p_is_uniform_for_equal_systems(test):
    rng = np.random.default_rng(5)
    p = [test(*rng.normal(size=(2, 50)), rng=rng, **{n: 199}).p
         for n in [{paired_bootstrap: "n_resamples"}.get(test, "n_permutations")]
         for _ in range(300)]  # fmt: skip
    assert kstest(p, "uniform").pvalue > 0.01


def test_the_interval_is_that_of_a_mean(rng):
    a, b = rng.normal(1, 1, 400), rng.normal(0, 1, 400)
    result = paired_bootstrap(a, b, rng=rng, n_resamples=4000)
    half = 1.96 * (a - b).std() / 20
    assert result.difference == pytest.approx((a - b).mean())
    assert (result.low, result.high) == pytest.approx(
        (result.difference - half, result.difference + half), abs=0.02
    )
    assert result.n == 400


@pytest.mark.parametrize("test", TESTS)
def test_documents_move_together(test, rng):
    # Each segment ten times over: as single segments far too sure, as documents no surer than once.
    a, b = rng.normal(0.3, 1, 30), rng.normal(0, 1, 30)
    documents = [f"doc{i:02d}" for i in range(30) for _ in range(10)]
    once = test(a, b, rng=np.random.default_rng(1))
    grouped = test(*np.repeat([a, b], 10, axis=1), rng=np.random.default_rng(1), groups=documents)
    assert grouped.n == once.n == 30
    assert grouped.p == once.p
    assert grouped.difference == pytest.approx(once.difference)
    assert test(*np.repeat([a, b], 10, axis=1), rng=np.random.default_rng(1)).p < once.p


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("block", [1, 1000])
def test_the_size_of_a_block_does_not_matter(test, block, monkeypatch, rng):
    a, b = counts(rng), counts(rng)
    plain = test(a, b, score=f_score, rng=np.random.default_rng(1))
    monkeypatch.setattr("concordant.stats.draws.BLOCK_VALUES", block)
    assert test(a, b, score=f_score, rng=np.random.default_rng(1)) == plain


@pytest.mark.parametrize("test", TESTS)
def test_refusals(test, rng):
    for arguments, options, words in [
        (([1.0], [2.0]), {}, "1 segments to resample"),
        (([1.0, 2.0], [2.0, 3.0]), {"groups": [7, 7]}, "1 documents to resample"),
        (([1.0, 2.0], [2.0, 3.0]), {"groups": [7]}, "1 groups for 2 segments"),
        (([1.0, 2.0], [2.0]), {}, r"\(2,\) and \(1,\)"),
        (([1.0, np.nan], [2.0, 3.0]), {}, "first system's counts: 1 of 2 values are NaN"),
        (
            ([1.0, 2.0], [2.0, 3.0]),
            {"score": lambda s: np.full(s.shape[:-1], np.nan)},
            "not a number",
        ),
    ]:
        with pytest.raises(UndefinedStatistic, match=words):
            test(*arguments, rng=rng, **options)

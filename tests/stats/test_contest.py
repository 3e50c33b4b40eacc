"""All systems against each other, and the laws that every test of two must keep."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kstest

from concordant.errors import UndefinedStatistic
from concordant.stats.contest import PairTest, contest, detectable
from concordant.stats.ranks import clusters, ranges_from_tests

MANY = {"n_resamples": 400, "n_permutations": 400}
FEW = {"n_resamples": 99, "n_permutations": 99}
SCORES = arrays(np.float64, 12, elements=st.integers(-20, 20).map(lambda n: n / 10))


def f_score(sums):
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def counts(rng, quality, n=80):
    lengths = rng.integers(5, 20, n)
    return np.stack([rng.binomial(lengths, quality), lengths, lengths], axis=1).astype(float)


def scores(values):
    return np.stack([values, np.ones(len(values))], axis=1)


def duel(a, b, seed=1, **options):
    """The test of two systems from their segments' scores."""
    found = contest([scores(a), scores(b)], mean, rng=np.random.default_rng(seed), **options)
    return found.pairs[0]


@pytest.mark.parametrize("groups", [None, np.repeat(np.arange(20), 4)])
def test_a_pair_is_tested_as_if_it_were_alone(rng, groups):
    systems = [counts(rng, quality) for quality in (0.5, 0.55, 0.7)]
    found = contest(systems, f_score, rng=np.random.default_rng(0), groups=groups, **MANY)
    for pair in found.pairs:
        two = [systems[pair.first], systems[pair.second]]
        given = {"n_resamples": 400, "n_permutations": 5000, "groups": groups}
        alone = contest(two, f_score, rng=np.random.default_rng(0), **given).pairs[0]
        assert pair.difference == pytest.approx(alone.difference, abs=1e-12)
        assert (pair.low, pair.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
        assert pair.p_bootstrap == alone.p_bootstrap
        assert (pair.ahead, pair.tied) == (alone.ahead, alone.tied)
        assert pair.p_randomisation == pytest.approx(alone.p_randomisation, abs=0.08)
        assert pair.p_bootstrap <= pair.p_bootstrap_holm <= 1
        assert pair.p_randomisation <= pair.p_randomisation_holm <= 1


@given(SCORES, SCORES)
@settings(max_examples=40)
def test_swapping_the_systems_flips_the_sign(a, b):
    one, other = duel(a, b, **FEW), duel(b, a, **FEW)
    assert one.difference == -other.difference
    assert (one.p_bootstrap, one.p_randomisation) == (other.p_bootstrap, other.p_randomisation)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert one.ahead + one.tied + other.ahead == pytest.approx(1)


@given(SCORES, SCORES)
@example(np.zeros(12), np.array([0.0] * 9 + [0.1, -0.1, -0.1]))  # sums that are 0 but for rounding
@settings(max_examples=20)
def test_affine_maps_do_not_matter(a, b):
    one, other = duel(a, b, **FEW), duel(4 * a + 1, 4 * b + 1, **FEW)
    assert 4 * one.difference == pytest.approx(other.difference, abs=1e-9)
    assert (one.ahead, one.tied, one.p_bootstrap) == (other.ahead, other.tied, other.p_bootstrap)


def test_randomisation_approaches_the_exact_test(rng):
    a, b = rng.normal(0.5, 1, 8), rng.normal(0, 1, 8)
    observed = abs((a - b).mean())
    exact = np.mean([
        abs(np.dot(s, a - b)) / 8 >= observed - 1e-12 for s in product([1, -1], repeat=8)
    ])
    assert duel(a, b).p_randomisation == pytest.approx(exact, abs=0.015)


def test_the_interval_is_that_of_a_mean(rng):
    a, b = rng.normal(1, 1, 400), rng.normal(0, 1, 400)
    pair = duel(a, b, n_resamples=4000, n_permutations=9)
    half = 1.96 * (a - b).std() / 20
    assert pair.difference == pytest.approx((a - b).mean())
    expected = pair.difference - half, pair.difference + half
    assert (pair.low, pair.high) == pytest.approx(expected, abs=0.02)


def test_documents_move_together(rng):
    # Each segment ten times over: as single segments far too sure, as documents no surer than once.
    a, b = rng.normal(0.3, 1, 30), rng.normal(0, 1, 30)
    documents = [f"doc{i:02d}" for i in range(30) for _ in range(10)]
    once, tenfold = duel(a, b), np.repeat([a, b], 10, axis=1)
    grouped, single = duel(*tenfold, groups=documents), duel(*tenfold)
    assert grouped.difference == pytest.approx(once.difference)
    for name in ("p_bootstrap", "p_randomisation"):
        assert getattr(grouped, name) == getattr(once, name)
        assert getattr(single, name) < getattr(once, name)


@pytest.mark.parametrize("block", [1, 1000])
def test_the_size_of_a_block_does_not_matter(block, monkeypatch, rng):
    systems = [counts(rng, 0.5), counts(rng, 0.5)]
    plain = contest(systems, f_score, rng=np.random.default_rng(1), **MANY)
    monkeypatch.setattr("concordant.stats.draws.BLOCK_VALUES", block)
    assert contest(systems, f_score, rng=np.random.default_rng(1), **MANY).pairs == plain.pairs


def test_the_same_system_twice_and_one_always_better(rng):
    same, better = counts(rng, 0.5), counts(rng, 0.5)
    better[:, 0] = same[:, 0] + 3
    found = contest([same, same.copy(), better], f_score, rng=rng, **MANY)
    twins, first, second = found.pairs
    assert (twins.difference, twins.p_bootstrap, twins.p_randomisation) == (0.0, 1.0, 1.0)
    assert (twins.ahead, twins.tied, twins.detectable) == (0.0, 1.0, 0.0)
    assert not twins.significant(0.05)
    assert all(pair.significant(0.05) and pair.ahead == 0.0 for pair in (first, second))
    ranges = [(each.best_rank, each.worst_rank, each.cluster) for each in found.standings]
    assert ranges == [(2, 3, 2), (2, 3, 2), (1, 1, 1)]


def test_intervals_hold_the_score_and_order_does_not_matter(rng):
    systems = [counts(rng, quality) for quality in (0.4, 0.5, 0.6)]
    one = contest(systems, f_score, rng=np.random.default_rng(1), **MANY)
    for standing in one.standings:
        assert standing.low < standing.score < standing.high
    turned = contest(systems[::-1], f_score, rng=np.random.default_rng(1), **MANY)
    for i in range(3):
        assert one.standings[i].score == pytest.approx(turned.standings[2 - i].score)
        assert one.standings[i].low == pytest.approx(turned.standings[2 - i].low)


def test_a_chain_of_open_pairs_is_one_cluster():
    def pair(first, second, difference, p):
        return PairTest(first, second, difference, 0, 0, p, p, p, p, 0.5, 0, 0)

    def ranges(tests):
        return ranges_from_tests([each.order for each in tests if each.significant(0.05)], 3)

    chain = ranges([pair(0, 1, 0.1, 0.3), pair(0, 2, 0.2, 0.01), pair(1, 2, 0.1, 0.3)])
    assert chain.tolist() == [[1, 2], [1, 3], [2, 3]]
    assert clusters(chain) == [1, 1, 1]
    apart = ranges([pair(0, 1, -0.1, 0.01), pair(0, 2, 0.2, 0.01), pair(1, 2, 0.1, 0.01)])
    assert apart.tolist() == [[2, 2], [1, 1], [3, 3]]
    assert clusters(apart) == [2, 1, 3]


def test_p_values_of_equal_systems_are_uniform():
    rng = np.random.default_rng(5)
    found = [
        contest([scores(rng.normal(size=60)) for _ in range(2)], mean, rng=rng,
                n_resamples=150, n_permutations=150).pairs[0]
        for _ in range(250)
    ]  # fmt: skip
    assert kstest([each.p_randomisation for each in found], "uniform").pvalue > 0.01
    assert kstest([each.p_bootstrap for each in found], "uniform").pvalue > 0.01
    assert np.mean([each.p_bootstrap < 0.05 for each in found]) < 0.12


def test_a_detectable_difference_is_found_in_eight_of_ten():
    rng = np.random.default_rng(6)
    spread = np.sqrt(2 / 100)
    size = detectable(spread)
    found = 0
    for _ in range(200):
        a, b = rng.normal(size, 1, 100), rng.normal(0, 1, 100)
        pair = contest([scores(a), scores(b)], mean, rng=rng, n_resamples=200,
                       n_permutations=200).pairs[0]  # fmt: skip
        assert pair.detectable == pytest.approx(size, rel=0.5)
        found += pair.p_randomisation < 0.05
    assert 0.7 < found / 200 < 0.9


@pytest.mark.parametrize(
    ("systems", "groups", "words"),
    [
        ([np.ones((3, 2))], None, "1 system cannot be compared"),
        ([np.ones((3, 2)), np.ones((4, 2))], None, "all must be the same"),
        ([np.ones((1, 2))] * 2, None, "1 segment to resample"),
        ([np.ones((3, 2))] * 2, [1, 1, 1], "1 document to resample"),
        ([np.ones((3, 2))] * 2, [1], "1 groups for 3 segments"),
        ([np.ones((3, 2)), np.full((3, 2), np.nan)], None, "NaN or infinite"),
    ],
)
def test_what_cannot_be_compared(systems, groups, words):
    with pytest.raises(UndefinedStatistic, match=words):
        contest(systems, mean, rng=np.random.default_rng(0), groups=groups)


def test_a_score_that_is_not_a_number():
    with pytest.raises(UndefinedStatistic, match="not a number; add segments or use smoothing"):
        contest([np.ones((3, 2))] * 2, lambda sums: sums[..., 0] * np.nan,
                rng=np.random.default_rng(0))  # fmt: skip

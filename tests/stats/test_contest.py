"""All systems against each other: as the tests of two say, and sure only where both are."""

import numpy as np
import pytest
from scipy.stats import kstest

from concordant.errors import UndefinedStatistic
from concordant.stats.comparison import approximate_randomisation, paired_bootstrap
from concordant.stats.contest import PairTest, contest, detectable
from concordant.stats.ranks import clusters, ranges_from_tests

MANY = {"n_resamples": 400, "n_permutations": 400}


def f_score(sums):
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def counts(rng, quality, n=80):
    lengths = rng.integers(5, 20, n)
    return np.stack([rng.binomial(lengths, quality), lengths, lengths], axis=1).astype(float)


def scores(values):
    return np.stack([values, np.ones(len(values))], axis=1)


@pytest.mark.parametrize("groups", [None, np.repeat(np.arange(20), 4)])
def test_pairs_are_as_the_tests_of_two_say(rng, groups):
    systems = [counts(rng, quality) for quality in (0.5, 0.55, 0.7)]
    found = contest(systems, f_score, rng=np.random.default_rng(0), groups=groups, **MANY)
    for pair in found.pairs:
        a, b = systems[pair.first], systems[pair.second]
        given = {"score": f_score, "groups": groups, "rng": np.random.default_rng(0)}
        alone = paired_bootstrap(a, b, n_resamples=400, **given)
        assert pair.difference == pytest.approx(alone.difference, abs=1e-12)
        assert (pair.low, pair.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
        assert pair.p_bootstrap == alone.p
        assert (pair.ahead, pair.tied) == (alone.wins, alone.ties)
        swapped = approximate_randomisation(a, b, n_permutations=5000, **given)
        assert pair.p_randomisation == pytest.approx(swapped.p, abs=0.08)
        assert pair.p_bootstrap <= pair.p_bootstrap_holm <= 1
        assert pair.p_randomisation <= pair.p_randomisation_holm <= 1


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
        ([np.ones((3, 2)), np.full((3, 2), np.nan)], None, "NaN or infinite"),
    ],
)
def test_what_cannot_be_compared(systems, groups, words):
    with pytest.raises(UndefinedStatistic, match=words):
        contest(systems, mean, rng=np.random.default_rng(0), groups=groups)

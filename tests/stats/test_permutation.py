import numpy as np
import oracles_permutation
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kstest

from concordant.errors import SpecError, UndefinedStatistic
from concordant.stats.draws import coins
from concordant.stats.permutation import LEVELS, STATISTICS, perm_both

SMALL = arrays(np.float64, (3, 4), elements=st.integers(-3, 3).map(float))


def metrics(rng, shape=(6, 20), noise=(1.0, 1.0)):
    human = rng.normal(size=shape)
    return *(human + rng.normal(0, sd, shape) for sd in noise), human


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_against_the_plain_loop(level, statistic, rng):
    scores = [np.round(2 * m) for m in metrics(rng, (5, 7), (1, 2))]  # rounding makes ties
    masks = coins(np.random.default_rng(7), 60, 35).reshape(60, 5, 7).tolist()
    options = {"level": level, "statistic": statistic}
    difference, p = oracles_permutation.permutation_test(
        *(m.tolist() for m in scores), masks, **options
    )
    result = perm_both(*scores, rng=np.random.default_rng(7), n_permutations=60, **options)
    assert result.difference == pytest.approx(difference, abs=1e-12)
    assert result.p == p


@given(SMALL, SMALL, SMALL, st.sampled_from(sorted(LEVELS)), st.sampled_from(sorted(STATISTICS)))
@settings(max_examples=60)
def test_small_matrices_full_of_ties_against_the_plain_loop(x, y, human, level, statistic):
    masks = coins(np.random.default_rng(0), 20, 12).reshape(20, 3, 4).tolist()
    options = {"level": level, "statistic": statistic}
    try:
        result = perm_both(x, y, human, rng=np.random.default_rng(0), n_permutations=20, **options)
    except UndefinedStatistic:
        reject()
    expected = oracles_permutation.permutation_test(
        x.tolist(), y.tolist(), human.tolist(), masks, **options
    )
    assert (pytest.approx(result.difference, abs=1e-9), result.p) == expected


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_a_metric_and_its_copy_on_another_scale(level, statistic, rng):
    x, _, human = metrics(rng)
    for copy in (x, 3 * x + 2):
        result = perm_both(x, copy, human, rng=rng, level=level, statistic=statistic)
        assert result.p == 1.0
        assert result.difference == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_swapping_the_metrics_flips_the_sign_and_keeps_p(level, rng):
    x, y, human = metrics(rng)
    one = perm_both(x, y, human, rng=np.random.default_rng(1), level=level)
    other = perm_both(y, x, human, rng=np.random.default_rng(1), level=level)
    assert one.difference == -other.difference
    assert one.p == other.p
    assert (one.first, one.second) == (other.second, other.first)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_affine_maps_and_the_order_of_systems_do_not_matter(level, statistic, rng):
    x, y, human = metrics(rng)
    options = {"level": level, "statistic": statistic, "n_permutations": 50}
    plain = perm_both(x, y, human, rng=np.random.default_rng(1), **options)
    scaled = perm_both(5 * x - 1, y / 9, 2 * human + 4, rng=np.random.default_rng(1), **options)
    assert scaled.p == plain.p
    assert scaled.difference == pytest.approx(plain.difference)
    order = rng.permutation(len(x))
    relabelled = perm_both(x[order], y[order], human[order], rng=rng, **options)
    assert relabelled.difference == pytest.approx(plain.difference)


@pytest.mark.parametrize("block", [1, 500, 10**7])
def test_the_size_of_a_block_does_not_matter(block, monkeypatch, rng):
    x, y, human = metrics(rng)
    plain = perm_both(x, y, human, rng=np.random.default_rng(1), n_permutations=99)
    monkeypatch.setattr("concordant.stats.draws.BLOCK_VALUES", block)
    assert perm_both(x, y, human, rng=np.random.default_rng(1), n_permutations=99) == plain


@pytest.mark.parametrize("level", ["system", "segment"])
def test_p_is_uniform_where_the_metrics_are_equally_good(level):
    rng = np.random.default_rng(11)
    p = [
        perm_both(*metrics(rng, (8, 25)), rng=rng, level=level, n_permutations=199).p
        for _ in range(200)
    ]
    assert kstest(p, "uniform").pvalue > 0.01


def test_a_better_metric_is_found_and_counted(rng):
    x, y, human = metrics(rng, (8, 60), (0.5, 3.0))
    result = perm_both(x, y, human, rng=rng, level="per-segment")
    assert result.p == 1 / 1001
    assert result.difference == result.first - result.second > 0
    assert result.n == 60
    assert perm_both(x, y, human, rng=rng).n == 8


def test_segments_that_people_found_equal_are_not_counted(rng):
    x, y, human = metrics(rng)
    human[:, :5] = 0.0
    assert perm_both(x, y, human, rng=rng, level="per-segment", n_permutations=9).n == 15


def test_refusals(rng):
    x, y, human = metrics(rng)
    flat_means = np.array([[1.0, 2.0], [2.0, 1.0]])
    cases = [
        ((np.ones_like(x), y, human), "first metric is constant over 120 points"),
        ((x, y, np.ones_like(x)), "human scores is constant"),
        ((x, np.where(x > 1, np.nan, y), human), "second metric: .* NaN"),
        ((x[:3], y, human), r"\(3, 20\), \(6, 20\) and \(6, 20\)"),
        ((x[:1], y[:1], human[:1]), "at least 2 systems"),
        (
            (flat_means, flat_means, np.array([[1.0, 0.0], [1.0, 2.0]])),
            "the first metric: no differences",
        ),
    ]
    for matrices, words in cases:
        with pytest.raises(UndefinedStatistic, match=words):
            perm_both(*matrices, rng=rng)
    with pytest.raises(SpecError, match=r'level "sistem" is not one of .*did you mean "system"'):
        perm_both(x, y, human, rng=rng, level="sistem")
    with pytest.raises(SpecError, match='statistic "spearman" is not one of pearson, kendall'):
        perm_both(x, y, human, rng=rng, statistic="spearman")
    with pytest.raises(UndefinedStatistic, match="0 random draws"):
        perm_both(x, y, human, rng=rng, n_permutations=0)

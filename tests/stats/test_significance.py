import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

from concordant.errors import UndefinedStatistic
from concordant.stats.significance import holm, outlier_systems, permutation_p, williams

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)
SCORES = st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=15)


def test_williams_of_a_published_example():
    # Steiger (1980), case A, as R's psych::r.test(n=103, r12=.4, r13=.5, r23=.1) prints it.
    result = williams(0.4, 0.5, 0.1, 103)
    assert result.t == pytest.approx(-0.89, abs=0.005)
    assert result.p_two_sided == pytest.approx(0.37, abs=0.005)
    assert result.df == 100


def test_williams_is_antisymmetric():
    one, other = williams(0.7, 0.5, 0.6, 40), williams(0.5, 0.7, 0.6, 40)
    assert one.t == -other.t
    assert one.p_two_sided == other.p_two_sided == pytest.approx(2 * one.p_one_sided)
    assert one.p_one_sided == pytest.approx(1 - other.p_one_sided)


def test_williams_of_the_same_metric_twice():
    assert williams(0.8, 0.8, 1.0, 10).p_two_sided == 1.0
    assert williams(0.8, 0.8, 0.5, 10).p_two_sided == 1.0


def test_williams_p_is_uniform_under_the_null(rng):
    p = []
    for _ in range(400):
        human = rng.normal(size=30)
        first, second = human + rng.normal(size=30), human + rng.normal(size=30)
        r = np.corrcoef([first, second, human])
        p.append(williams(r[0, 2], r[1, 2], r[0, 1], 30).p_two_sided)
    assert kstest(p, "uniform").pvalue > 0.01


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0.5, 0.4, 0.3, 3), "at least 4"),
        ((0.5, np.nan, 0.3, 30), "NaN"),
        ((1.5, 0.4, 0.3, 30), r"\[-1, 1\]"),
        ((0.9, -0.9, 0.9, 30), "determinant"),
        ((0.9, 0.8, 1.0, 30), "determinant"),
    ],
)
def test_williams_refuses(arguments, words):
    with pytest.raises(UndefinedStatistic, match=words):
        williams(*arguments)


@given(P_VALUES)
def test_holm_against_its_definition(p):
    adjusted = holm(p)
    ascending = sorted(range(len(p)), key=p.__getitem__)
    highest = 0.0
    for place, index in enumerate(ascending):
        highest = max(highest, min(1.0, p[index] * (len(p) - place)))
        assert adjusted[index] == pytest.approx(highest)
    assert np.all(adjusted >= np.array(p))


def test_holm_of_one_and_of_none():
    assert holm([0.03]).tolist() == [0.03]
    assert holm([]).tolist() == []


@pytest.mark.parametrize(("p", "words"), [([0.1, np.nan], "NaN"), ([1.2], r"\[0, 1\]")])
def test_holm_refuses(p, words):
    with pytest.raises(UndefinedStatistic, match=words):
        holm(p)


@given(SCORES, st.integers(1, 100), st.integers(-100, 100))
def test_outliers_do_not_depend_on_the_scale(scores, factor, shift):
    plain = outlier_systems(scores)
    assert np.array_equal(outlier_systems(np.array(scores) * factor + shift), plain)
    assert plain.sum() <= len(scores) / 2


def test_outliers_where_most_scores_are_equal():
    assert outlier_systems([1.0, 1.0, 1.0, 1.5]).tolist() == [False, False, False, True]
    assert not outlier_systems([2.0, 2.0, 2.0]).any()
    with pytest.raises(UndefinedStatistic, match="one score per system"):
        outlier_systems([])


def test_permutation_p_counts_the_observed_and_equal_values():
    null = [0.3, 0.1 + 0.2, -0.3, 0.0]
    assert permutation_p(0.3, null) == 4 / 5
    assert permutation_p(-0.3, null) == 4 / 5
    assert permutation_p(9.0, null) == 1 / 5


def test_permutation_p_refuses():
    with pytest.raises(UndefinedStatistic, match="null distribution: 1 of 2 values are NaN"):
        permutation_p(0.0, [0.0, np.nan])

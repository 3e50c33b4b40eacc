from functools import partial

import numpy as np
import oracles
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from concordant.errors import SpecError, UndefinedStatistic
from concordant.stats.arrays import check_paired, deviation, finite, standardise
from concordant.stats.correlation import (
    classes,
    kendall,
    kendall_rows,
    midranks,
    pearson,
    pearson_rows,
    spearman,
    spearman_rows,
)

NUMBERS = st.integers(-4, 4).map(float) | st.floats(-1e6, 1e6).map(lambda v: round(v, 3))
VARIABLES = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*[arrays(np.float64, n, elements=NUMBERS)] * 2)
)
TIED = st.integers(1, 8).flatmap(
    lambda n: st.tuples(*[arrays(np.float64, n, elements=st.integers(0, 3).map(float))] * 2)
)
STATISTICS = {
    "pearson": (pearson, stats.pearsonr),
    "spearman": (spearman, stats.spearmanr),
    "tau-a": (lambda x, y: kendall(x, y, variant="a"), None),
    "tau-b": (kendall, stats.kendalltau),
    "tau-c": (
        lambda x, y: kendall(x, y, variant="c"),
        lambda x, y: stats.kendalltau(x, y, variant="c"),
    ),
}
ROWS = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    "tau-a": partial(kendall_rows, variant="a"),
    "tau-b": kendall_rows,
    "tau-c": partial(kendall_rows, variant="c"),
}


@pytest.mark.parametrize("name", STATISTICS)
@given(VARIABLES)
@settings(deadline=None)
def test_against_a_plain_loop_and_scipy(name, variables):
    x, y = variables
    ours, theirs = STATISTICS[name]
    expected = oracles.CORRELATE[name](x.tolist(), y.tolist())
    if expected is None:
        with pytest.raises(UndefinedStatistic, match=r"the (first|second) variable is constant"):
            ours(x, y)
        return
    assert ours(x, y) == pytest.approx(expected, abs=1e-9)
    if theirs is not None:
        assert ours(x, y) == pytest.approx(theirs(x, y).statistic, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "x", "y", "value"),
    [
        # The examples of scipy.stats.pearsonr, spearmanr and kendalltau (SciPy 1.17).
        ("pearson", [1, 2, 3, 4, 5, 6, 7], [10, 9, 2.5, 6, 4, 3, 2], -0.828503883588428),
        ("spearman", [1, 2, 3, 4, 5], [5, 6, 7, 8, 7], 0.8207826816681233),
        ("tau-b", [12, 2, 1, 12, 2], [1, 4, 7, 1, 0], -0.47140452079103173),
        # Anscombe (1973), the first of four data sets with r = 0.816.
        (
            "pearson",
            [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5],
            [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68],
            0.81642051634484,
        ),
        # By hand: of six pairs 4 are concordant and 1 is tied on each side; 4 / √(5 · 5), 4 / 6.
        ("tau-b", [1, 2, 3, 3], [1, 1, 2, 3], 4 / 5),
        ("tau-a", [1, 2, 3, 3], [1, 1, 2, 3], 4 / 6),
        # By hand: 6 concordant of 5 points in a 3 × 2 table; 2 · 6 / (25 · ½).
        ("tau-c", [1, 1, 2, 2, 3], [1, 1, 2, 2, 2], 0.96),
    ],
)
def test_known_values(name, x, y, value):
    assert STATISTICS[name][0](x, y) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", ROWS)
@given(TIED, st.data())
@settings(deadline=None)
def test_rows_are_one_correlation_each(name, variables, data):
    x, _ = variables
    rows = data.draw(arrays(np.float64, (3, len(x)), elements=st.integers(0, 3).map(float)))
    result = ROWS[name](np.broadcast_to(x, rows.shape), rows)
    for value, row in zip(result, rows, strict=True):
        expected = oracles.CORRELATE[name](x.tolist(), row.tolist())
        assert value == pytest.approx(np.nan if expected is None else expected, nan_ok=True)


@pytest.mark.parametrize("name", ROWS)
@given(TIED, st.data())
@settings(deadline=None)
def test_weights_are_copies(name, variables, data):
    x, y = variables
    weights = data.draw(arrays(np.float64, (3, len(x)), elements=st.integers(0, 3).map(float)))
    result = ROWS[name](x, y, weights)
    for value, row in zip(result, weights.astype(int), strict=True):
        expected = oracles.CORRELATE[name](np.repeat(x, row).tolist(), np.repeat(y, row).tolist())
        assert value == pytest.approx(np.nan if expected is None else expected, nan_ok=True)


@given(TIED, st.data())
@settings(deadline=None)
def test_classes_and_midranks(variables, data):
    x, y = variables
    assert classes(x, y) == min(len(set(x)), len(set(y)))
    assert midranks(x, np.ones(len(x))).tolist() == oracles.midranks(x.tolist())
    weights = data.draw(arrays(np.int64, (2, len(x)), elements=st.integers(0, 2)))
    expected = [min(len(set(np.repeat(each, row))) for each in (x, y)) for row in weights]
    assert classes(x, y, weights).tolist() == expected


def test_an_offset_does_not_cost_precision(rng):
    x, y = rng.normal(size=(2, 50))
    assert pearson(x + 1e6, y - 1e6) == pytest.approx(pearson(x, y), abs=1e-9)


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
def test_refusals(function):
    cases = [
        (([1, 2, np.nan], [1, 2, 3]), "the first variable: 1 of 3 values are NaN or infinite"),
        (([1, 2, 3], [np.inf, 2, -np.inf]), "the second variable: 2 of 3 values are NaN"),
        (([1, 2], [1, 2, 3]), r"differ in shape: \(2,\) and \(3,\)"),
        (([[1, 2], [3, 4]], [[1, 2], [3, 4]]), "one value each per point is needed"),
        (([1], [1]), "1 points; at least 2 are needed"),
        (([], []), "0 points; at least 2 are needed"),
        (([2, 2, 2], [1, 2, 3]), "the first variable is constant over 3 points"),
        (([1, 2, 3], [0.1, 0.1, 0.1]), "the second variable is constant over 3 points"),
    ]
    for (x, y), words in cases:
        with pytest.raises(UndefinedStatistic, match=words):
            function(x, y)


def test_a_constant_up_to_rounding_is_a_constant():
    with pytest.raises(UndefinedStatistic, match="a variable is constant up to rounding"):
        pearson([0.1 + 0.2, 0.3, 0.3], [1, 2, 3])


def test_an_unknown_variant():
    with pytest.raises(SpecError, match='Kendall variant "d" is not one of a, b, c'):
        kendall([1, 2], [1, 2], variant="d")


@given(arrays(np.float64, st.integers(1, 9), elements=NUMBERS))
@settings(deadline=None)
def test_standardised(values):
    assume(values.min() < values.max())
    result = standardise(values)
    assert result.mean() == pytest.approx(0, abs=1e-9)
    assert result.std() == pytest.approx(1)
    assert result.tolist() == pytest.approx(oracles.standardised(values.tolist()), abs=1e-9)
    assert deviation(values) == pytest.approx(values.std())


def test_checked_arrays():
    assert finite([[1, 2]], "it").dtype == np.float64
    assert [each.tolist() for each in check_paired((1, 2), (3, 4))] == [[1, 2], [3, 4]]
    assert deviation(np.full(7, 0.1)) == deviation(np.array([])) == 1.0
    with pytest.raises(UndefinedStatistic, match="the metric is constant over 2 points"):
        standardise([3, 3])
    with pytest.raises(UndefinedStatistic, match="BLEU is constant over 0 points"):
        standardise([], "BLEU")

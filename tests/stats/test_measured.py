"""Every statistic of single translations, valued, resampled and exchanged, against plain loops."""

from itertools import product

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_columns import rated, rated_columns, repeated, unit_weights

from concordant.errors import UndefinedStatistic
from concordant.evaluation.statistics import CORRELATIONS, PAIRWISE, measure_segments
from concordant.stats.measured import (
    Additive,
    Averaged,
    OfPoints,
    blocks,
    mean_of_groups,
    moments,
    pearson_from_moments,
)

# (statistic, average); acc-eq has a file of its own.
CASES = [
    *product(PAIRWISE, ["pooled", "segment"]),
    *product(CORRELATIONS, ["pooled", "segment", "system"]),
]


def plain(name, average, column, values):
    lists = (each.tolist() for each in (column.ratings, values, column.segment, column.system))
    return oracles.segment_statistic(name, *lists, average=average)


def measured(name, average, column, values):
    return measure_segments(name, column, values, average=average)


def approx(expected):
    return pytest.approx(np.nan if expected is None else expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(("name", "average"), CASES)
@given(rated_columns())
@settings(deadline=None, max_examples=30)
def test_value(name, average, drawn):
    expected = plain(name, average, *drawn)
    if expected is None:
        with pytest.raises(UndefinedStatistic, match=r"constant|no pair counts|undefined for each"):
            measured(name, average, *drawn).value()
    else:
        assert measured(name, average, *drawn).value() == approx(expected)


@pytest.mark.parametrize(("name", "average"), CASES)
@given(rated_columns(), st.data())
@settings(deadline=None, max_examples=30)
def test_resampled_is_the_value_of_repeated_segments(name, average, drawn, data):
    column, values = drawn
    if plain(name, average, column, values) is None:
        return
    weights = data.draw(unit_weights(column))
    results = measured(name, average, column, values).resample(weights)
    for value, row in zip(results, weights, strict=True):
        again = plain(name, average, *repeated(column, values, row))
        assert value == approx(again)


@pytest.mark.parametrize(("name", "average"), CASES)
@given(rated_columns(metrics=2), st.sampled_from([1.0, 100.0]))
@settings(deadline=None, max_examples=20)
def test_swapped_is_the_value_of_exchanged_scores(name, average, drawn, scale):
    column, one, two = drawn
    if None in (plain(name, average, column, one), plain(name, average, column, two)):
        return
    first, second = (
        measured(name, average, column, one),
        measured(name, average, column, scale * two),
    )
    masks = np.array(oracles.all_masks(len(column.segments)))
    results = first.swap(second, masks)
    if name in CORRELATIONS:
        one, two = (np.round(oracles.standardised(each.tolist()), 12) for each in (one, two))
    for mask, *values in zip(masks, *results, strict=True):
        taken = mask[column.segment]
        mixed = np.where(taken, two, one), np.where(taken, one, two)
        for value, scores in zip(values, mixed, strict=True):
            assert value == approx(plain(name, average, column, scores))
    assert [each[0] for each in results] == pytest.approx([first.value(), second.value()])
    assert [each[-1] for each in results] == pytest.approx([second.value(), first.value()])


@pytest.mark.parametrize(("name", "average"), CASES)
def test_the_size_of_a_block_does_not_matter(name, average, monkeypatch, rng):
    column = rated(25.0 * rng.integers(0, 5, (12, 4)))
    first, second = (
        measured(name, average, column, rng.integers(0, 9, 48).astype(float)) for _ in range(2)
    )
    weights, masks = rng.integers(0, 3, (20, 12)).astype(float), rng.integers(0, 2, (20, 12)) == 1
    whole = first.resample(weights), *first.swap(second, masks)
    monkeypatch.setattr("concordant.stats.measured.BLOCK_CELLS", 100)
    parts = first.resample(weights), *first.swap(second, masks)
    assert np.array_equal(whole, parts, equal_nan=True)


def test_scores_of_very_different_size_keep_their_order():
    # Standardising would round the three small ones to one number.
    column = rated([[1.0, 2.0], [3.0, 4.0]])
    values = np.array([1e-30, 1e-20, 1e-10, 1e10])
    for name in ("spearman", "tau-a", "tau-b", "tau-c"):
        assert measured(name, "pooled", column, values).value() == pytest.approx(1)


def test_the_kinds_of_measured_statistics():
    column = rated([[1.0, 2.0], [3.0, 4.0]])
    values = np.arange(4.0)
    for name in CORRELATIONS:
        kind = Additive if name == "pearson" else OfPoints
        assert isinstance(measured(name, "pooled", column, values), kind)
        assert isinstance(measured(name, "segment", column, values), Additive)
        assert isinstance(measured(name, "system", column, values), Averaged)


@given(rated_columns())
@settings(deadline=None)
def test_moments_are_a_sufficient_summary(drawn):
    column, values = drawn
    sums = moments(column.ratings, values, column.segment, len(column.segments)).sum(axis=0)
    assert pearson_from_moments(sums) == approx(
        oracles.pearson(column.ratings.tolist(), values.tolist())
    )


def test_moments_of_nothing_and_of_one_point():
    nothing = np.zeros(6)
    one = moments(np.array([3.0]), np.array([4.0]), np.array([0]), 1)[0]
    assert np.isnan(pearson_from_moments(np.stack([nothing, one]))).all()


def test_means_of_groups():
    assert mean_of_groups(np.array([[3.0, 2.0], [0.0, 0.0]])).tolist() == pytest.approx(
        [1.5, np.nan], nan_ok=True
    )


def test_an_average_leaves_undefined_parts_out():
    # The second system has the same rating everywhere.
    column = rated([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    values = np.array([1.0, 9.0, 3.0, 8.0, 2.0, 7.0])
    assert measured("pearson", "system", column, values).value() == pytest.approx(0.5)
    with pytest.raises(UndefinedStatistic, match="undefined for each of the 1 groups"):
        Averaged((
            measured("pearson", "pooled", rated([[5.0], [5.0]]), np.array([1.0, 2.0])),
        )).value()


@pytest.mark.parametrize(("rows", "columns"), [(0, 5), (1, 10**9), (10, 3), (7, 0)])
def test_blocks_cover_all_rows_once(rows, columns):
    assert [i for part in blocks(rows, columns) for i in range(rows)[part]] == list(range(rows))

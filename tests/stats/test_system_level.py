from dataclasses import replace

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr
from small_columns import Fixed, rated, rated_columns, repeated, unit_weights

from concordant.errors import UndefinedStatistic
from concordant.evaluation.system_scores import mean_tally
from concordant.evaluation.system_statistics import OVER_SYSTEMS, measure_systems
from concordant.stats.correlation import pearson_rows
from concordant.stats.system_level import SystemLevel, Tally


def measured(name, column, values):
    return measure_systems(name, column, Fixed(values))


def plain(name, column, values):
    lists = (each.tolist() for each in (column.ratings, values, column.system))
    return oracles.system_statistic(name, *lists)


def approx(expected):
    return pytest.approx(np.nan if expected is None else expected, abs=1e-9, nan_ok=True)


def by_corpus(column, values):
    """The same scores as a corpus score, which cannot be exchanged by segment."""
    return replace(mean_tally(column, values), mean=False)


@pytest.mark.parametrize("name", OVER_SYSTEMS)
@given(rated_columns())
@settings(deadline=None, max_examples=30)
def test_value(name, drawn):
    expected = plain(name, *drawn)
    if expected is None:
        with pytest.raises(UndefinedStatistic, match=f"{name}: .* constant over . systems"):
            measured(name, *drawn).value()
    else:
        assert measured(name, *drawn).value() == approx(expected)


@pytest.mark.parametrize("name", OVER_SYSTEMS)
@given(rated_columns(), st.data())
@settings(deadline=None, max_examples=30)
def test_resampled_is_the_value_of_repeated_segments(name, drawn, data):
    column, values = drawn
    weights = data.draw(unit_weights(column))
    results = measured(name, column, values).resample(weights)
    for value, row in zip(results, weights, strict=True):
        everyone = set(column.system[row[column.segment] > 0]) == set(column.system)
        again = plain(name, *repeated(column, values, row)) if everyone else None
        assert value == approx(again)


@pytest.mark.parametrize("name", OVER_SYSTEMS)
@given(rated_columns(metrics=2), st.sampled_from([1.0, 100.0]))
@settings(deadline=None, max_examples=20)
def test_swapped_is_the_value_of_exchanged_scores(name, drawn, scale):
    column, one, two = drawn
    first, second = measured(name, column, one), measured(name, column, scale * two)
    masks = np.array(oracles.all_masks(len(column.segments)))
    results = first.swap(second, masks)
    one, two = (
        each if len(set(each)) == 1 else np.array(oracles.standardised(each.tolist()))
        for each in (one, two)
    )
    if len(set(one)) == 1 or len(set(two)) == 1:
        one, two = one - one.mean(), two - two.mean()
    for mask, *values in zip(masks, *results, strict=True):
        taken = mask[column.segment]
        mixed = np.where(taken, two, one), np.where(taken, one, two)
        for value, scores in zip(values, mixed, strict=True):
            assert value == approx(plain(name, column, scores))


@pytest.mark.parametrize("name", OVER_SYSTEMS)
def test_exchanging_nothing_and_everything(name, rng):
    column = rated(rng.normal(size=(10, 6)))
    first, second = (measured(name, column, each) for each in rng.normal(size=(2, 60)))
    values = [first.value(), second.value()]
    none, everything = np.zeros((1, 10), bool), np.ones((1, 10), bool)
    assert [each[0] for each in first.swap(second, none)] == pytest.approx(values)
    assert [each[0] for each in first.swap(second, everything)] == pytest.approx(values[::-1])


def test_corpus_scores_are_exchanged_by_system(rng):
    column = rated(rng.normal(size=(5, 3)))
    one, two = rng.normal(size=(2, 15))
    human = mean_tally(column, column.ratings)
    first, second = (
        SystemLevel(human, by_corpus(column, each), pearson_rows, "pearson")
        for each in (one, 9 * two)
    )
    masks = np.array(oracles.all_masks(5))
    results = first.swap(second, masks)
    scores = [each.reshape(5, 3).mean(axis=0) for each in (one, two)]
    z_one, z_two = (np.array(oracles.standardised(each.tolist())) for each in scores)
    means = column.ratings.reshape(5, 3).mean(axis=0)
    for mask, *values in zip(masks, *results, strict=True):
        taken = mask[:3]
        mixed = np.where(taken, z_two, z_one), np.where(taken, z_one, z_two)
        assert values == pytest.approx([pearsonr(means, each).statistic for each in mixed])


def test_a_document_is_one_coin_for_systems_too(rng):
    # All segments of a document are exchanged together; systems must not all follow the first.
    column = rated(rng.normal(size=(12, 4)))
    human = mean_tally(column, column.ratings)
    first, second = (
        SystemLevel(human, by_corpus(column, each), pearson_rows, "pearson")
        for each in rng.normal(size=(2, 48))
    )
    coins = rng.integers(0, 2, (200, 4)) == 1
    by_document = first.swap(second, np.repeat(coins, 3, axis=1))
    assert np.array_equal(by_document, first.swap(second, coins))
    assert len(np.unique(by_document[0].round(9))) > 8


def test_more_systems_than_coins(rng):
    column = rated(rng.normal(size=(2, 5)))
    human = mean_tally(column, column.ratings)
    metrics = [
        SystemLevel(human, by_corpus(column, each), pearson_rows, "pearson")
        for each in rng.normal(size=(2, 10))
    ]
    values = metrics[0].swap(metrics[1], np.array([[False, False], [False, True]]))
    assert np.isfinite(values).all()
    assert values[0][0] == pytest.approx(metrics[0].value())


def test_a_constant_metric_can_be_exchanged():
    # Pairwise accuracy has a value for it: 0.
    column = rated([[1.0, 2.0], [3.0, 4.0]])
    constant, other = (
        measured("accuracy", column, each) for each in (np.full(4, 0.1), np.arange(4.0))
    )
    assert constant.value() == 0.0
    assert [each.tolist() for each in constant.swap(other, np.zeros((1, 2), bool))] == [
        [0.0],
        [1.0],
    ]
    corpus = [replace(each, metric=replace(each.metric, mean=False)) for each in (constant, other)]
    assert [each.tolist() for each in corpus[0].swap(corpus[1], np.zeros((1, 2), bool))] == [
        [0.0],
        [1.0],
    ]


def test_rounding_does_not_break_ties():
    # The same scores in another order: the sums differ in the last digit, the systems do not.
    scores = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    column = rated([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]])
    metric = measured("accuracy", column, scores.ravel())
    assert metric.swap(metric, np.zeros((1, 3), bool))[0].tolist() == [0.0]


def test_refusals():
    column = rated([[1.0, 2.0], [3.0, 4.0]])
    unknown = replace(column, ratings=np.array([np.nan, 1.0, 2.0, 3.0]))
    cases = [
        (column, [1.0, np.nan, 3.0, 4.0], "pearson: the metric's system scores: 1 of 2 values"),
        (unknown, range(4), "pearson: people's scores of systems: 1 of 2 values are NaN"),
        (column, np.ones(4), "pearson: human or metric scores are constant over 2 systems"),
        (rated([[1.0], [2.0]]), [1.0, 2.0], "constant over 1 systems"),
    ]
    for judged, values, words in cases:
        with pytest.raises(UndefinedStatistic, match=words):
            measured("pearson", judged, np.array(values, dtype=float)).value()


def test_tallies_are_sums_over_segments():
    column = rated([[1.0, 2.0], [3.0, np.nan]])
    tally = mean_tally(column, column.ratings)
    assert tally.counts.tolist() == [[[1, 1], [2, 1]], [[3, 1], [0, 0]]]
    scores = tally.scores(np.array([[1.0, 1.0], [0.0, 2.0]]))
    assert scores == pytest.approx(np.array([[2.0, 2.0], [3.0, np.nan]]), nan_ok=True)
    assert Tally(tally.counts, lambda sums: sums[..., 0]).scores(np.ones((1, 2))).tolist() == [
        [4, 2]
    ]

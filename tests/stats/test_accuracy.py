import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_columns import rated_columns, repeated, unit_weights

from concordant.errors import UndefinedStatistic
from concordant.stats.accuracy import tied_pairs


def measured(column, values):
    return tied_pairs(column.ratings, values, column.segment, len(column.segments))


def by_segment(column, values):
    return oracles.group_by(
        column.segment.tolist(), column.ratings.tolist(), np.asarray(values).tolist()
    )


def brute_force(column, values, **options):
    return oracles.acc_eq(by_segment(column, values), **options)


def segment(human, metric):
    """acc-eq of one segment."""
    return tied_pairs(
        np.array(human, float), np.array(metric), np.zeros(len(human), int), 1
    ).calibrated()


@given(rated_columns())
@settings(deadline=None)
def test_against_every_threshold(drawn):
    column, values = drawn
    assert measured(column, values).value() == pytest.approx(brute_force(column, values))


@given(rated_columns())
@settings(deadline=None)
def test_the_threshold_gives_the_accuracy(drawn):
    column, values = drawn
    result = measured(column, values).calibrated()
    expected = oracles.accuracy_at(by_segment(column, values), result.epsilon)
    assert result.accuracy == pytest.approx(expected)


@pytest.mark.parametrize(
    ("human", "metric", "accuracy", "epsilon"),
    [
        # a = b < c < d, and a and b lie closest: tying at 1 is right on all six pairs.
        ([0, 0, 1, 2], [0.0, 1.0, 3.0, 6.0], 1.0, 1.0),
        # What tying at 0.5 gains on the human tie it loses on another pair as close: 5 of 6.
        ([1, 2, 3, 1], [0.0, 1.0, 2.0, 0.5], 5 / 6, 0.0),
        # Wrong on every pair that people order: best to tie the other three.
        ([0, 1, 1, 1], [9.0, 1.0, 2.0, 3.0], 3 / 6, 2.0),
    ],
)
def test_by_hand(human, metric, accuracy, epsilon):
    result = segment(human, metric)
    assert (result.accuracy, result.epsilon) == (pytest.approx(accuracy), epsilon)


def test_a_segment_counts_once_however_many_outputs_it_has():
    human = np.array([1.0, 2, 3, 4, 1, 2])
    metric = np.array([1.0, 2, 3, 4, 2, 1])
    where = np.array([0, 0, 0, 0, 1, 1])
    assert tied_pairs(human, metric, where, 2).value() == pytest.approx(0.5)


def test_chance_is_that_of_tying_all_or_guessing():
    assert segment([1, 2, 3], [1.0, 2.0, 3.0]).chance == 0.5
    assert segment([1, 1, 2], [1.0, 2.0, 3.0]).chance == pytest.approx(1 / 3)
    assert segment([1, 1, 1], [1.0, 2.0, 3.0]).chance == 1.0


@given(rated_columns(), st.data())
@settings(deadline=None, max_examples=40)
def test_resampled(drawn, data):
    column, values = drawn
    weights = data.draw(unit_weights(column))
    result = measured(column, values).resample(weights)
    for value, row in zip(result, weights, strict=True):
        expected = brute_force(*repeated(column, values, row)) if row.sum() else None
        assert value == pytest.approx(np.nan if expected is None else expected, nan_ok=True)


@given(rated_columns(metrics=2), st.sampled_from([1.0, 0.25, 100.0]))
@settings(deadline=None, max_examples=40)
def test_swapped(drawn, scale):
    column, one, two = drawn
    first, second = measured(column, one), measured(column, scale * two)
    masks = np.array(oracles.all_masks(len(column.segments)))
    results = first.swap(second, masks)
    spread = [1.0 if len(set(each)) == 1 else each.std() for each in (one, two)]
    z_one, z_two = one / spread[0], two / spread[1]
    for mask, *values in zip(masks, *results, strict=True):
        taken = mask[column.segment]
        mixed = np.where(taken, z_two, z_one), np.where(taken, z_one, z_two)
        expected = [brute_force(column, each, slack=1e-9) for each in mixed]
        assert values == pytest.approx(expected)
    assert [each[0] for each in results] == pytest.approx([first.value(), second.value()])
    assert [each[-1] for each in results] == pytest.approx([second.value(), first.value()])


@pytest.mark.parametrize("cells", [1, 7, 10**9])
def test_the_size_of_a_block_does_not_matter(cells, monkeypatch, rng):
    human, one, two = rng.integers(0, 5, (3, 60)).astype(float)
    where = np.repeat(np.arange(15), 4)
    first, second = (tied_pairs(human, each, where, 15) for each in (one, two))
    weights, masks = rng.integers(0, 3, (20, 15)).astype(float), rng.integers(0, 2, (20, 15)) == 1
    plain = first.resample(weights), *first.swap(second, masks)
    monkeypatch.setattr("concordant.stats.accuracy.BLOCK_CELLS", cells)
    again = first.resample(weights), *first.swap(second, masks)
    assert np.array_equal(plain, again)


def test_refusals():
    nothing = np.array([0, 1])
    with pytest.raises(UndefinedStatistic, match="acc-eq: no segment has two judged translations"):
        tied_pairs(np.array([1.0, 2.0]), np.array([1.0, 2.0]), nothing, 2)
    with pytest.raises(UndefinedStatistic, match="the metric: 1 of 2 values are NaN"):
        tied_pairs(np.array([1.0, 2.0]), np.array([1.0, np.nan]), np.zeros(2, int), 1)

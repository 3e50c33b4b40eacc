from itertools import pairwise

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from concordant.stats import _native
from concordant.stats.correlation import pair_counts

ODD = [0.0, -0.0, 5e-324, -5e-324, 1.0, np.nextafter(1.0, 2.0), 1e308, -1e308, np.inf, -np.inf]
POINTS = st.integers(0, 12).flatmap(
    lambda n: st.tuples(*[arrays(np.float64, n, elements=st.integers(0, 4).map(float))] * 2)
)
ODD_POINTS = st.integers(0, 8).flatmap(
    lambda n: st.tuples(*[arrays(np.float64, n, elements=st.sampled_from(ODD))] * 2)
)


def ordinal(values):
    """The same order in small numbers: differences of the odd ones overflow."""
    return np.searchsorted(np.unique(values), values).tolist()


def bounds_of(cuts, size):
    return np.array([0, *sorted(cut % (size + 1) for cut in cuts), size], dtype=np.int64)


@given(POINTS | ODD_POINTS)
@settings(deadline=None)
def test_the_five_cells_against_a_plain_loop(points):
    x, y = points
    assert pair_counts(x, y).tolist() == oracles.cells(ordinal(x), ordinal(y))


@given(POINTS, st.lists(st.integers(0, 100), max_size=5))
@settings(deadline=None)
def test_groups_are_counted_apart(points, cuts):
    x, y = points
    bounds = bounds_of(cuts, len(x))
    expected = [oracles.cells(x[a:b].tolist(), y[a:b].tolist()) for a, b in pairwise(bounds)]
    assert pair_counts(x, y, bounds).tolist() == expected


@given(POINTS, st.data())
@settings(deadline=None)
def test_weights_are_copies(points, data):
    x, y = points
    weights = data.draw(arrays(np.int64, (3, len(x)), elements=st.integers(0, 3)))
    expected = [
        oracles.cells(np.repeat(x, row).tolist(), np.repeat(y, row).tolist()) for row in weights
    ]
    assert _native.weighted_pair_counts(x, y, weights).tolist() == expected


@pytest.mark.parametrize("threads", [0, 2, 3, 64])
def test_the_number_of_threads_changes_nothing(threads, rng):
    x, y = rng.integers(0, 50, (2, 5000)).astype(float)
    starts = np.sort(rng.integers(0, 5001, 400))
    one = pair_counts(x, y, starts, threads=1)
    assert np.array_equal(pair_counts(x, y, starts, threads=threads), one)
    weights = rng.multinomial(300, [1 / 300] * 300, size=50)
    one = _native.weighted_pair_counts(x[:300], y[:300], weights, 1)
    assert np.array_equal(_native.weighted_pair_counts(x[:300], y[:300], weights, threads), one)


@pytest.mark.parametrize("size", [1000, 1023, 1024, 1025])
def test_larger_arrays_against_all_pairs_at_once(size, rng):
    x, y = rng.integers(0, 300, (2, size)).astype(float)
    dx, dy = (np.sign(v[:, None] - v)[np.triu_indices(size, k=1)] for v in (x, y))
    expected = [
        (dx * dy > 0),
        (dx * dy < 0),
        (dx == 0) & (dy != 0),
        (dx != 0) & (dy == 0),
        (dx == 0) & (dy == 0),
    ]
    assert pair_counts(x, y).tolist() == [int(each.sum()) for each in expected]


def test_counts_beyond_32_bits():
    n = 200_000
    x, rising = np.zeros(n), np.arange(n, dtype=np.float64)
    pairs = n * (n - 1) // 2
    assert pair_counts(x, x).tolist() == [0, 0, 0, 0, pairs]
    assert pair_counts(rising, x).tolist() == [0, 0, 0, pairs, 0]
    assert pair_counts(rising, rising[::-1].copy()).tolist() == [0, pairs, 0, 0, 0]


def test_refusals():
    x = np.arange(3.0)
    with pytest.raises(ValueError, match="x and y differ in length"):
        pair_counts(x, x[:2])
    for bad in ([0, 4], [0, 2, 1], [-1, 3]):
        with pytest.raises(ValueError, match="starts must rise from 0 to the number of points"):
            pair_counts(x, x, np.array(bad))
    with pytest.raises(ValueError, match="starts is empty"):
        pair_counts(x, x, np.array([], dtype=np.int64))
    with pytest.raises(ValueError, match="rows of weights differ in length"):
        _native.weighted_pair_counts(x, x, np.ones((1, 2), dtype=np.int64))


def test_the_input_is_left_as_it_was():
    x, y = np.array([3.0, 1.0, 2.0]), np.array([1.0, 3.0, 2.0])
    pair_counts(x, y)
    assert (x.tolist(), y.tolist()) == ([3.0, 1.0, 2.0], [1.0, 3.0, 2.0])


@pytest.mark.parametrize("place", ["x", "y"])
def test_what_is_not_a_number_is_refused(place):
    given = {"x": np.zeros(3), "y": np.zeros(3), "starts": np.array([0, 3])}
    given[place][1] = np.nan
    with pytest.raises(ValueError, match="a value is not a number"):
        _native.pair_counts(**given)
    del given["starts"]
    with pytest.raises(ValueError, match="a value is not a number"):
        _native.weighted_pair_counts(**given, weights=np.ones((1, 3), dtype=np.int64))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, 1], "a weight is negative"),
        ([2**62, 1, 1], "a resample has over 100,000,000 points"),
        ([99_999_999, 1, 1], "a resample has over 100,000,000 points"),
    ],
)
def test_weights_that_cannot_be_drawn_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        _native.weighted_pair_counts(np.zeros(3), np.zeros(3), np.array([weights]))


@pytest.mark.parametrize(
    ("size", "value", "noise", "message"),
    [
        (0, 1.0, 1.0, "for one system or more"),
        (2, -1.0, 1.0, "must be finite and not negative"),
        (2, np.nan, 1.0, "must be finite and not negative"),
        (2, 1.0, 0.0, "noise above 0"),
        (2, 1.0, np.nan, "must be finite"),
    ],
)
def test_a_contest_without_sense_is_refused(size, value, noise, message):
    table = np.full((size, size), value)
    with pytest.raises(ValueError, match=message):
        _native.true_skill(table, table, 3, 1.0, noise, 0.1)

"""The functions of forward passes are what they are called, and neighbours change no bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from concordant.arrays import product
from concordant.models.functions import glorot, sigmoid, softplus

NUMBERS = arrays(np.float64, 7, elements=st.floats(-1000, 1000))


@given(NUMBERS)
def test_curves_are_what_they_are_called(values):
    small = np.clip(values, -30, 30)
    assert sigmoid(small) == pytest.approx(1 / (1 + np.exp(-small)), abs=1e-15)
    assert softplus(small) == pytest.approx(np.log1p(np.exp(small)), abs=1e-12)
    assert np.all((sigmoid(values) >= 0) & (sigmoid(values) <= 1))
    assert np.all(softplus(values) >= np.maximum(values, 0))


def test_a_product_is_a_product(rng):
    rows, weights = rng.normal(size=(9, 5)), rng.normal(size=(5, 4))
    assert product(rows, weights) == pytest.approx(rows @ weights)
    assert product(rows, weights[:, 0]) == pytest.approx(rows @ weights[:, 0])
    assert product(rows[:, :0], weights[:0]).tolist() == [[0.0] * 4] * 9
    assert product(rows[:, :0], weights[:0, 0]).tolist() == [0.0] * 9


@given(st.data())
def test_neighbours_change_no_bit_of_a_product(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 100)))
    count, inside = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 90))
    rows = rng.normal(size=(count, inside))
    for weights in (rng.normal(size=(inside, 12)).astype(np.float32), rng.normal(size=inside)):
        whole = product(rows, weights)
        chosen = data.draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=5))
        assert product(rows[chosen], weights).tobytes() == whole[chosen].tobytes()


def test_glorots_bound_goes_by_the_last_two_axes(rng):
    weights = glorot(rng, 3, 2, 4)
    assert weights.shape == (3, 2, 4)
    many = glorot(rng, 100, 2, 4)
    assert 0.95 < np.abs(many).max() <= 1.0

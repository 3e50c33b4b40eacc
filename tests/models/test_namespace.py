"""The functions that NumPy and torch share: the same numbers, and no bit by the neighbours."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from concordant.models.namespace import glorot, namespace, product, sigmoid, softplus

NUMBERS = arrays(np.float64, 7, elements=st.floats(-1000, 1000))


def test_each_array_has_its_own_library():
    assert namespace(np.zeros(1)) is np
    assert namespace(torch.zeros(1)) is torch


@given(NUMBERS)
def test_numpy_and_torch_agree(values):
    for function in (sigmoid, softplus):
        other = function(torch.from_numpy(values)).numpy()
        assert function(values) == pytest.approx(other, abs=1e-12)


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
    both = torch.from_numpy(rows) @ torch.from_numpy(weights)
    assert torch.equal(product(torch.from_numpy(rows), torch.from_numpy(weights)), both)


def test_in_torch_several_networks_stand_in_front(rng):
    rows, weights = rng.normal(size=(3, 9, 5)), rng.normal(size=(3, 5, 4))
    found = product(torch.from_numpy(rows), torch.from_numpy(weights)).numpy()
    vectors = product(torch.from_numpy(rows), torch.from_numpy(weights[..., 0])).numpy()
    for run in range(3):
        assert found[run] == pytest.approx(rows[run] @ weights[run])
        assert vectors[run] == pytest.approx(rows[run] @ weights[run, :, 0])


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

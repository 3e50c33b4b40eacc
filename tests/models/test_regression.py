"""The regression's forward pass: what it sees, scikit-learn's predictions, one row at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.models.regression import forward as regression

RNG = np.random.default_rng(4)


def data(outputs: int = 80, features: int = 5, dimension: int = 6, anchors: int = 1):
    rng = np.random.default_rng(outputs + features + dimension)
    vectors = rng.normal(size=(outputs, 1 + anchors, dimension))
    psi = rng.normal(size=(outputs, features)) * 10 + 3
    return psi, vectors


def test_relations_are_the_papers_four():
    _, vectors = data()
    t, r = vectors[:, 0], vectors[:, 1]
    found = regression.relations(vectors)
    assert np.array_equal(found, np.concatenate([t, r, t * r, np.abs(t - r)], axis=1))
    assert found.shape[1] == regression.width(0, 6, 1)


def test_a_source_adds_its_own_relations():
    psi, vectors = data(anchors=2)
    found = regression.columns(psi, vectors)
    assert found.shape[1] == regression.width(5, 6, 2)
    assert np.array_equal(found[:, -5:], psi)


def test_both_blocks_of_columns_weigh_alike():
    psi, vectors = data()
    scale = regression.fit_columns(psi, vectors)
    x = regression.scaled_columns(scale, psi, vectors)
    assert np.allclose(x.mean(axis=0), 0)
    assert (x[:, :24] ** 2).sum(axis=1).mean() == pytest.approx(1.0)
    assert (x[:, 24:] ** 2).sum(axis=1).mean() == pytest.approx(1.0)


def test_a_column_that_never_changes_has_no_effect():
    psi, vectors = data()
    psi[:, 2] = 7.0
    scale = regression.fit_columns(psi, vectors)
    assert np.all(regression.scaled_columns(scale, psi, vectors)[:, 24 + 2] == 0)


@given(st.integers(1, 7))
def test_a_row_is_worth_the_same_to_the_last_bit_in_any_batch(size):
    psi, vectors = data(23)
    params = {
        **regression.fit_columns(psi, vectors),
        "support": RNG.normal(size=(40, 29)).astype(np.float32),
        "dual": RNG.normal(size=40),
        "gamma": np.array([0.3]),
        "weights": RNG.normal(size=29),
        "intercept": np.array([0.1]),
    }
    for name in ("svr", "ridge"):
        whole = regression.predict(name, params, psi, vectors)
        parts = [
            regression.predict(name, params, psi[i : i + size], vectors[i : i + size])
            for i in range(0, len(psi), size)
        ]
        assert np.concatenate(parts).tobytes() == whole.tobytes()


def test_preference_is_even_for_equals_and_flips():
    gap = RNG.normal(size=20)
    found = regression.preference(0.7, gap)
    assert np.allclose(found, -regression.preference(0.7, -gap))
    assert np.all((found > 0) == (gap > 0))
    assert np.all(np.abs(found) <= 0.5)

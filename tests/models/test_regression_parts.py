"""Parts of a predicted rating: slopes by finite differences, and sums that come out."""

import numpy as np
import pytest

from concordant.models.regression.explanation import SLOPES, contributions
from concordant.models.regression.forward import REGRESSORS, predict

COLUMNS, FEATURES, MANY = 7, 3, 5


@pytest.fixture
def params(rng):
    def drawn(*shape):
        return rng.normal(size=shape)

    common = {
        "centre": drawn(COLUMNS), "spread": rng.uniform(1, 2, COLUMNS), "intercept": drawn(1),
        "gamma": np.array([0.3]),
    }  # fmt: skip
    own = {
        "svr": {"support": drawn(MANY, COLUMNS), "dual": drawn(MANY)},
        "landmarks": {
            "landmarks": drawn(MANY, FEATURES), "weights": drawn(MANY), "linear": drawn(COLUMNS),
        },
        "ridge": {"weights": drawn(COLUMNS)},
        "mlp": {
            "hidden_weights": drawn(COLUMNS, MANY), "hidden_bias": drawn(MANY),
            "weights": drawn(MANY),
        },
    }  # fmt: skip
    return {regressor: {**common, **its} for regressor, its in own.items()}


def test_every_regressor_has_a_slope():
    assert set(SLOPES) == set(REGRESSORS)


@pytest.mark.parametrize("regressor", REGRESSORS)
def test_slopes_are_those_of_small_steps(rng, params, regressor):
    x, step = rng.normal(size=(4, COLUMNS)), 1e-6
    slope = SLOPES[regressor](params[regressor], x)
    for column in range(COLUMNS):
        moved = step * np.eye(COLUMNS)[column]
        ahead, behind = (REGRESSORS[regressor](params[regressor], x + s * moved) for s in (1, -1))
        assert slope[:, column] == pytest.approx((ahead - behind) / (2 * step), abs=1e-7)


@pytest.mark.parametrize("regressor", REGRESSORS)
def test_parts_add_up_to_what_differs_from_an_average_output(rng, params, regressor):
    own = params[regressor]
    features, vectors = rng.normal(size=(6, FEATURES)), rng.normal(size=(6, 2, 1))
    parts = contributions(regressor, own, features, vectors)
    assert parts.shape == (6, FEATURES + 1)
    average = REGRESSORS[regressor](own, np.zeros((1, COLUMNS)))
    predicted = predict(regressor, own, features, vectors)
    assert parts.sum(axis=1) == pytest.approx(predicted - average, abs=1e-5)


def test_without_vectors_there_is_no_part_of_them(rng, params):
    own = {**params["landmarks"]}
    own |= {name: own[name][-FEATURES:] for name in ("centre", "spread", "linear")}
    parts = contributions("landmarks", own, rng.normal(size=(6, FEATURES)), np.zeros((6, 2, 0)))
    assert parts.shape == (6, FEATURES)

"""Integrated gradients add up, whatever the function."""

import numpy as np
import pytest

from concordant.models.integrated_gradients import integrate


@pytest.mark.parametrize("steep", [0.1, 1.0, 30.0, 1e4])
def test_parts_add_up_to_the_difference(steep):
    rng = np.random.default_rng(0)
    weights = steep * rng.normal(size=(4, 3))
    x = rng.normal(size=(20, 4))

    def value(at):
        return np.tanh(at @ weights + 0.3).sum(axis=1)

    def slope(at):
        return (1 - np.tanh(at @ weights + 0.3) ** 2) @ weights.T

    parts = integrate(value, slope, x)
    assert parts.sum(axis=1) == pytest.approx(value(x) - value(np.zeros((1, 4))), abs=1e-9)
    assert integrate(value, slope, x[:5]) == pytest.approx(parts[:5], abs=1e-12)

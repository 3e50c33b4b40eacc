"""The linear model against the paper's formula, and what it says of itself."""

import numpy as np
import pytest

from concordant.models.linear.explanation import contributions, effects
from concordant.models.linear.forward import (
    LinearShape,
    forward,
    initial,
    kept_sizes,
    margin,
    sentence_scores,
    sizes,
)
from concordant.models.linear.gradient import outputs_and_layer

SHAPES = [LinearShape(5), LinearShape(5, 3), LinearShape(1)]
every_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def drawn(shape, rng, outputs=6):
    """Parameters of which none is zero, and the features of some outputs."""
    params = {name: rng.normal(size=size) for name, size in kept_sizes(shape).items()}
    params["deviation"] = np.abs(params["deviation"])
    return params, rng.normal(size=(outputs, shape.features))


@every_shape
def test_forward_is_the_papers(shape, rng):
    params, features = drawn(shape, rng)
    for row, found in zip(features, forward(params, features), strict=True):
        inside = row
        if shape.hidden:
            inside = np.tanh(params["hidden_weights"].T @ row + params["hidden_bias"])
        expected = inside @ params["weights"] + params["bias"][0]
        assert found == pytest.approx(expected)


@every_shape
def test_several_models_stand_side_by_side_in_training(shape, rng):
    runs = [drawn(shape, rng) for _ in range(3)]
    stacked = {name: np.stack([params[name] for params, _ in runs]) for name in sizes(shape)}
    found, _ = outputs_and_layer(stacked, np.stack([each for _, each in runs]))
    for run, (params, each) in enumerate(runs):
        assert found[run] == pytest.approx(forward(params, each))


@every_shape
def test_a_score_does_not_depend_on_its_neighbours(shape, rng):
    params, features = drawn(shape, rng, outputs=301)
    whole = sentence_scores(params, features)
    assert np.all((whole > 0) & (whole < 1))
    alone = [float(sentence_scores(params, features[i : i + 1])[0]) for i in range(301)]
    assert whole.tolist() == alone


@every_shape
def test_training_begins_without_an_opinion_or_by_chance(shape, rng):
    params = initial(shape, rng)
    assert {name: value.shape for name, value in params.items()} == sizes(shape)
    assert any(value.any() for value in params.values()) == bool(shape.hidden)


def test_a_margin_flips_with_the_order_and_one_is_a_quarter(rng):
    params, features = drawn(SHAPES[0], rng)
    first, second = features[:3], features[3:]
    assert margin(params, first, second) == pytest.approx(-margin(params, second, first))
    assert not margin(params, first, first).any()
    one = margin({"weights": np.ones(1), "bias": np.zeros(1)}, np.ones((1, 1)), np.zeros((1, 1)))
    assert one[0] == pytest.approx(1 / (1 + np.exp(-1)) - 0.5)


def test_contributions_add_up(rng):
    """w_i (φ_i - mean_i), and with what an average output has they are the whole."""
    params, features = drawn(SHAPES[0], rng)
    found = contributions(params, features)
    assert found == pytest.approx(params["weights"] * (features - params["mean"]))
    average = forward(params, params["mean"][None])
    assert found.sum(axis=1) + average == pytest.approx(forward(params, features))
    assert effects(params) == pytest.approx(params["weights"] * params["deviation"])


def test_contributions_to_a_hidden_layer_add_up(rng):
    params, features = drawn(SHAPES[1], rng)
    before = features.copy()
    found = contributions(params, features)
    assert np.array_equal(features, before)
    average = forward(params, params["mean"][None, :])
    assert found.sum(axis=1) == pytest.approx(forward(params, features) - average, abs=1e-10)
    for i in range(5):  # where one feature alone is moved, all of the difference is its own
        moved = np.tile(params["mean"], (len(features), 1))
        moved[:, i] = features[:, i]
        assert contributions(params, moved)[:, i] == pytest.approx(forward(params, moved) - average)
    assert effects(params).shape == (5,)

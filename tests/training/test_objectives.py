"""Costs by their formulas, and gradients by finite differences for every kind of network."""

import itertools
import math

import numpy as np
import pytest

from concordant.models.linear import forward as linear
from concordant.models.linear.gradient import gradient_of as linear_gradient
from concordant.models.linear.gradient import outputs_and_layer
from concordant.models.linear.objectives import (
    corpus_margin,
    corpus_margin_slope,
    corpus_score,
    corpus_score_slope,
    sentence_margin,
    sentence_margin_slope,
)
from concordant.models.optimisers import flatten, unflatten
from concordant.models.pairwise.forward import (
    PairwiseShape,
    both_ways,
    forward,
    group_mask,
    initial,
)
from concordant.models.pairwise.gradient import cost_and_gradient
from concordant.models.pairwise.objectives import PAIR_OBJECTIVES, kendall, logistic

SHAPES = [
    PairwiseShape(3, 2, hidden, anchors, symmetric)
    for hidden, anchors, symmetric in itertools.product(
        [0, 4], [("reference",), ("reference", "source"), ()], [False, True]
    )
]
STEP = 1e-5


def test_logistic_is_the_negative_log_likelihood():
    """Eq. 4, with y 1 where the first was preferred: -Σ y log p + (1 - y) log(1 - p)."""
    log_odds, sign = [0.3, -2.0, 1.5], [1, -1, -1]
    expected = 0.0
    for z, s in zip(log_odds, sign, strict=True):
        p, y = 1 / (1 + math.exp(-z)), (s + 1) / 2
        expected -= y * math.log(p) + (1 - y) * math.log(1 - p)
    assert logistic(np.array(log_odds), np.array(sign)) == pytest.approx(expected)
    assert logistic(np.array([-800.0]), np.array([1])) == pytest.approx(800)


def test_kendall_counts_discordant_pairs_and_ties():
    """Eq. 6 as a cost: Σ sig(-γ y Δ) + exp(-β Δ² / 2)."""
    there, back, sign = [0.3, -2.0], [0.1, 1.0], [1, 1]
    expected = 0.0
    for one, other, y in zip(there, back, sign, strict=True):
        delta = 1 / (1 + math.exp(-one)) - 1 / (1 + math.exp(-other))
        expected += 1 / (1 + math.exp(7 * y * delta)) + math.exp(-9 / 2 * delta**2)
    arrays = [np.array(each, dtype=float) for each in (there, back, sign)]
    assert kendall(*arrays, gamma=7, beta=9) == pytest.approx(expected)


def test_kendall_is_near_the_number_of_discordant_pairs():
    there, sign = np.array([4.0, 4.0, -4.0, -4.0, -4.0]), np.array([1.0, -1, -1, 1, 1])
    assert kendall(there, -there, sign) == pytest.approx(3, abs=1e-6)
    tied = kendall(np.zeros(1), np.zeros(1), np.ones(1))
    assert tied == pytest.approx(1.5)


def test_costs_of_several_networks_stand_apart(rng):
    there, back = rng.normal(size=(2, 3, 5))
    sign = np.sign(rng.normal(size=(3, 5)))
    for run in range(3):
        assert logistic(there, sign)[run] == logistic(there[run], sign[run])
        assert kendall(there, back, sign)[run] == kendall(there[run], back[run], sign[run])


def test_the_table_says_what_an_objective_looks_at():
    assert {name: each.swapped for name, each in PAIR_OBJECTIVES.items()} == {
        "logistic": False,
        "kendall": True,
    }


def options(objective):
    """Steps of γ and β as steep as the paper's are flat nearly everywhere: nothing to compare."""
    return {"gamma": 3.0, "beta": 5.0} if objective.swapped else {}


def cost_of(params, shape, objective, inputs, sign):
    ask = both_ways if objective.swapped else forward
    odds = ask(params, shape, *inputs)
    odds = odds if objective.swapped else (odds,)
    return objective.cost(*odds, sign, **options(objective))


def gradient_of(params, shape, objective, inputs, sign):
    """By hand, with the runs in front, as training asks for it."""

    def slopes(there, back):
        odds = (there, back) if objective.swapped else (there,)
        found = objective.slope(*odds, sign, **options(objective))
        both = found if objective.swapped else (found, None)
        return objective.cost(*odds, sign, **options(objective)), *both

    return cost_and_gradient(params, shape, inputs, slopes, both=objective.swapped)


def drawn(shape, rng, runs=()):
    params = initial(shape, rng) if not runs else None
    if runs:
        several = [initial(shape, rng) for _ in range(*runs)]
        params = {name: np.stack([each[name] for each in several]) for name in several[0]}
    vectors = rng.normal(size=(*runs, 5, shape.texts, shape.vector))
    first, second = rng.normal(size=(2, *runs, 5, shape.features))
    return params, (vectors, first, second), np.sign(rng.normal(size=(*runs, 5)))


every_network = pytest.mark.parametrize("shape", SHAPES, ids=str)
every_objective = pytest.mark.parametrize("name", PAIR_OBJECTIVES)


@every_objective
@every_network
def test_gradients_by_finite_differences(shape, name, rng):
    objective = PAIR_OBJECTIVES[name]
    params, inputs, sign = drawn(shape, rng)
    one = {key: value[None] for key, value in params.items()}
    several = tuple(each[None] for each in inputs)
    cost, gradient = gradient_of(one, shape, objective, several, sign[None])
    assert cost == pytest.approx(cost_of(params, shape, objective, inputs, sign))
    flat, shapes = flatten(params), {key: value.shape for key, value in params.items()}
    mask = {**{k: np.ones(v) for k, v in shapes.items()}}
    if "hidden_weights" in mask:
        mask["hidden_weights"] = group_mask(shape)
    found, felt = flatten({k: v[0] for k, v in gradient.items()}), flatten(mask)
    assert not found[felt == 0].any()  # what a group does not see stays as it is
    for i in np.flatnonzero(felt):
        step = np.zeros_like(flat)
        step[i] = STEP
        up, down = (
            cost_of(unflatten(moved, shapes), shape, objective, inputs, sign)
            for moved in (flat + step, flat - step)
        )
        assert found[i] == pytest.approx((up - down) / (2 * STEP), rel=1e-6, abs=1e-8)


@every_objective
@every_network
def test_several_networks_at_once_are_as_many_alone(shape, name, rng):
    objective = PAIR_OBJECTIVES[name]
    params, inputs, sign = drawn(shape, rng, runs=(3,))
    cost, gradient = gradient_of(params, shape, objective, inputs, sign)
    for run in range(3):
        one = slice(run, run + 1)
        own = {key: value[one] for key, value in params.items()}
        alone = gradient_of(own, shape, objective, tuple(each[one] for each in inputs), sign[one])
        assert cost[one] == pytest.approx(alone[0], abs=1e-12)
        for key, slope in alone[1].items():
            assert gradient[key][one] == pytest.approx(slope, rel=1e-9, abs=1e-10)


def test_a_sentence_pair_should_be_one_apart():
    """§2.1: the mean of max(0, 1 - Δ)."""
    gaps = np.array([3.0, 1.0, 0.25, -2.0])
    assert sentence_margin(gaps) == pytest.approx((0 + 0 + 0.75 + 3) / 4)
    assert sentence_margin(gaps, np.array([4.0, 1, 0, 1])) == pytest.approx((1 + 0 + 0 + 3) / 4)


def test_a_tied_pair_should_be_close():
    gaps, tie = np.array([0.5, -0.5, 0.1, 2.0]), np.array([True, True, True, False])
    found = sentence_margin(gaps, 1.0, tie, tie_width=0.2)
    assert found == pytest.approx((0.3 + 0.3 + 0 + 0) / 4)


def test_two_corpora_should_be_as_far_apart_as_people_say():
    """§2.2: max(0, Δhuman - Δcorp), a corpus's score being the mean of its sentences' scores."""
    better, worse = [1.0, -0.5], [0.0, 2.0, -1.0]
    scores = [sum(1 / (1 + math.exp(-x)) for x in each) / len(each) for each in (better, worse)]
    found = [corpus_score(np.array(each)) for each in (better, worse)]
    assert found == pytest.approx(scores)
    gap = np.array(found[0] - found[1])
    assert corpus_margin(gap, 0.4) == pytest.approx(0.4 - (scores[0] - scores[1]))
    assert corpus_margin(gap, -0.4) == 0


# Costs of sentences by name, with their options.
MARGINS, TIES = np.array([0.2, 1.5, 1.0, 3.0]), np.array([True, False, True, False])
SENTENCES = {
    "sentence": {},
    "margins": {"margin": MARGINS},
    "ties": {"tie": TIES, "tie_width": 0.01},
}


CORPORA = {"corpus": {}, "gentle": {"temperature": 4.0}}


def linear_cost(name, out):
    if name in SENTENCES:
        return sentence_margin(out[:4] - out[4:], **SENTENCES[name])
    better, worse = (corpus_score(part, **CORPORA[name]) for part in (out[:5], out[5:]))
    return corpus_margin(better - worse, 0.9)


def linear_slope(name, out):
    if name in SENTENCES:
        steep = sentence_margin_slope(out[:4] - out[4:], **SENTENCES[name])
        return np.concatenate([steep, -steep])
    apart = corpus_score(out[:5], **CORPORA[name]) - corpus_score(out[5:], **CORPORA[name])
    steep = corpus_margin_slope(apart, 0.9)
    better, worse = (corpus_score_slope(part, **CORPORA[name]) for part in (out[:5], out[5:]))
    return steep * np.concatenate([better, -worse])


@pytest.mark.parametrize("name", [*SENTENCES, *CORPORA])
@pytest.mark.parametrize("hidden", [0, 3])
def test_gradients_of_linear_models_by_finite_differences(name, hidden, rng):
    shapes = linear.sizes(linear.LinearShape(4, hidden))
    params = {key: rng.normal(size=size) for key, size in shapes.items()}
    features = rng.normal(size=(8, 4))
    out, layer = outputs_and_layer(params, features)
    gradient = flatten(linear_gradient(params, features, layer, linear_slope(name, out)))
    assert gradient.any()
    flat = flatten(params)
    for i in range(len(flat)):
        step = np.zeros_like(flat)
        step[i] = STEP
        up, down = (
            linear_cost(name, linear.forward(unflatten(moved, shapes), features))
            for moved in (flat + step, flat - step)
        )
        assert gradient[i] == pytest.approx((up - down) / (2 * STEP), rel=1e-6, abs=1e-8)

"""Costs by their formulas, and gradients by finite differences for every kind of network."""

import itertools
import math

import numpy as np
import pytest
import torch

from concordant.models.pairwise import PairwiseShape, both_ways, forward, initial
from concordant.training.objectives import PAIR_OBJECTIVES, kendall, logistic
from concordant.training.optimisers import flatten, unflatten

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


@pytest.mark.parametrize("name", PAIR_OBJECTIVES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_gradients_by_finite_differences(shape, name, rng):
    params = initial(shape, rng)
    shapes = {key: value.shape for key, value in params.items()}
    vectors = torch.from_numpy(rng.normal(size=(5, shape.texts, shape.vector)))
    first, second = torch.from_numpy(rng.normal(size=(2, 5, shape.features)))
    sign = torch.from_numpy(np.sign(rng.normal(size=5)))
    objective = PAIR_OBJECTIVES[name]
    # Steps of γ and β as steep as the paper's are flat nearly everywhere: nothing to compare.
    options = {"gamma": 3.0, "beta": 5.0} if objective.swapped else {}

    def cost(flat):
        ask = both_ways if objective.swapped else forward
        odds = ask(unflatten(flat, shapes), shape, vectors, first, second)
        odds = odds if objective.swapped else (odds,)
        return objective.cost(*odds, sign, **options)

    flat = torch.from_numpy(flatten(params)).requires_grad_(True)
    (gradient,) = torch.autograd.grad(cost(flat), [flat])
    with torch.no_grad():
        for i in range(len(flat)):
            step = torch.zeros_like(flat)
            step[i] = STEP
            slope = (cost(flat + step) - cost(flat - step)) / (2 * STEP)
            assert float(gradient[i]) == pytest.approx(float(slope), rel=1e-6, abs=1e-8)

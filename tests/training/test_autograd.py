"""Gradients by torch: the chain rule's numbers, torch left as it was, and told where absent."""

import sys

import numpy as np
import pytest
import torch

from concordant.errors import ConcordantError
from concordant.training.autograd import by_autograd
from concordant.training.recipe import read_recipe
from concordant.training.trainers import trainer_of


def test_a_cubes_gradient(rng):
    weights, batch = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    gradient = by_autograd(lambda p, x: ((p["w"] * torch.from_numpy(x)) ** 3).sum(dim=1))
    cost, slopes = gradient({"w": weights}, batch)
    assert cost == pytest.approx(((weights * batch) ** 3).sum(axis=1))
    assert slopes["w"] == pytest.approx(3 * weights**2 * batch**3)


def test_threads_of_torch_are_left_as_they_were():
    before = torch.get_num_threads()
    seen = []

    def cost(params, _):
        seen.append(torch.get_num_threads())
        return params["w"].sum(dim=1)

    by_autograd(cost)({"w": np.ones((1, 2))}, None)
    assert (seen, torch.get_num_threads()) == ([1], before)


def test_without_torch_the_cure_is_told_before_any_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ConcordantError, match=r"needs torch: pip install 'concordant\[train\]'"):
        trainer_of(read_recipe("joint"))
    assert trainer_of(read_recipe("lexical")).objectives[0] == "logistic"

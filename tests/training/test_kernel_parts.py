"""Kernels are those of the formula, also among the rows of a fold; the last few are kept."""

import numpy as np

from concordant.models.regression import regressors
from concordant.models.regression.regressors import Problem


def test_a_part_is_that_of_the_whole_and_few_are_kept(monkeypatch):
    rng = np.random.default_rng(1)
    problem = Problem(rng.normal(size=(12, 3)), rng.normal(size=12), seed=1, hidden=2)
    monkeypatch.setattr(regressors, "PARTS_KEPT", 2 * 8 * 9**2)
    for left_out in range(4):
        rows = np.delete(np.arange(12), [left_out, left_out + 4, left_out + 8])
        for gamma in (0.1, 1.0):
            part = problem.kernel_among(gamma, rows)
            assert np.array_equal(part, problem.kernel(gamma)[np.ix_(rows, rows)])
            assert problem.kernel_among(gamma, rows) is part
        assert len(problem.parts) == 2


def test_every_width_of_a_kernel_is_that_of_the_formula():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(7, 3))
    problem = Problem(x, rng.normal(size=7), seed=1, hidden=2)
    for gamma in (0.1, 1.0, 10.0):
        plain = [[np.exp(-gamma * np.sum((one - two) ** 2)) for two in x] for one in x]
        assert np.allclose(problem.kernel(gamma), plain, rtol=1e-12, atol=0)

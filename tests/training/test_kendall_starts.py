"""The Kendall cost from many initial weights: it learns without its term against ties."""

import numpy as np
import pytest

from concordant.features.preparation import Inputs
from concordant.models.pairwise.fitting import PairSet, decisions, tau, train_pairwise
from concordant.models.pairwise.forward import PairwiseShape
from concordant.training.recipe import read_recipe

STARTS = range(1, 9)


@pytest.fixture(scope="module")
def sides():
    """Two sides of 400 translations, of which the first of two features tells which is better."""
    rng = np.random.default_rng(8)

    def side():
        features = rng.uniform(-1, 1, size=(400, 2))
        one, two = rng.integers(400, size=(2, 600))
        first = features[one, 0] > features[two, 0]
        pairs = PairSet(np.where(first, one, two), np.where(first, two, one))
        return Inputs(features, np.zeros((400, 2, 0))), pairs

    return side(), side()


def taus(sides, **changes):
    recipe = read_recipe("guzman2015").with_values(
        objective__kind="kendall", optimiser__epochs=4, **changes
    )
    shape = PairwiseShape(0, 2, 0)
    params, _ = train_pairwise(recipe, shape, *sides, seeds=[*STARTS])
    return [tau(decisions(each, shape, *sides[1])) for each in params]


def test_every_start_learns(sides):
    assert read_recipe("guzman2015")["objective.beta"] == 0
    assert min(taus(sides)) > 0.9


def test_the_papers_term_against_ties_holds_some_starts_where_they_are(sides):
    found = taus(sides, objective__beta=100.0)
    assert min(found) < 0.5 < max(found)

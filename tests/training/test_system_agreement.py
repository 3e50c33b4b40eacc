"""The agreement on held-out systems against the correlation of the scores, computed plainly."""

import numpy as np
import pytest

from concordant.judgements.detection import read
from concordant.judgements.judged_systems import judged_systems
from concordant.training.human_scores import HUMAN_SCORES
from concordant.training.material import gather
from concordant.training.recipe import read_recipe
from concordant.training.system_agreement import system_agreement


@pytest.mark.parametrize("human", ["wins", "ratings"])
def test_it_is_the_correlation_of_system_scores(human, rng):
    kind = {"wins": "rankings", "ratings": "ratings"}[human]
    recipe = read_recipe("joint").with_values(data__kind=kind, objective__systems=human)
    material = gather(recipe, read("examples/de-en"))
    pairs, corpora = material.sides["training"], material.corpora["training"]
    scores = rng.normal(size=len(pairs.translations))
    found = system_agreement(scores, pairs, corpora, human=human)
    means = [scores[rows].mean() for rows in corpora.rows]
    assert found.value == pytest.approx(np.corrcoef(means, corpora.human)[0, 1])
    assert found.low <= found.value <= found.high
    assert found.n == 4


def test_two_systems_have_no_correlation(rng):
    recipe = read_recipe("joint").with_values(data__kind="rankings")
    pairs = gather(recipe, read("examples/de-en")).sides["training"]
    two = [i for i in pairs.own if pairs.systems[i] in {"alder", "birch"}]
    own = type(pairs)(**{**vars(pairs), "own": np.array(two)})
    corpora = judged_systems(own, HUMAN_SCORES["wins"])
    assert len(corpora.names) == 2
    scores = rng.normal(size=len(pairs.translations))
    assert system_agreement(scores, pairs, corpora, human="wins") is None


def test_equal_scores_have_no_correlation():
    recipe = read_recipe("joint").with_values(data__kind="rankings")
    material = gather(recipe, read("examples/de-en"))
    pairs, corpora = material.sides["training"], material.corpora["training"]
    scores = np.full(len(pairs.translations), 0.5)
    assert system_agreement(scores, pairs, corpora, human="wins") is None

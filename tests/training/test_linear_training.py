"""Training a linear metric: its objectives against plain loops, what it learns, and its options."""

import math

import numpy as np
import pytest

from concordant.errors import ConcordantError
from concordant.judgements.judged_systems import JudgedSystems
from concordant.models.linear.fitting import (
    ALPHAS,
    agreement,
    fold_temperature,
    objective,
    train_linear,
)
from concordant.models.linear.forward import forward, sentence_scores
from concordant.models.linear.margins import MarginPairs
from concordant.models.linear.stage import LinearSide, _rounds
from concordant.training.recipe import change_recipe, read_recipe

FAST = ["optimiser.epochs=5", "optimiser.steps=20", "optimiser.rate=0.02", "optimiser.batch=50"]
WEIGHTS = np.array([1.5, -0.5, 0.0])


def recipe(*changes):
    return change_recipe(read_recipe("joint"), [*FAST, *changes])


def side(rng, *, systems=5, segments=40, pairs=300, places=2):
    """Outputs whose quality is in two of three features, judged with some noise."""
    count = places * systems * segments
    quality = np.repeat(rng.normal(size=places * systems), segments)
    features = rng.normal(size=(count, 3)) + quality[:, None] * np.array([1, -1, 0])
    true = features @ WEIGHTS
    one, two = rng.integers(count, size=(2, pairs))
    first = true[one] + rng.normal(size=pairs) > true[two]
    rows = np.arange(count).reshape(places * systems, segments)
    human = 1 / (1 + np.exp(-true[rows].mean(axis=1)))
    couples = [
        (i, j)
        for p in range(places)
        for i in range(p * systems, (p + 1) * systems)
        for j in range(p * systems, (p + 1) * systems)
        if human[i] > human[j]
    ]
    better, worse = np.array(couples).T
    names = tuple((f"{i // systems}-en", "t", f"s{i % systems}") for i in range(len(rows)))
    return LinearSide(
        features,
        MarginPairs(np.where(first, one, two), np.where(first, two, one), np.ones(pairs)),
        JudgedSystems(names, tuple(rows), human, better, worse),
    )


def slow_objective(kind, alpha, outputs, given):
    """§2 as it is printed, one judgement and one pair of corpora after the other."""
    sentence = []
    for win, lose in zip(given.pairs.better, given.pairs.worse, strict=True):
        sentence.append(max(0.0, 1 - (outputs[win] - outputs[lose])))
    corpora, corpus = given.corpora, []
    for win, lose in zip(corpora.better, corpora.worse, strict=True):
        scores = [
            sum(1 / (1 + math.exp(-outputs[row])) for row in corpora.rows[each])
            / len(corpora.rows[each])
            for each in (win, lose)
        ]
        human = corpora.human[win] - corpora.human[lose]
        corpus.append(max(0.0, human - (scores[0] - scores[1])))
    means = [sum(each) / len(each) for each in (sentence, corpus)]
    return {"sentence": means[0], "corpus": means[1]}.get(
        kind, alpha * means[0] + (1 - alpha) * means[1]
    )


@pytest.mark.parametrize("kind", ["sentence", "corpus", "joint"])
def test_the_objective_of_a_side_is_the_papers(kind, rng):
    given = side(rng)
    outputs = rng.normal(size=len(given.features))
    asked = recipe(f"objective.kind={kind}", "objective.alpha=0.3")
    expected = slow_objective(kind, 0.3, outputs, given)
    assert objective(asked, outputs, given) == pytest.approx(expected)
    assert expected > 0


@pytest.mark.parametrize("hidden", [0, 3])
def test_a_folded_temperature_gives_the_same_scores(hidden, rng):
    training, validation = side(rng), side(rng)
    asked = recipe("objective.temperature=4", f"model.hidden={hidden}")
    (params,), progress = train_linear(asked, training, validation, seeds=[1])
    outputs = forward(params, validation.features)
    assert progress.best_score[0] == pytest.approx(-objective(asked, outputs, validation), rel=1e-5)
    plain = fold_temperature(params, 4.0)
    expected = 1 / (1 + np.exp(-outputs / 4.0))
    assert sentence_scores(plain, validation.features) == pytest.approx(expected)
    # Scores are nearer to a straight line: the middle half of (0, 1) holds more of them.
    (steep,), _ = train_linear(recipe(f"model.hidden={hidden}"), training, validation, seeds=[1])
    spread = sentence_scores(steep, validation.features)
    assert (abs(expected - 0.5) < 0.25).mean() > (abs(spread - 0.5) < 0.25).mean()


@pytest.mark.parametrize("hidden", [0, 3])
@pytest.mark.parametrize("kind", ["sentence", "corpus", "joint"])
def test_it_learns_what_people_look_at(kind, hidden, rng):
    training, validation = side(rng), side(rng)
    asked = recipe(f"objective.kind={kind}", f"model.hidden={hidden}")
    (params,), progress = train_linear(asked, training, validation, seeds=[1])
    outputs = forward(params, validation.features)
    assert agreement(outputs, validation) > 0.7
    assert progress.best_score[0] == pytest.approx(-objective(asked, outputs, validation), rel=1e-5)
    if not hidden:
        assert params["weights"][0] > 0 > params["weights"][1]
        assert abs(params["weights"][2]) < 0.3 * params["weights"][0]


def test_runs_side_by_side_are_those_alone(rng):
    training, validation = side(rng), side(rng)
    both, _ = train_linear(recipe(), training, validation, seeds=[1, 2])
    for seed, params in zip((1, 2), both, strict=True):
        (alone,), _ = train_linear(recipe(), training, validation, seeds=[seed])
        for name, value in alone.items():
            assert params[name] == pytest.approx(value, abs=1e-4)
    assert both[0]["weights"].tolist() != both[1]["weights"].tolist()


def test_every_judgement_and_pair_of_corpora_is_seen_each_epoch(rng):
    assert sorted(_rounds(rng, 5, 5)) == list(range(5))
    twice = _rounds(rng, 4, 10)
    assert np.bincount(twice).sum() == 10
    assert np.bincount(twice[:8]).tolist() == [2] * 4


def test_alphas_are_compared_by_agreement(rng):
    training, validation = side(rng), side(rng)
    found, progress = train_linear(
        recipe(), training, validation, seeds=[1] * len(ALPHAS), alphas=ALPHAS
    )
    assert len(found) == len(ALPHAS)
    for params, score in zip(found, progress.best_score, strict=True):
        outputs = forward(params, validation.features)
        assert agreement(outputs, validation) == pytest.approx(score, abs=1e-6)
    assert len({params["weights"].tobytes() for params in found}) == len(ALPHAS)


def test_agreement_is_the_mean_of_tau_and_r(rng):
    given = side(rng)
    truth = given.features @ WEIGHTS
    gaps = truth[given.pairs.better] - truth[given.pairs.worse]
    tau = np.mean(np.sign(gaps))
    scores = [(1 / (1 + np.exp(-truth[rows]))).mean() for rows in given.corpora.rows]
    r = np.mean([
        np.corrcoef(scores[part], given.corpora.human[part])[0, 1]
        for part in (slice(0, 5), slice(5, 10))
    ])
    assert agreement(truth, given) == pytest.approx((tau + r) / 2)


def test_ties_are_drawn_together(rng):
    """With every pair a tie, the weights stay where they began."""
    given = side(rng)
    pairs = given.pairs
    tied = MarginPairs(pairs.better, pairs.worse, pairs.margin, np.ones(300, dtype=bool))
    half = LinearSide(given.features, tied, None)
    (params,), _ = train_linear(recipe("objective.kind=sentence"), half, half, seeds=[1])
    assert np.abs(params["weights"]).max() < 0.01


def test_no_corpora_are_told(rng):
    given = side(rng)
    lacking = LinearSide(given.features, given.pairs, None)
    with pytest.raises(ConcordantError, match="no judged corpora"):
        train_linear(recipe(), lacking, given, seeds=[1])

"""A linear metric learned from judged sentences, corpora or both (Stanojević, Sima'an 2017).

A step sees a mini-batch of judged pairs, one pair of corpora, or one of each. An epoch goes through
all pairs of either kind at least once; the kind that has fewer goes round again. The epoch that is
kept is the one whose own objective is lowest on validation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.models.functions import correlation
from concordant.models.kind import Learned, Trainer, describe_hidden, optimiser_of, round_weights
from concordant.models.linear import forward as linear
from concordant.models.linear.objectives import corpus_margin, corpus_score, joint, sentence_margin
from concordant.models.linear.stage import LinearSide, corpora_of, linear_stage
from concordant.models.loop import FROM_THE_START, train
from concordant.stats.tau import strict_tau

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_systems import JudgedSystems
    from concordant.judgements.judged_translations import Floats
    from concordant.models.functions import Params
    from concordant.models.kind import Fitted, Lessons, RecipeValues
    from concordant.models.loop import Progress, TrainingRun

ALPHAS = (0.1, 0.3, 0.5, 0.7, 0.9)  # what is tried where alpha is chosen on validation


def train_linear(
    recipe: RecipeValues,
    training: LinearSide,
    validation: LinearSide,
    *,
    seeds: Sequence[int],
    alphas: Sequence[float] | None = None,
    run: TrainingRun = FROM_THE_START,
) -> tuple[list[Params], Progress]:
    """The weights of a model for each seed, at the epoch that is best on validation.

    With `alphas`, one for each seed, the best epoch is the one that agrees most with people on
    validation: objectives of different alphas cannot be compared.
    """
    shape = linear.LinearShape(training.features.shape[-1], recipe["model.hidden"])
    initial = [linear.initial(shape, np.random.default_rng(seed)) for seed in seeds]
    columns = np.asfortranarray(validation.features)  # a forward pass goes column by column

    def validate(params: Params) -> float:
        outputs = linear.forward(params, columns)
        if alphas is not None:
            return agreement(outputs, validation, temperature=recipe["objective.temperature"])
        return -objective(recipe, outputs, validation)

    shares = [recipe["objective.alpha"]] * len(seeds) if alphas is None else alphas
    stage = linear_stage(recipe, training, shares)
    return train(initial, [stage], validate, optimiser_of(recipe), seeds=seeds, run=run)


def objective(recipe: RecipeValues, outputs: Floats, side: LinearSide) -> float:
    """The objective over a whole side, from forward(φ) of every translation."""
    kind = recipe["objective.kind"]
    if kind == "sentence":
        return _sentence_objective(recipe, outputs, side)
    corpora = corpora_of(side)
    scores = _corpus_scores(outputs, corpora, recipe["objective.temperature"])
    gaps = scores[corpora.better] - scores[corpora.worse]
    corpus = float(corpus_margin(gaps, corpora.gap).mean())
    if kind == "corpus":
        return corpus
    sentence = _sentence_objective(recipe, outputs, side)
    return float(joint(sentence, corpus, recipe["objective.alpha"]))


def agreement(outputs: Floats, side: LinearSide, *, temperature: float = 1.0) -> float:
    """Agreement with people: the mean of the sentences' strict tau and the systems' Pearson's r.

    The r is averaged over language pairs and test sets that have three systems or more.
    """
    pairs, corpora = side.pairs, corpora_of(side)
    decided = slice(None) if pairs.tie is None else ~pairs.tie
    gaps = (outputs[pairs.better] - outputs[pairs.worse])[decided]
    tau = strict_tau(gaps)
    scores = _corpus_scores(outputs, corpora, temperature)
    places: dict[tuple[str, str], list[int]] = {}
    for i, (pair, testset, _) in enumerate(corpora.names):
        places.setdefault((pair, testset), []).append(i)
    found = [correlation(scores[at], corpora.human[at]) for at in places.values() if len(at) >= 3]
    return 0.5 * (tau + float(np.mean(found))) if found else tau


def _sentence_objective(recipe: RecipeValues, outputs: Floats, side: LinearSide) -> float:
    pairs = side.pairs
    gaps = outputs[pairs.better] - outputs[pairs.worse]
    width = recipe["objective.tie_width"]
    return float(sentence_margin(gaps, pairs.margin, pairs.tie, tie_width=width))


def _corpus_scores(outputs: Floats, corpora: JudgedSystems, temperature: float) -> Floats:
    return np.array([corpus_score(outputs[rows], temperature=temperature) for rows in corpora.rows])


def fold_temperature(params: Params, temperature: float) -> Params:
    """The weights whose plain sigmoid is the tempered one of these.

    >>> fold_temperature({"weights": np.array([4.0]), "bias": np.array([2.0])}, 4.0)["bias"].item()
    0.5
    """
    last = {name: params[name] / temperature for name in ("weights", "bias")}
    return {**params, **last}


def _train_linear(
    recipe: RecipeValues,
    _: Fitted,
    lessons: Lessons,
    inputs: Mapping[str, Inputs],
    run: TrainingRun,
) -> Learned:
    sides = {
        name: LinearSide.of(
            recipe, inputs[name].features, lessons.pairs[name], lessons.corpora.get(name)
        )
        for name in ("training", "validation")
    }
    tuned = recipe["objective.tune_alpha"]
    found, progress = train_linear(
        recipe,
        *sides.values(),
        seeds=[recipe["seed"]] * (len(ALPHAS) if tuned else 1),
        alphas=ALPHAS if tuned else None,
        run=run,
    )
    best = int(np.argmax(progress.best_score))
    alpha = ALPHAS[best] if tuned else recipe["objective.alpha"]
    facts = {"alpha": alpha} if recipe["objective.kind"] == "joint" else {}
    pairs = lessons.pairs["training"]
    judged = np.unique(np.concatenate([pairs.better, pairs.worse]))
    seen = sides["training"].features[judged]
    kept = {"mean": seen.mean(axis=0), "deviation": seen.std(axis=0)}
    weights = fold_temperature(found[best], recipe["objective.temperature"])
    return Learned(round_weights({**weights, **kept}), _only(progress, best), facts)


def _only(progress: Progress, run: int) -> Progress:
    """The course of one of several runs, as if it had been alone."""
    one = slice(run, run + 1)
    return replace(
        progress,
        flat=progress.flat[one],
        best=progress.best[one],
        best_score=progress.best_score[one],
        best_epoch=progress.best_epoch[one],
        history=[replace(each, run=0) for each in progress.history if each.run == run],
    )


def _linear_faults(recipe: RecipeValues) -> list[str]:
    wrong = []
    if recipe["inputs.vectors"]:
        wrong.append(
            "a linear model uses features only; instead of inputs.vectors, name features of "
            "vectors in inputs.features, such as sentence(minilm)"
        )
    if recipe["objective.tune_alpha"] and recipe["objective.kind"] != "joint":
        wrong.append('objective.tune_alpha needs objective.kind = "joint"')
    if recipe["data.repeats"] == "majority" and recipe["objective.ties"] == "class":
        wrong.append('objective.ties = "class" needs data.repeats = "all": a majority has no ties')
    return wrong


TRAINER = Trainer(
    ("sentence", "corpus", "joint"),
    lambda recipe: {"hidden": recipe["model.hidden"]},
    describe_hidden,
    _train_linear,
    _linear_faults,
)

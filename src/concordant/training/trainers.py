"""How each kind of model is trained: a table, so that training itself knows no kind by name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import SpecError
from concordant.metric import pairwise_shape, tree_shape
from concordant.training.autograd import torch_module
from concordant.training.linear_training import ALPHAS, LinearSide, train_linear
from concordant.training.pairwise_training import PairSet, train_pairwise
from concordant.training.regression_training import check_installed, train_regression
from concordant.training.tree_training import TreeSide, train_trees

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.embeddings.encoders import Track
    from concordant.features.preparation import Inputs
    from concordant.metric import Metric
    from concordant.training.loop import Progress
    from concordant.training.material import Material
    from concordant.training.recipe import Recipe
    from concordant.training.search import Ledger

    Params = dict[str, np.ndarray]
    Keep = Callable[[Progress], None]
    Sides = dict[str, Inputs]


# Keys that other kinds of models would pass over in silence.
REGRESSION_ALONE = ("data.beside", "data.empty", "model.calibrated")


@dataclass(frozen=True)
class Learnt:
    """The parameters of one model, the course of its training, and facts for the record.

    `crossed` are its scores of the training side by models that did not learn from them, where it
    was cross-validated.
    """

    params: Params
    progress: Progress | None
    facts: dict[str, Any] = field(default_factory=dict)
    crossed: np.ndarray | None = None


@dataclass(frozen=True)
class Run:
    """How a run goes on: where an earlier one stood, what keeps it, and what shows it.

    `keep` is called after each epoch, `ledger` is where a search writes down what it tried.
    """

    resume: Progress | None = None
    keep: Keep = lambda _: None
    ledger: Ledger | None = None
    track: Track | None = None


@dataclass(frozen=True)
class Trainer:
    """How one kind of model is trained.

    `options` are what the metric keeps besides its parameters, `describe` says them in words,
    `faults` what a recipe asks for that this kind cannot do.
    """

    objectives: tuple[str, ...]
    options: Callable[[Recipe], dict[str, Any]]
    describe: Callable[[Recipe], str]
    train: Callable[[Recipe, Metric, Material, Sides, Run], Learnt]
    faults: Callable[[Recipe], list[str]]


def trainer_of(recipe: Recipe) -> Trainer:
    """The trainer of a recipe's kind of model; what it cannot do is said before any work."""
    kind, objective = recipe["model.kind"], recipe["objective.kind"]
    trainer = TRAINERS[kind]
    wrong = trainer.faults(recipe)
    if kind != "regression":
        named = [key for key in REGRESSION_ALONE if recipe[key]]
        wrong += [f'{key} is for model.kind = "regression"; leave it out' for key in named]
    if objective not in trainer.objectives:
        known = ", ".join(trainer.objectives)
        wrong = [f'objective.kind = "{objective}" is not for {kind} models; use {known}', *wrong]
    if wrong:
        raise SpecError("\n".join(wrong))
    return trainer


def _train_pairwise(
    recipe: Recipe,
    metric: Metric,
    material: Material,
    inputs: Sides,
    run: Run,
) -> Learnt:
    sides = material.pairs
    (params,), progress = train_pairwise(
        recipe,
        pairwise_shape(metric),
        (inputs["training"], PairSet.of(sides["training"])),
        (inputs["validation"], PairSet.of(sides["validation"])),
        seeds=[recipe["seed"]],
        resume=run.resume,
        after_epoch=run.keep,
    )
    return Learnt(_kept(params), progress)


def _train_linear(
    recipe: Recipe,
    _: Metric,
    material: Material,
    inputs: Sides,
    run: Run,
) -> Learnt:
    sides = {
        name: LinearSide.of(
            recipe, inputs[name].features, material.pairs[name], material.corpora.get(name)
        )
        for name in ("training", "validation")
    }
    tuned = recipe["objective.tune_alpha"]
    found, progress = train_linear(
        recipe,
        *sides.values(),
        seeds=[recipe["seed"]] * (len(ALPHAS) if tuned else 1),
        alphas=ALPHAS if tuned else None,
        resume=run.resume,
        after_epoch=run.keep,
    )
    best = int(np.argmax(progress.best_score))
    alpha = ALPHAS[best] if tuned else recipe["objective.alpha"]
    facts = {"alpha": alpha} if recipe["objective.kind"] == "joint" else {}
    seen = sides["training"].features[material.sides["training"].judged]
    kept = {"mean": seen.mean(axis=0), "deviation": seen.std(axis=0)}
    return Learnt(_kept({**found[best], **kept}), _only(progress, best), facts)


def _train_regression(
    recipe: Recipe,
    _: Metric,
    material: Material,
    inputs: Sides,
    run: Run,
) -> Learnt:
    rated = material.rated["training"]
    pairs = material.pairs.get("beside")
    found = train_regression(
        recipe,
        inputs["training"],
        rated,
        beside=None if pairs is None else (inputs["beside"], pairs),
        empty=inputs.get("empty"),
        ledger=run.ledger,
        track=run.track,
    )
    chosen = {f"chosen_{name}": value for name, value in found.found.setting.items()}
    facts = {**chosen, "r_of_folds": round(found.found.score, 4), "trials": found.found.trials}
    return Learnt(found.params, None, facts, found.crossed)


def _train_trees(
    recipe: Recipe,
    metric: Metric,
    material: Material,
    inputs: Sides,
    run: Run,
) -> Learnt:
    sides = {}
    for name in ("training", "validation"):
        given, rated = inputs[name].trees, material.rated[name]
        if given is None or not len(rated):
            raise SpecError(f"there is nothing for {name}: set validation.share above 0")
        sides[name] = TreeSide.of(given, rated, structure=recipe["model.structure"])
    (params,), progress = train_trees(
        recipe,
        tree_shape(metric),
        *sides.values(),
        seeds=[recipe["seed"]],
        resume=run.resume,
        after_epoch=run.keep,
    )
    return Learnt(_kept(params), progress)


def _kept(params: Params) -> Params:
    """Weights as they are kept: no judgement is worth more than seven digits."""
    return {name: value.astype(np.float32) for name, value in params.items()}


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


def _pairwise_faults(recipe: Recipe) -> list[str]:
    wrong = []
    if recipe["objective.ties"] != "leave-out":
        wrong.append("objective.ties is for linear models; leave it out")
    return wrong


def _linear_faults(recipe: Recipe) -> list[str]:
    torch_module()  # its gradients are torch's
    wrong = []
    if recipe["inputs.vectors"]:
        wrong.append(
            "a linear model sees features alone; instead of inputs.vectors name features of "
            "vectors in inputs.features, such as sentence(minilm)"
        )
    if recipe["objective.tune_alpha"] and recipe["objective.kind"] != "joint":
        wrong.append('objective.tune_alpha needs objective.kind = "joint"')
    if recipe["data.repeats"] == "majority" and recipe["objective.ties"] == "class":
        wrong.append('objective.ties = "class" needs data.repeats = "all": a majority has no ties')
    return wrong


def _regression_faults(recipe: Recipe) -> list[str]:
    check_installed()
    wrong = []
    if recipe["inputs.scaling"] != "none":
        wrong.append('a regression scales its columns itself; set inputs.scaling = "none"')
    if recipe["data.beside"] and recipe["model.regressor"] != "landmarks":
        wrong.append('data.beside is for model.regressor = "landmarks"; leave it out')
    if recipe["model.regressor"] == "mlp" and not recipe["model.hidden"]:
        wrong.append('model.regressor = "mlp" needs model.hidden of at least 1; or take "ridge"')
    return wrong


def _tree_faults(recipe: Recipe) -> list[str]:
    wrong = []
    if not recipe["inputs.trees"]:
        wrong.append("a tree-lstm model reads trees; set inputs.trees, as in the recipe reval")
    if recipe["inputs.features"] or recipe["inputs.vectors"]:
        wrong.append("a tree-lstm model sees no inputs.features and no inputs.vectors")
    if recipe["inputs.anchors"] != ["reference"]:
        wrong.append(
            'a tree-lstm model compares with the reference: inputs.anchors = ["reference"]'
        )
    if not recipe["model.hidden"]:
        wrong.append("a tree-lstm model needs a hidden layer: model.hidden of at least 1")
    if not recipe["validation.judgements"] and not recipe["validation.share"]:
        wrong.append("nothing to choose the best epoch on: set validation.share above 0")
    return wrong


def _hidden(recipe: Recipe) -> str:
    nodes = recipe["model.hidden"]
    return f"{nodes} hidden nodes" if nodes else "no hidden layer"


# Kind of model → how it is trained.
TRAINERS = {
    "pairwise": Trainer(
        ("logistic", "kendall", "logistic+kendall"),
        lambda recipe: {"hidden": recipe["model.hidden"], "symmetric": recipe["model.symmetric"]},
        lambda recipe: f"{recipe['model.hidden']} nodes a group",
        _train_pairwise,
        _pairwise_faults,
    ),
    "linear": Trainer(
        ("sentence", "corpus", "joint"),
        lambda recipe: {"hidden": recipe["model.hidden"]},
        _hidden,
        _train_linear,
        _linear_faults,
    ),
    "regression": Trainer(
        ("ratings",),
        lambda recipe: {"regressor": recipe["model.regressor"]},
        lambda recipe: recipe["model.regressor"],
        _train_regression,
        _regression_faults,
    ),
    "tree-lstm": Trainer(
        ("divergence",),
        lambda recipe: {
            key: recipe[f"model.{key}"] for key in ("hidden", "memory", "structure", "output_gate")
        },
        lambda recipe: (
            f"{recipe['model.structure']}, memory {recipe['model.memory']}, {_hidden(recipe)}"
        ),
        _train_trees,
        _tree_faults,
    ),
}

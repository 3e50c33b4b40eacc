"""A regression learned from ratings (Shimanaka et al. 2018, §4.1): scikit-learn fits, we search.

The settings are chosen by cross-validation, folds grouped by reference. The score of a setting is
Pearson's r of predictions with ratings. What is kept is plain arrays: predicting needs no
scikit-learn.
"""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError, SpecError
from concordant.models.functions import correlation
from concordant.models.kind import Learned, Trainer
from concordant.models.regression import forward as regression
from concordant.models.regression.calibration import calibration
from concordant.models.regression.regressors import REGRESSORS, Problem
from concordant.models.search import Found, grouped_folds, race

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.encoders.encoders import Track
    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_translations import (
        Floats,
        Ints,
        JudgedPairs,
        RatedTranslations,
    )
    from concordant.models.functions import Params
    from concordant.models.kind import Fitted, Lessons, RecipeValues
    from concordant.models.loop import TrainingRun
    from concordant.models.regression.regressors import Regressor, Setting
    from concordant.models.search import Ledger

NO_FOLD = -1  # fold of translations that are only used for training
MOST_FOR_SVR = 20_000  # its kernel has a number for every two translations


@dataclass(frozen=True)
class Regressed:
    """Parameters, the setting found, and predictions by models that did not see what they rate."""

    params: Params
    found: Found
    crossed: Floats


def train_regression(
    recipe: RecipeValues,
    inputs: Inputs,
    rated: RatedTranslations,
    *,
    beside: tuple[Inputs, JudgedPairs] | None = None,
    empty: Inputs | None = None,
    ledger: Ledger | None = None,
    track: Track | None = None,
) -> Regressed:
    """The regression that predicts the ratings, its settings chosen by cross-validation.

    Trials run side by side, each on one thread: products by several threads would take the cores
    from each other, and have other last bits on a machine with more of them.
    """
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - scikit-learn brings it

    _refuse_too_many(recipe, len(rated))
    method = REGRESSORS[recipe["model.regressor"]]
    scale = regression.fit_columns(inputs.features[rated.rows], inputs.vectors[rated.rows])
    human = rated.ratings[rated.rows]
    centre, spread = human.mean(), human.std()  # so that a grid means the same on any scale
    problem = _problem(recipe, scale, inputs, rated, beside, empty)
    fold = np.full(len(problem.ratings), NO_FOLD)
    fold[: len(human)] = grouped_folds(rated.group, recipe["search.folds"], recipe["seed"])
    _refuse_empty_folds(fold, recipe["search.folds"])
    with threadpool_limits(1, "blas"):
        found = _search(recipe, method, problem, fold, ledger, track)
        crossed = _predict_folds(method, problem, fold, found.setting)
        noise = np.std(problem.ratings[: len(human)] - crossed)
        params = method.fit(problem, found.setting)
        params |= {
            **scale,
            **{name: params[name] * spread for name in method.outer},
            "intercept": params["intercept"] * spread + centre,
            "noise": np.array([noise * spread]),
        }
        crossed = crossed * spread + centre
        if recipe["model.calibrated"]:
            params["calibration"] = calibration(crossed, human)
    return Regressed(params, found, crossed)


def _problem(
    recipe: RecipeValues,
    scale: Params,
    inputs: Inputs,
    rated: RatedTranslations,
    beside: tuple[Inputs, JudgedPairs] | None,
    empty: Inputs | None,
) -> Problem:
    """The training data: rated translations, then empty ones with the lowest rating."""
    human = rated.ratings[rated.rows]
    ratings = (human - human.mean()) / human.std()
    x = _columns(scale, inputs, rated.rows)
    features = inputs.features.shape[1]
    if empty is not None:
        x = np.concatenate([x, _columns(scale, empty, slice(None))])
        ratings = np.concatenate([ratings, np.full(len(empty.features), ratings.min())])
    pairs = None
    if beside is not None:
        given, judged = beside
        pairs = _columns(scale, given, judged.better), _columns(scale, given, judged.worse)
    return Problem(
        x,
        ratings,
        recipe["seed"],
        recipe["model.hidden"],
        features,
        _landmarks(recipe, x[:, x.shape[1] - features :]),
        pairs,
        (recipe["objective.beside"], recipe["objective.gap"]),
    )


def _columns(scale: Params, inputs: Inputs, rows: Ints | slice) -> Floats:
    """Columns of some translations, with the digits that the model keeps of them."""
    found = regression.scaled_columns(scale, inputs.features[rows], inputs.vectors[rows])
    return found.astype(np.float32).astype(np.float64)


def _search(
    recipe: RecipeValues,
    method: Regressor,
    problem: Problem,
    fold: Ints,
    ledger: Ledger | None,
    track: Track | None,
) -> Found:
    """The setting whose predictions of the folds agree best with people."""

    def score(setting: Setting, number: int) -> float:
        test = np.flatnonzero(fold == number)
        predicted = method.cross(problem, setting, np.flatnonzero(fold != number), test)
        return correlation(predicted, problem.ratings[test])

    tried = itertools.product(*(recipe[f"search.{name}"] for name in method.settings))
    grid = [dict(zip(method.settings, values, strict=True)) for values in tried]
    cores = os.cpu_count() or 1
    return race(grid, recipe["search.folds"], score, ledger=ledger, threads=cores, track=track)


def _predict_folds(method: Regressor, problem: Problem, fold: Ints, setting: Setting) -> Floats:
    """The rating of every translation that is in a fold, by a model of all that are not in it."""
    found = np.empty(np.count_nonzero(fold != NO_FOLD))

    def cross(number: int) -> None:
        test = np.flatnonzero(fold == number)
        found[test] = method.cross(problem, setting, np.flatnonzero(fold != number), test)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(cross, range(fold.max() + 1)))
    return found


def _landmarks(recipe: RecipeValues, features: Floats) -> Floats | None:
    """Some of the training translations, drawn by the seed."""
    if recipe["model.regressor"] != "landmarks":
        return None
    many = min(recipe["model.landmarks"], len(features))
    rows = np.random.default_rng(recipe["seed"]).choice(len(features), many, replace=False)
    return np.asarray(features[np.sort(rows)])


def _refuse_empty_folds(fold: Ints, folds: int) -> None:
    filled = len(np.unique(fold[fold != NO_FOLD]))
    if filled < folds:
        raise SpecError(f"{filled} references are too few for {folds} folds; lower search.folds")


def check_installed() -> None:
    """Raise with install instructions if scikit-learn is missing."""
    if find_spec("sklearn") is None:
        raise ConcordantError("training needs scikit-learn: pip install 'concordant[train]'")


def _refuse_too_many(recipe: RecipeValues, translations: int) -> None:
    if recipe["model.regressor"] == "svr" and translations > MOST_FOR_SVR:
        raise SpecError(
            f"{translations:,} rated translations are too many for an SVR, which compares every "
            f'two of them; lower data.segments, or set model.regressor = "ridge"'
        )


def _train_regression(
    recipe: RecipeValues,
    _: Fitted,
    lessons: Lessons,
    inputs: Mapping[str, Inputs],
    run: TrainingRun,
) -> Learned:
    rated = lessons.rated["training"]
    pairs = lessons.pairs.get("beside")
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
    return Learned(found.params, None, facts, found.crossed)


def _regression_faults(recipe: RecipeValues) -> list[str]:
    check_installed()
    wrong = []
    if recipe["inputs.scaling"] != "none":
        wrong.append('a regression scales its columns itself; set inputs.scaling = "none"')
    if recipe["data.beside"] and recipe["model.regressor"] != "landmarks":
        wrong.append('data.beside is for model.regressor = "landmarks"; leave it out')
    if recipe["model.regressor"] == "mlp" and not recipe["model.hidden"]:
        wrong.append('model.regressor = "mlp" needs model.hidden of at least 1; or take "ridge"')
    return wrong


TRAINER = Trainer(
    ("ratings",),
    lambda recipe: {"regressor": recipe["model.regressor"]},
    lambda recipe: recipe["model.regressor"],
    _train_regression,
    _regression_faults,
    learns_from="ratings",
    alone=("data.beside", "data.empty", "model.calibrated"),
)

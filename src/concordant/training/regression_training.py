"""A regression learnt from ratings (Shimanaka et al. 2018, §4.1): scikit-learn fits, we search.

The settings are chosen by cross-validation, folds grouped by reference. The score of a setting is
Pearson's r of predictions with ratings. What is kept is plain arrays: predicting needs no
scikit-learn.
"""

from __future__ import annotations

import itertools
import os
import threading
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError, SpecError, UndefinedStatistic
from concordant.models import regression
from concordant.stats.correlation import pearson
from concordant.training.search import Found, grouped_folds, race

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from concordant.embeddings.encoders import Track
    from concordant.features.preparation import Inputs
    from concordant.training.rated_texts import RatedTexts
    from concordant.training.recipe import Recipe
    from concordant.training.search import Ints, Ledger

    Floats = regression.Floats
    Params = dict[str, np.ndarray]
    Setting = Mapping[str, float]

MLP_EPOCHS = 40
MOST_FOR_SVR = 20_000  # its kernel has a number for every two outputs


@dataclass(frozen=True)
class Regressed:
    """Parameters, the setting found, and predictions by models that did not see what they rate."""

    params: Params
    found: Found
    crossed: Floats


@dataclass(frozen=True)
class Problem:
    """Columns and standardised ratings to learn from, as every regressor is given them."""

    x: Floats
    ratings: Floats
    seed: int
    hidden: int
    kernels: dict[float, Floats] = field(default_factory=dict)
    lock: Any = field(default_factory=threading.Lock)

    def kernel(self, gamma: float) -> Floats:
        """exp(−γ |x − x′|²) of every two rows, computed once."""
        with self.lock:
            if gamma not in self.kernels:
                own = (self.x * self.x).sum(axis=1)
                distance = np.maximum(own[:, None] + own - 2.0 * (self.x @ self.x.T), 0.0)
                self.kernels[gamma] = np.exp(-gamma * distance)
            return self.kernels[gamma]


def train_regression(
    recipe: Recipe,
    inputs: Inputs,
    rated: RatedTexts,
    *,
    ledger: Ledger | None = None,
    track: Track | None = None,
) -> Regressed:
    """The regression that predicts the ratings, its settings chosen by cross-validation."""
    _refuse_too_many(recipe, len(rated))
    method = REGRESSORS[recipe["model.regressor"]]
    features, vectors = inputs.features[rated.rows], inputs.vectors[rated.rows]
    scale = regression.fit_columns(features, vectors)
    x = regression.scaled_columns(scale, features, vectors).astype(np.float32).astype(np.float64)
    human = rated.ratings[rated.rows]
    centre, spread = human.mean(), human.std()  # so that a grid means the same on any scale
    problem = Problem(x, (human - centre) / spread, recipe["seed"], recipe["model.hidden"])
    fold = grouped_folds(rated.group, recipe["search.folds"], recipe["seed"])
    _refuse_empty_folds(fold, recipe["search.folds"])

    def score(setting: Setting, number: int) -> float:
        test = np.flatnonzero(fold == number)
        predicted = method.cross(problem, setting, np.flatnonzero(fold != number), test)
        try:
            return pearson(problem.ratings[test], predicted)
        except UndefinedStatistic:
            return 0.0  # a constant prediction agrees with nobody

    names = method.settings
    grid = [
        dict(zip(names, values, strict=True))
        for values in itertools.product(*(recipe[f"search.{name}"] for name in names))
    ]
    found = race(
        grid,
        recipe["search.folds"],
        score,
        ledger=ledger,
        threads=os.cpu_count() or 1,
        track=track,
    )
    crossed = np.empty(len(problem.ratings))
    for number in range(recipe["search.folds"]):
        test = np.flatnonzero(fold == number)
        train = np.flatnonzero(fold != number)
        crossed[test] = method.cross(problem, found.setting, train, test)
    noise = np.std(problem.ratings - crossed)
    params = method.fit(problem, found.setting)
    kept = {
        **params,
        method.outer: params[method.outer] * spread,
        "intercept": params["intercept"] * spread + centre,
        "noise": np.array([noise * spread]),
    }
    return Regressed({**scale, **kept}, found, crossed * spread + centre)


def _refuse_empty_folds(fold: Ints, folds: int) -> None:
    filled = len(np.unique(fold))
    if filled < folds:
        raise SpecError(
            f"{filled} references are too few for {folds} folds; set search.folds lower"
        )


def check_installed() -> None:
    """scikit-learn is there, or how to install it is said."""
    if find_spec("sklearn") is None:
        raise ConcordantError("training this needs scikit-learn: pip install 'concordant[train]'")


def _refuse_too_many(recipe: Recipe, outputs: int) -> None:
    if recipe["model.regressor"] == "svr" and outputs > MOST_FOR_SVR:
        raise SpecError(
            f"{outputs:,} rated outputs are too many for an SVR, which compares every two of them; "
            f'set data.segments lower, or model.regressor = "ridge"'
        )


def _svr(setting: Setting) -> Any:
    from sklearn.svm import SVR  # noqa: PLC0415 - only in training

    return SVR(kernel="precomputed", C=setting["c"], epsilon=setting["epsilon"], cache_size=500)


def _cross_svr(problem: Problem, setting: Setting, train: Ints, test: Ints) -> Floats:
    kernel = problem.kernel(setting["gamma"])
    model = _svr(setting).fit(kernel[np.ix_(train, train)], problem.ratings[train])
    return np.asarray(model.predict(kernel[np.ix_(test, train)]))


def _fit_svr(problem: Problem, setting: Setting) -> Params:
    model = _svr(setting).fit(problem.kernel(setting["gamma"]), problem.ratings)
    return {
        "support": problem.x[model.support_].astype(np.float32),
        "dual": model.dual_coef_[0],
        "intercept": np.asarray(model.intercept_),
        "gamma": np.array([setting["gamma"]]),
    }


def _ridge(problem: Problem, setting: Setting, rows: Ints | slice) -> Any:
    from sklearn.linear_model import Ridge  # noqa: PLC0415 - only in training

    # Columns have deviations of 1 over the root of their number; the decay is on that scale too.
    alpha = setting["alpha"] / problem.x.shape[1]
    return Ridge(alpha=alpha).fit(problem.x[rows], problem.ratings[rows])


def _cross_ridge(problem: Problem, setting: Setting, train: Ints, test: Ints) -> Floats:
    return np.asarray(_ridge(problem, setting, train).predict(problem.x[test]))


def _fit_ridge(problem: Problem, setting: Setting) -> Params:
    model = _ridge(problem, setting, slice(None))
    return {"weights": model.coef_, "intercept": np.array([model.intercept_])}


def _mlp(problem: Problem, setting: Setting, rows: Ints | slice) -> Any:
    from sklearn.neural_network import MLPRegressor  # noqa: PLC0415 - only in training

    wide = np.sqrt(problem.x.shape[1])  # back to deviations of about 1, where a network learns
    model = MLPRegressor(
        hidden_layer_sizes=(problem.hidden,), activation="tanh",
        alpha=setting["alpha"] / len(problem.x),
        batch_size=32, learning_rate_init=0.01, random_state=problem.seed,
    )  # fmt: skip
    for _ in range(MLP_EPOCHS):
        model.partial_fit(problem.x[rows] * wide, problem.ratings[rows])
    return model


def _cross_mlp(problem: Problem, setting: Setting, train: Ints, test: Ints) -> Floats:
    wide = np.sqrt(problem.x.shape[1])
    return np.asarray(_mlp(problem, setting, train).predict(problem.x[test] * wide))


def _fit_mlp(problem: Problem, setting: Setting) -> Params:
    model = _mlp(problem, setting, slice(None))
    (hidden, output), (hidden_bias, bias) = model.coefs_, model.intercepts_
    return {
        "hidden_weights": hidden * np.sqrt(problem.x.shape[1]),
        "hidden_bias": hidden_bias,
        "weights": output[:, 0],
        "intercept": bias,
    }


@dataclass(frozen=True)
class Regressor:
    """One way to learn: what is searched, predictions of rows by a model of others, the model.

    `outer` names the parameter that a prediction is proportional to, but for the intercept.
    """

    settings: tuple[str, ...]
    outer: str
    cross: Callable[[Problem, Setting, Ints, Ints], Floats]
    fit: Callable[[Problem, Setting], Params]


REGRESSORS = {
    "svr": Regressor(("gamma", "c", "epsilon"), "dual", _cross_svr, _fit_svr),
    "ridge": Regressor(("alpha",), "weights", _cross_ridge, _fit_ridge),
    "mlp": Regressor(("alpha",), "weights", _cross_mlp, _fit_mlp),
}

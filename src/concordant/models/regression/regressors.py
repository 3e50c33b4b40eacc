"""How each regressor learns from columns and ratings; what is kept is plain arrays.

Support vectors, ridges and networks are fitted by scikit-learn, landmarks in closed form.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from concordant.models.regression.forward import Floats
    from concordant.models.search import Ints

    Params = dict[str, np.ndarray]
    Setting = Mapping[str, float]

MLP_EPOCHS = 40
PARTS_KEPT = 1_000_000_000  # bytes of kernels among the rows of a fold


@dataclass(frozen=True)
class Problem:
    """Columns and standardised ratings to learn from, as every regressor is given them.

    The last `features` columns are features. `pairs` are the columns of those judged better and
    worse; `pull` how much they weigh and how far apart their ratings should be.
    """

    x: Floats
    ratings: Floats
    seed: int
    hidden: int
    features: int = 0
    landmarks: Floats | None = None
    pairs: tuple[Floats, Floats] | None = None
    pull: tuple[float, float] = (0.0, 0.0)
    normal: dict[Any, tuple[Floats, Floats]] = field(default_factory=dict)
    kernels: dict[float, Floats] = field(default_factory=dict)
    parts: dict[tuple[float, bytes], Floats] = field(default_factory=dict)
    lock: Any = field(default_factory=threading.Lock)

    @cached_property
    def distances(self) -> Floats:
        """The squared distance of every two rows."""
        return _distances(self.x, self.x)

    def kernel(self, gamma: float) -> Floats:
        """exp(−γ |x − x′|²) of every two rows, computed once."""
        with self.lock:
            if gamma not in self.kernels:
                self.kernels[gamma] = np.exp(-gamma * self.distances)
            return self.kernels[gamma]

    def kernel_among(self, gamma: float, rows: Ints) -> Floats:
        """The kernel of some rows with each other; the last few are kept, for a copy takes time."""
        whole, key = self.kernel(gamma), (gamma, rows.tobytes())
        with self.lock:
            if key not in self.parts:
                while self.parts and (len(self.parts) + 1) * 8 * len(rows) ** 2 > PARTS_KEPT:
                    del self.parts[next(iter(self.parts))]
                self.parts[key] = whole[np.ix_(rows, rows)]
            return self.parts[key]


def _svr(setting: Setting) -> Any:
    from sklearn.svm import SVR  # noqa: PLC0415 - only in training

    return SVR(kernel="precomputed", C=setting["c"], epsilon=setting["epsilon"], cache_size=500)


def _cross_svr(problem: Problem, setting: Setting, train: Ints, test: Ints) -> Floats:
    kernel = problem.kernel(setting["gamma"])
    among = problem.kernel_among(setting["gamma"], train)
    model = _svr(setting).fit(among, problem.ratings[train])
    return np.asarray(model.predict(kernel[np.ix_(test, train)]))


def _fit_svr(problem: Problem, setting: Setting) -> Params:
    model = _svr(setting).fit(problem.kernel(setting["gamma"]), problem.ratings)
    return {
        "support": problem.x[model.support_].astype(np.float32),
        "dual": model.dual_coef_[0],
        "intercept": np.asarray(model.intercept_),
        "gamma": np.array([setting["gamma"]]),
    }


def _expand(problem: Problem, setting: Setting, x: Floats) -> Floats:
    """The columns that a model of landmarks is linear in."""
    assert problem.landmarks is not None  # noqa: S101 - drawn for this regressor
    features = x[:, x.shape[1] - problem.features :]
    return np.concatenate(
        [
            _rbf(features, problem.landmarks, setting["gamma"]),
            x * np.sqrt(setting["linear"]),
        ],
        axis=1,
    )


def _rbf(one: Floats, two: Floats, gamma: float) -> Floats:
    return np.asarray(np.exp(-gamma * _distances(one, two)))


def _distances(one: Floats, two: Floats) -> Floats:
    """The squared distance of every two rows."""
    own = (one * one).sum(axis=1)[:, None] + (two * two).sum(axis=1)
    return np.asarray(np.maximum(own - 2.0 * (one @ two.T), 0.0))


def _pull(problem: Problem, setting: Setting) -> tuple[Floats, Floats] | float:
    """What judged pairs add to the normal equations, computed once for every kernel's width."""
    if problem.pairs is None:
        return 0.0
    key = (setting["gamma"], setting["linear"])
    with problem.lock:
        if key not in problem.normal:
            better, worse = problem.pairs
            blocks = [slice(i, i + 2000) for i in range(0, len(better), 2000)]
            size = _expand(problem, setting, better[:1]).shape[1]
            left, right = np.zeros((size, size)), np.zeros(size)
            for rows in blocks:
                gap = _expand(problem, setting, better[rows])
                gap -= _expand(problem, setting, worse[rows])
                left += gap.T @ gap
                right += gap.sum(axis=0)
            weight = problem.pull[0] * len(problem.x) / len(better)
            problem.normal[key] = weight * left, weight * problem.pull[1] * right
        return problem.normal[key]


def _solve(problem: Problem, setting: Setting, rows: Ints | slice) -> tuple[Floats, float]:
    """Weights of the expanded columns, and the intercept, in closed form."""
    assert problem.landmarks is not None  # noqa: S101 - drawn for this regressor
    phi, ratings = _expand(problem, setting, problem.x[rows]), problem.ratings[rows]
    centre, mean = phi.mean(axis=0), ratings.mean()
    phi -= centre
    left, right = phi.T @ phi, phi.T @ (ratings - mean)
    pull = _pull(problem, setting)
    if not isinstance(pull, float):
        left, right = left + pull[0], right + pull[1]
    many = len(problem.landmarks)
    decay = np.eye(len(left))
    decay[:many, :many] = _rbf(problem.landmarks, problem.landmarks, setting["gamma"])
    decay[:many, :many] += 1e-3 * np.eye(many)
    weights = np.linalg.solve(left + setting["alpha"] * decay, right)
    return weights, float(mean - centre @ weights)


def _cross_landmarks(problem: Problem, setting: Setting, train: Ints, test: Ints) -> Floats:
    weights, intercept = _solve(problem, setting, train)
    return np.asarray(_expand(problem, setting, problem.x[test]) @ weights + intercept)


def _fit_landmarks(problem: Problem, setting: Setting) -> Params:
    assert problem.landmarks is not None  # noqa: S101 - drawn for this regressor
    weights, intercept = _solve(problem, setting, slice(None))
    many = len(problem.landmarks)
    return {
        "landmarks": problem.landmarks.astype(np.float32),
        "weights": weights[:many],
        "linear": weights[many:] * np.sqrt(setting["linear"]),
        "intercept": np.array([intercept]),
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

    `outer` names the parameters that a prediction is proportional to, but for the intercept.
    """

    settings: tuple[str, ...]
    outer: tuple[str, ...]
    cross: Callable[[Problem, Setting, Ints, Ints], Floats]
    fit: Callable[[Problem, Setting], Params]


REGRESSORS = {
    "svr": Regressor(("gamma", "c", "epsilon"), ("dual",), _cross_svr, _fit_svr),
    "landmarks": Regressor(
        ("gamma", "alpha", "linear"), ("weights", "linear"), _cross_landmarks, _fit_landmarks
    ),
    "ridge": Regressor(("alpha",), ("weights",), _cross_ridge, _fit_ridge),
    "mlp": Regressor(("alpha",), ("weights",), _cross_mlp, _fit_mlp),
}

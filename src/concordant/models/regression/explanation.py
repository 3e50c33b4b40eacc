"""The contribution of each column to a predicted rating, relative to an average translation.

The parts are integrated gradients (`integrated_gradients`): they add up to the difference of the
two predictions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.models.integrated_gradients import integrate
from concordant.models.kind import Explanation
from concordant.models.regression.forward import REGRESSORS, predict, scaled_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.features.preparation import Inputs
    from concordant.models.kind import Fitted
    from concordant.models.regression.forward import Floats, Params


def contributions(regressor: str, params: Params, features: Floats, vectors: Floats) -> Floats:
    """The part of each feature, (translations, features), and a last one of all sentence vectors.

    The last is there where vectors are.
    """
    x = scaled_columns(params, features, vectors)
    parts = integrate(
        lambda at: REGRESSORS[regressor](params, at), lambda at: SLOPES[regressor](params, at), x
    )
    first = parts.shape[1] - features.shape[1]
    if not first:
        return parts
    return np.concatenate([parts[:, first:], parts[:, :first].sum(axis=1, keepdims=True)], axis=1)


def average_prediction(regressor: str, params: Params) -> float:
    """The predicted rating of a translation that is average in all columns."""
    return float(REGRESSORS[regressor](params, np.zeros((1, len(params["centre"]))))[0])


def _kernel_slope(x: Floats, places: Floats, weights: Floats, gamma: float) -> Floats:
    """The slope of Σ weights exp(−γ |x − place|²)."""
    distance = (x * x).sum(axis=1)[:, None] + (places * places).sum(axis=1) - 2.0 * x @ places.T
    near = np.exp(-gamma * np.maximum(distance, 0.0)) * weights  # (outputs, places)
    return np.asarray(2.0 * gamma * (near @ places - near.sum(axis=1)[:, None] * x))


def _support_vectors(params: Params, x: Floats) -> Floats:
    support = params["support"].astype(np.float64)
    return _kernel_slope(x, support, params["dual"], float(params["gamma"][0]))


def _landmarks(params: Params, x: Floats) -> Floats:
    places = params["landmarks"].astype(np.float64)
    slope = np.tile(params["linear"].astype(np.float64), (len(x), 1))
    first = x.shape[1] - places.shape[1]
    slope[:, first:] += _kernel_slope(
        x[:, first:], places, params["weights"], float(params["gamma"][0])
    )
    return slope


def _ridge(params: Params, x: Floats) -> Floats:
    return np.tile(params["weights"].astype(np.float64), (len(x), 1))


def _network(params: Params, x: Floats) -> Floats:
    hidden = np.tanh(x @ params["hidden_weights"] + params["hidden_bias"])
    return np.asarray(((1.0 - hidden * hidden) * params["weights"]) @ params["hidden_weights"].T)


SLOPES: dict[str, Callable[[Params, Floats], Floats]] = {
    "svr": _support_vectors,
    "landmarks": _landmarks,
    "ridge": _ridge,
    "mlp": _network,
}


def _parts(metric: Fitted, seen: Inputs) -> Floats:
    return contributions(metric.options["regressor"], metric.params, seen.features, seen.vectors)


def _total(metric: Fitted, seen: Inputs) -> Floats:
    return predict(metric.options["regressor"], metric.params, seen.features, seen.vectors)


def _scale(metric: Fitted) -> str:
    if "calibration" not in metric.params or metric.options.get("scale") == "raw":
        return "score = raw total"
    intercept, slope = metric.params["calibration"].tolist()
    return f"score = 100 · Φ({intercept:.6g} + {slope:.6g} · raw total), Φ the normal distribution"


EXPLANATION = Explanation(
    _parts,
    _total,
    lambda metric: average_prediction(metric.options["regressor"], metric.params),
    _scale,
)

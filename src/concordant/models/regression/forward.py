"""A rating predicted from a translation and its reference (Shimanaka et al. 2018, §3.2).

From the sentence vectors t of the translation and r of the reference the model sees

    t, r, t ∗ r, |t − r|

and any features beside them, each column with mean 0, and deviation 1 over the square root of the
number of columns of its block (vectors, features): both blocks then weigh alike, and a kernel's
width means the same whatever an encoder's dimension. Four regressors stand on these columns:
support vectors with an RBF kernel, a ridge, a network with one hidden layer, and "landmarks", a sum
of two kernels whose size does not grow with the training data: RBF over the features, by some
training translations (Williams and Seeger 2001), and linear over all columns.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from concordant.arrays import product

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Params = dict[str, np.ndarray]

ROWS_AT_ONCE = 32


def relations(vectors: Floats) -> Floats:
    """t, and for every anchor r: r, t ∗ r, |t − r|; (rows, 1 + anchors, d) → (rows, …).

    >>> relations(np.array([[[1.0, 2.0], [3.0, 1.0]]])).tolist()
    [[1.0, 2.0, 3.0, 1.0, 3.0, 2.0, 2.0, 1.0]]
    """
    text = vectors[:, 0]
    others = [vectors[:, i] for i in range(1, vectors.shape[1])]
    parts = [part for r in others for part in (r, text * r, np.abs(text - r))]
    return np.concatenate([text, *parts], axis=1)


def columns(features: Floats, vectors: Floats) -> Floats:
    """All that the model sees, before scaling: relations of vectors, then features."""
    return np.concatenate([relations(vectors), features], axis=1)


def fit_columns(features: Floats, vectors: Floats) -> Params:
    """The centre and spread of every column; one that never changes gets a spread of 1."""
    seen = columns(features, vectors)
    deviation = seen.std(axis=0)
    block = np.full(seen.shape[1], seen.shape[1] - features.shape[1])
    block[seen.shape[1] - features.shape[1] :] = features.shape[1]
    flat = deviation <= 1e-12 * np.maximum(np.abs(seen).max(axis=0), 1e-300)
    spread = np.where(flat, 1.0, deviation) * np.sqrt(block)
    return {"centre": seen.mean(axis=0), "spread": spread}


def scaled_columns(params: Params, features: Floats, vectors: Floats) -> Floats:
    """The columns on the scale of training."""
    return np.asarray((columns(features, vectors) - params["centre"]) / params["spread"])


def width(features: int, dimension: int, anchors: int) -> int:
    """The number of columns."""
    return features + dimension * (1 + 3 * anchors)


def predict(regressor: str, params: Params, features: Floats, vectors: Floats) -> Floats:
    """The predicted rating of each translation, on the scale of the ratings trained on."""
    return REGRESSORS[regressor](params, scaled_columns(params, features, vectors))


def calibrate(raw: Floats, line: Floats) -> Floats:
    """Raw scores → the share of translations that people are expected to rate lower, in percent.

    `line` is the intercept and the slope, above 0, of the share's normal deviate, so a better raw
    score is a better score.

    >>> calibrate(np.array([-1.0, 0.0, 1.0]), np.array([0.0, 1.0])).round(1).tolist()
    [15.9, 50.0, 84.1]
    """
    return 100.0 * _normal(line[0] + line[1] * raw)


def support_vectors(params: Params, x: Floats) -> Floats:
    """Σ dual exp(−γ |x − support|²) + intercept."""
    support = params["support"].astype(np.float64)
    found = _kernel_sums(support, params["dual"], params["gamma"][0], x)
    return np.asarray(found + params["intercept"][0])


def landmarks(params: Params, x: Floats) -> Floats:
    """Σ weights exp(−γ |features − landmark|²) + xᵀ linear + intercept."""
    places = params["landmarks"].astype(np.float64)
    features = np.ascontiguousarray(x[:, x.shape[1] - places.shape[1] :])
    found = _kernel_sums(places, params["weights"], params["gamma"][0], features)
    return np.asarray(found + product(x, params["linear"]) + params["intercept"][0])


def _kernel_sums(places: Floats, weights: Floats, gamma: float, x: Floats) -> Floats:
    """Σ weights exp(−γ |x − place|²) of each row.

    A product with all rows at once would give a row other last bits in another batch. Stacked, they
    are multiplied one by one; a few at a time, so that distances stay in the processor's cache.
    """
    own = (places * places).sum(axis=1)
    found = np.empty(len(x))
    for begin in range(0, len(x), ROWS_AT_ONCE):
        rows = x[begin : begin + ROWS_AT_ONCE]
        lengths = np.matmul(rows[:, None, :], rows[:, :, None])[:, 0]
        near = own + lengths
        near -= 2.0 * np.matmul(places, rows[:, :, None])[:, :, 0]
        np.maximum(near, 0.0, out=near)
        near *= -gamma
        np.exp(near, out=near)
        found[begin : begin + ROWS_AT_ONCE] = np.matmul(near[:, None, :], weights)[:, 0]
    return found


def ridge(params: Params, x: Floats) -> Floats:
    """xᵀw + intercept."""
    return np.asarray(product(x, params["weights"]) + params["intercept"][0])


def network(params: Params, x: Floats) -> Floats:
    """One hidden layer of tanh nodes."""
    hidden = np.tanh(product(x, params["hidden_weights"]) + params["hidden_bias"])
    return np.asarray(product(hidden, params["weights"]) + params["intercept"][0])


def preference(noise: float, gap: Floats) -> Floats:
    """How far the probability that the first of two translations is better is from one half.

    `gap` is the difference of their predicted ratings, `noise` the deviation of people's ratings
    from predictions, taken as normal and independent.

    >>> preference(1.0, np.array([0.0, 100.0])).tolist()
    [0.0, 0.5]
    """
    return _normal(gap / (np.sqrt(2.0) * noise)) - 0.5


def _normal(x: Floats) -> Floats:
    """The share of a normal distribution below x; scipy's would take 0.4 s to import."""
    return np.array([0.5 * math.erfc(-each / math.sqrt(2.0)) for each in x.tolist()])


REGRESSORS: dict[str, Callable[[Params, Floats], Floats]] = {
    "svr": support_vectors,
    "landmarks": landmarks,
    "ridge": ridge,
    "mlp": network,
}

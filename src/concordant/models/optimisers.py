"""Steps down a gradient, for parameters that lie in one flat vector (of each of several runs).

One vector makes a step a handful of operations whatever the network, which is what a mini-batch of
thirty pairs needs to be fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    from concordant.models.functions import Array

    Floats = npt.NDArray[np.float32]
    State = dict[str, Floats]
    Step = Callable[[Floats, Floats, State, float], None]


def flatten(params: Mapping[str, np.ndarray]) -> np.ndarray:
    """All parameters one after the other, by name.

    >>> flatten({"b": np.zeros(1), "a": np.ones((1, 2))}).tolist()
    [1.0, 1.0, 0.0]
    """
    return np.concatenate([np.ravel(params[name]) for name in sorted(params)])


def unflatten(flat: Array, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Array]:
    """The parameters as views of flat vectors; axes before the last one stay in front.

    >>> unflatten(np.arange(3.0), {"b": (1,), "a": (1, 2)})["a"].tolist()
    [[0.0, 1.0]]
    """
    params, start = {}, 0
    for name in sorted(shapes):
        size = int(np.prod(shapes[name]))
        params[name] = flat[..., start : start + size].reshape(*flat.shape[:-1], *shapes[name])
        start += size
    return params


def adagrad(flat: Floats, gradient: Floats, state: State, rate: float) -> None:
    """One step of Adagrad (Duchi et al. 2011), in place."""
    squares = state["squares"]
    squares += gradient * gradient
    flat -= rate * gradient / (np.sqrt(squares) + 1e-10)


def adam(flat: Floats, gradient: Floats, state: State, rate: float) -> None:
    """One step of Adam (Kingma and Ba 2015) with its usual constants, in place."""
    means, squares = state["means"], state["squares"]
    state["steps"] += 1
    count = float(state["steps"][0])
    means += 0.1 * (gradient - means)
    squares += 0.001 * (gradient * gradient - squares)
    spread = np.sqrt(squares / (1 - 0.999**count)) + 1e-8
    flat -= rate / (1 - 0.9**count) * means / spread


# Name → the step, and the parts of its state besides the parameters.
OPTIMISERS: dict[str, tuple[Step, tuple[str, ...]]] = {
    "adagrad": (adagrad, ("squares",)),
    "adam": (adam, ("means", "squares", "steps")),
}


def initial_state(name: str, flat: np.ndarray) -> dict[str, np.ndarray]:
    """The state before the first step: zeros."""
    return {
        part: np.zeros(1, dtype=np.float32) if part == "steps" else np.zeros_like(flat)
        for part in OPTIMISERS[name][1]
    }

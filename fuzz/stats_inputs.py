"""Random arguments for every function of the statistics kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from inputs import damaged, random_starts

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from types import ModuleType
    from typing import Any

    from inputs import Keywords, Row


def values(rng: Random, size: int) -> np.ndarray:
    """Numbers with few or many ties, some of them infinite."""
    pool = [rng.choice((0.0, -0.0, 1.0, 5e-324, 1e308, float("inf"), -float("inf")))]
    pool += [rng.gauss(0, 1) for _ in range(rng.choice((1, 3, 1_000)))]
    return np.array(rng.choices(pool, k=size))


def _pairs(rng: Random, _: ModuleType) -> Keywords:
    starts = random_starts(rng, rng.randint(0, 8), rng.choice((1, 5, 300)))
    size = int(starts[-1])
    arrays = {"x": values(rng, size), "y": values(rng, size), "starts": starts}
    if rng.random() < 0.3:
        arrays = damaged(rng, arrays)
    return {**arrays, "threads": rng.choice((0, 1, 2, 5))}


def _resamples(rng: Random, _: ModuleType) -> Keywords:
    size, rows = rng.choice((0, 1, 2, 50, 300)), rng.randint(0, 6)
    weights = [[rng.choice((0, 0, 1, 1, 2, 7)) for _ in range(size)] for _ in range(rows)]
    arrays = {
        "x": values(rng, size),
        "y": values(rng, size),
        "weights": np.array(weights, dtype=np.int64).reshape(rows, size),
    }
    if rng.random() < 0.3:
        arrays = damaged(rng, arrays)
    return {**arrays, "threads": rng.choice((0, 1, 2, 5))}


def _contest(rng: Random, _: ModuleType) -> Keywords:
    systems = rng.choice((0, 1, 2, 3, 10))
    tables = {
        name: np.array([
            [float(rng.choice((0, 0, 1, 3, 1e6))) for _ in range(systems)] for _ in range(systems)
        ]).reshape(systems, systems)
        for name in ("wins", "ties")
    }
    if rng.random() < 0.3:
        tables = damaged(rng, tables)
    numbers = {name: rng.choice((0.5, 1.0, 1e-3, 1e3)) for name in ("sigma", "noise", "margin")}
    if rng.random() < 0.2:
        numbers[rng.choice(list(numbers))] = rng.choice((0.0, -1.0, float("nan"), float("inf")))
    return {**tables, **numbers, "games": rng.choice((0, 1, 10, 500))}


ARGUMENTS: dict[str, Row] = {
    "pair_counts": _pairs,
    "weighted_pair_counts": _resamples,
    "true_skill": _contest,
}
CALLS: dict[str, Callable[[ModuleType, Keywords], Any]] = {}
EXPECTED = (TypeError, ValueError)
ANY_NUMBER: frozenset[str] = frozenset()  # functions whose results need not be finite

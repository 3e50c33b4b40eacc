"""Random arguments for every function of the shared kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from inputs import damaged

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from types import ModuleType
    from typing import Any

    from inputs import Keywords, Row

SIZES = (0, 1, 2, 5, 6, 7, 8, 9, 15, 16, 17, 33, 100)
EXTREMES = (0.0, -0.0, 1e-45, 3e38, float("inf"), float("nan"))


def matrix(rng: Random, rows: int, columns: int, kind: type[np.floating]) -> np.ndarray:
    """Numbers around 0, some of them extreme."""
    made = np.array([rng.gauss(0, 1) for _ in range(rows * columns)], dtype=kind)
    if made.size and rng.random() < 0.2:
        made[rng.randrange(made.size)] = rng.choice(EXTREMES)
    return made.reshape(rows, columns)


def _product(rng: Random, _: ModuleType) -> Keywords:
    kind = rng.choice((np.float32, np.float64))
    rows, inner, columns = (rng.choice(SIZES) for _ in range(3))
    arrays = {
        "rows": matrix(rng, rows, inner, kind),
        "weights": matrix(rng, inner, columns, rng.choice((kind, kind, kind, np.float64))),
    }
    return damaged(rng, arrays) if rng.random() < 0.2 else arrays


def _groups(rng: Random, _: ModuleType) -> Keywords:
    rows = rng.choice(SIZES)
    first = sorted(rng.sample(range(rows), k=rng.randint(0, rows)))
    arrays = {
        "values": matrix(rng, rows, rng.choice(SIZES), rng.choice((np.float32, np.float64))),
        "first": np.array(first, dtype=np.int64),
    }
    return damaged(rng, arrays) if rng.random() < 0.3 else arrays


ARGUMENTS: dict[str, Row] = {"product": _product, "sum_groups": _groups}
CALLS: dict[str, Callable[[ModuleType, Keywords], Any]] = {}
EXPECTED = (TypeError, ValueError)
# Functions whose results need not be finite.
ANY_NUMBER: frozenset[str] = frozenset({"product", "sum_groups"})

"""Scaling of columns, fitted on training data only.

"min-max" puts the training data in [-1, 1], "standard" gives it mean 0 and deviation 1. A column
that is constant in training has no information; it becomes 0 everywhere and is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError, check_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.metrics.lexical.texts import Floats


@dataclass(frozen=True, repr=False)
class Scaling(Brief):
    """`(x - centre) / spread` for each column; `constant` are the columns without any spread."""

    method: str
    centre: Floats
    spread: Floats
    constant: tuple[int, ...]

    def apply(self, values: Floats) -> Floats:
        """The values on the fitted scale; values outside the training range stay outside."""
        if values.shape[-1] != len(self.centre):
            raise ConcordantError(
                f"{values.shape[-1]} columns, but the scaling was fitted on {len(self.centre)}"
            )
        scaled = (values - self.centre) / self.spread
        scaled[..., list(self.constant)] = 0.0
        return np.asarray(scaled)


def fit_scaling(values: Floats, *, method: str = "min-max") -> Scaling:
    """The scaling that these training values call for.

    >>> fit_scaling(np.array([[1.0, 5.0], [3.0, 5.0]])).apply(np.array([[2.0, 7.0]])).tolist()
    [[0.0, 0.0]]
    """
    check_known("scaling", method, METHODS)
    if len(values) == 0:
        raise ConcordantError("no segments to fit a scaling on")
    bad = int(np.count_nonzero(~np.isfinite(values)))
    if bad:
        raise ConcordantError(f"{bad} feature values are NaN or infinite")
    centre, spread = METHODS[method](values)
    same = values.min(axis=0) == values.max(axis=0)
    nothing = spread < np.finfo(np.float64).tiny  # too little to divide by
    constant = np.flatnonzero(same | nothing)
    spread[constant] = 1.0
    return Scaling(method, centre, spread, tuple(int(i) for i in constant))


def check_scaling(scaling: Scaling, columns: int, place: str) -> None:
    """Raise unless a scaling that was read from a file is one of so many columns."""
    check_known("scaling", scaling.method, METHODS)
    for name, values in (("centre", scaling.centre), ("spread", scaling.spread)):
        if values.shape != (columns,):
            words = f"the {name} of the scaling of {place} has the shape {values.shape}"
            raise ConcordantError(f"{words}, where ({columns},) is needed")
    if not (scaling.spread >= np.finfo(np.float64).tiny).all():
        raise ConcordantError(f"the spread of the scaling of {place} must be above 0")
    if any(not 0 <= column < columns for column in scaling.constant):
        raise ConcordantError(f"the scaling of {place} names columns beyond its {columns}")


def constant_columns(scaling: Scaling, columns: Sequence[str]) -> list[str]:
    """The names of the columns that were constant in training."""
    return [columns[i] for i in scaling.constant]


def _min_max(values: Floats) -> tuple[Floats, Floats]:
    low, high = values.min(axis=0), values.max(axis=0)
    return (low + high) / 2, (high - low) / 2


def _standard(values: Floats) -> tuple[Floats, Floats]:
    return values.mean(axis=0), values.std(axis=0)


METHODS: dict[str, Callable[[Floats], tuple[Floats, Floats]]] = {
    "min-max": _min_max,
    "standard": _standard,
}

"""Checks of fitted arrays that were read from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    import numpy.typing as npt


def check_ids(ids: npt.NDArray[Any], most: int) -> None:
    """Raise unless these are numbers of pieces or words in ascending order, below `most`."""
    if ids.ndim != 1 or ids.dtype.kind != "i":
        raise ConcordantError(f"ids are {ids.dtype} {ids.shape}, not a list of whole numbers")
    wide = ids.astype(np.int64)
    if len(wide) and not (wide[0] >= 0 and wide[-1] < most and (np.diff(wide) > 0).all()):
        raise ConcordantError(f"ids are not in ascending order from 0 to {most - 1:,}")


def check_numbers(values: npt.NDArray[Any], shape: tuple[int, ...], name: str) -> None:
    """Raise unless these are finite numbers of this shape."""
    if values.shape != shape or values.dtype not in {np.dtype("f4"), np.dtype("f8")}:
        found = f"{name} is {values.dtype} {values.shape}"
        raise ConcordantError(f"{found}, where float32 or float64 {shape} is needed")
    if not np.isfinite(values).all():
        raise ConcordantError(f"{name} has numbers that are not finite")

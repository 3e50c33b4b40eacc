"""Classes of distances between two tokens, to which MPNet's attention gives weights (after T5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

FARTHEST = 128  # farther tokens are all in one class


def distance_classes(behind: Ints, classes: int) -> Ints:
    """The class of each distance; positive where the seen token stands behind.

    Before and behind have half of the classes each; of these, half are for single distances, and
    the others get wider and wider.

    >>> distance_classes(np.array([-200, -9, -1, 0, 1, 9, 200]), 32).tolist()
    [15, 8, 1, 0, 17, 24, 31]
    """
    half = classes // 2
    single = half // 2
    far = np.abs(behind)
    with np.errstate(divide="ignore"):
        ratio = (far / single).astype(np.float32)
        grown = np.log(ratio) / np.log(FARTHEST / single) * (half - single)
    wide = np.minimum(single + np.maximum(grown, 0).astype(np.int64), half - 1)
    return np.asarray(np.where(far < single, far, wide) + half * (behind > 0))

"""A transformer after BERT with weights of 8 bits, run by the kernel without torch.

Each matrix keeps whole numbers from -127 to 127 and a scale for each of its rows; the kernel
quantises each token's state between its least and its largest number, multiplies whole numbers
exactly and takes every sum of floats in one order. A text's states depend on that text alone: not
on the batch, its order, the threads or the processor.

Names of arrays, all linear maps y = x Wᵀ + b with W as (out, in): `embeddings.words`, `.types`,
`.places`, `.scale`, `.shift`; for each layer `layer.N.seen` (queries, keys and values),
`.attended`, `.attended_norm`, `.wide`, `.narrow`, `.norm`, each with a `_bias`; and `distances`
(classes, heads) for MPNet's attention. What is quantised has an array more, `NAME.scale`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders import _native
from concordant.encoders.networks.distances import distance_classes

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Arrays = Mapping[str, npt.NDArray[np.generic]]

WORDS = "embeddings.words"
MATRICES = ("seen", "attended", "wide", "narrow")
NORMS = ("attended_norm", "norm")
LARGEST = 127
SCALE = ".scale"  # after the name of what is quantised: the scale of each row


def quantise(matrix: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Whole numbers from -127 to 127, and the scale of each row, by which it is multiplied.

    >>> numbers, scales = quantise(np.array([[0.5, -1.0], [0.0, 0.0]], dtype=np.float32))
    >>> numbers.tolist(), (scales * 127).tolist()
    ([[64, -127], [0, 0]], [1.0, 127.0])
    """
    wide = np.asarray(matrix, dtype=np.float64)
    largest = np.abs(wide).max(axis=1)
    scales = np.where(largest > 0, largest / LARGEST, 1.0).astype(np.float32)
    numbers = np.clip(np.rint(wide / scales[:, None].astype(np.float64)), -LARGEST, LARGEST)
    return numbers.astype(np.int8), scales


def transformer(
    params: Arrays, *, heads: int, epsilon: float, path: str = ""
) -> _native.Transformer:
    """The network of these arrays, prepared for this machine.

    `path` names the instructions it uses, one of `_native.transformer_paths()`; all of them give
    the same bits.
    """

    def floats(name: str) -> Floats:
        return np.ascontiguousarray(params[name], dtype=np.float32)

    def whole(name: str) -> npt.NDArray[np.int8]:
        return np.ascontiguousarray(params[name], dtype=np.int8)

    places = floats("embeddings.places")
    kernel = _native.Transformer(
        whole(WORDS),
        floats(f"{WORDS}{SCALE}"),
        floats("embeddings.types"),
        places,
        (floats("embeddings.scale"), floats("embeddings.shift")),
        heads,
        epsilon,
        path,
    )
    if "distances" in params:
        kernel.set_nearness(nearness(floats("distances"), len(places)))
    number = 0
    while f"layer.{number}.seen" in params:
        at, number = f"layer.{number}.", number + 1
        kernel.add_layer(
            [
                (whole(at + name), floats(f"{at}{name}{SCALE}"), floats(f"{at}{name}_bias"))
                for name in MATRICES
            ],
            [(floats(at + name), floats(f"{at}{name}_bias")) for name in NORMS],
        )
    return kernel


def nearness(distances: Floats, tokens: int) -> Floats:
    """What attention adds by how far a token stands behind another, (heads, 2 · tokens - 1).

    The middle is the token itself.
    """
    behind = np.arange(1 - tokens, tokens)  # where the seen token stands, from the one that looks
    return np.ascontiguousarray(distances[distance_classes(behind, len(distances))].T)

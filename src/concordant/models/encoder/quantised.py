"""Matrices in eight bits: each row has a scale, the largest of its numbers becomes 127.

A bundle keeps `NAME` as int8 and `NAME.scale` as fp32; a quarter of the size. Vectors, the head and
tables that are small stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    Arrays = Mapping[str, np.ndarray]

SCALE = ".scale"
_MATRICES = (".seen", ".attended", ".wide", ".narrow", "embeddings.words")


def pack(arrays: Arrays) -> dict[str, np.ndarray]:
    """The arrays, the large matrices in eight bits.

    >>> {k: v.dtype.name for k, v in pack({"layer.0.wide": np.ones((2, 3))}).items()}
    {'layer.0.wide': 'int8', 'layer.0.wide.scale': 'float32'}
    """
    found: dict[str, np.ndarray] = {}
    for name, array in arrays.items():
        if not name.endswith(_MATRICES):
            found[name] = array
            continue
        largest = np.abs(array).max(axis=1, keepdims=True)
        scale = np.where(largest > 0, largest / 127, 1.0).astype(np.float32)
        found[name] = np.round(array / scale).astype(np.int8)
        found[f"{name}{SCALE}"] = scale[:, 0]
    return found


def unpack(arrays: Arrays) -> dict[str, np.ndarray]:
    """The arrays in fp32.

    >>> unpack(pack({"layer.0.wide": np.array([[1.0, -127.0]])}))["layer.0.wide"].tolist()
    [[1.0, -127.0]]
    """
    return {
        name: array * arrays[f"{name}{SCALE}"][:, None] if f"{name}{SCALE}" in arrays else array
        for name, array in arrays.items()
        if not (name.endswith(SCALE) and name.removesuffix(SCALE) in arrays)
    }

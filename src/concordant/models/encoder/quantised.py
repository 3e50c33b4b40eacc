"""Learned weights ↔ the arrays that a metric keeps: large matrices as whole numbers of 8 bits.

A bundle keeps `NAME` as int8 and `NAME.scale` as float32, a number for each row; a quarter of the
size. Vectors, the head and tables that are small stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.networks.quantised import MATRICES, SCALE, WORDS, quantise

if TYPE_CHECKING:
    from collections.abc import Mapping

    Arrays = Mapping[str, np.ndarray]

DOWN, UP = ".down", ".up"  # an adapter of low rank: the matrix has their product added


def is_large(name: str) -> bool:
    """Whether an array is kept as whole numbers.

    >>> is_large("layer.0.wide"), is_large("layer.0.wide_bias")
    (True, False)
    """
    return name == WORDS or (name.startswith("layer.") and name.rpartition(".")[2] in MATRICES)


def pack(arrays: Arrays) -> dict[str, np.ndarray]:
    """The arrays, the large matrices in eight bits.

    >>> {k: v.dtype.name for k, v in pack({"layer.0.wide": np.ones((2, 3))}).items()}
    {'layer.0.wide': 'int8', 'layer.0.wide.scale': 'float32'}
    """
    found: dict[str, np.ndarray] = {}
    for name, array in arrays.items():
        if is_large(name):
            found[name], found[f"{name}{SCALE}"] = quantise(array)
        else:
            found[name] = array
    return found


def unpack(arrays: Arrays) -> dict[str, np.ndarray]:
    """The arrays in float32.

    >>> unpack(pack({"layer.0.wide": np.array([[1.0, -127.0]])}))["layer.0.wide"].tolist()
    [[1.0, -127.0]]
    """
    return {
        name: array * arrays[f"{name}{SCALE}"][:, None] if f"{name}{SCALE}" in arrays else array
        for name, array in arrays.items()
        if not (name.endswith(SCALE) and is_large(name.removesuffix(SCALE)))
    }


def merge_adapters(arrays: Arrays) -> dict[str, np.ndarray]:
    """The packed arrays of a network, adapters merged into their matrices."""
    if not any(name.endswith(UP) for name in arrays):
        return dict(arrays)
    plain = unpack(arrays)
    for name in [each.removesuffix(UP) for each in arrays if each.endswith(UP)]:
        up, down = (plain.pop(f"{name}{each}").astype(np.float64) for each in (UP, DOWN))
        plain[name] = (plain[name] + up @ down).astype(np.float32)
    return pack(plain)

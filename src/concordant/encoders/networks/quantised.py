"""A transformer after BERT with weights of 8 bits, run by the kernel: no torch, the same bits always.

Each matrix keeps whole numbers from -127 to 127 and a scale for each of its rows; the kernel
quantises each token's state between its least and its largest number, multiplies whole numbers
exactly and takes every sum of floats in one order. A text's states depend on that text alone: not
on the batch, its order, the threads or the processor.

Names of arrays, all linear maps y = x Wᵀ + b with W as (out, in): `embeddings.words`, `.types`,
`.places`, `.scale`, `.shift`; for each layer `layer.N.seen` (queries, keys and values),
`.attended`, `.attended_norm`, `.wide`, `.narrow`, `.norm`, each with a `_bias`; and `distances`
(classes, heads) for MPNet's attention. What is quantised has an array more, with `_scales`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders import _native

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Arrays = Mapping[str, npt.NDArray[np.generic]]

WORDS = "embeddings.words"
MATRICES = ("seen", "attended", "wide", "narrow")
NORMS = ("attended_norm", "norm")
LARGEST = 127
FARTHEST = 128  # the distance from which on MPNet does not tell one from another


@dataclass(frozen=True)
class Shape:
    """The sizes of a network: its arrays follow from them."""

    vocabulary: int
    width: int
    wide: int
    layers: int
    types: int
    places: int
    heads: int
    classes: int = 0

    def whole(self) -> dict[str, tuple[int, ...]]:
        """The arrays of whole numbers, by name."""
        width, wide = self.width, self.wide
        sizes = {"seen": (3 * width, width), "attended": (width, width)}
        sizes |= {"wide": (wide, width), "narrow": (width, wide)}
        layers = range(self.layers)
        return {WORDS: (self.vocabulary, width)} | {
            f"layer.{number}.{name}": size for number in layers for name, size in sizes.items()
        }

    def sizes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of all arrays, by name."""
        found = self.whole()
        for name, (out, _) in list(found.items()):
            found[f"{name}_scales"] = (out,)
            if name != WORDS:
                found[f"{name}_bias"] = (out,)
        each = (self.width,)
        for number in range(self.layers):
            for name in NORMS:
                found |= {f"layer.{number}.{name}": each, f"layer.{number}.{name}_bias": each}
        found |= {"embeddings.scale": each, "embeddings.shift": each}
        found |= {
            "embeddings.types": (self.types, self.width),
            "embeddings.places": (self.places, self.width),
        }
        return found | ({"distances": (self.classes, self.heads)} if self.classes else {})


def quantise(matrix: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Whole numbers from -127 to 127, and the scale of each row, by which it is multiplied.

    >>> numbers, scales = quantise(np.array([[0.5, -1.0], [0.0, 0.0]], dtype=np.float32))
    >>> numbers.tolist(), (scales * 127).tolist()
    ([[64, -127], [0, 0]], [1.0, 0.0])
    """
    wide = np.asarray(matrix, dtype=np.float64)
    scales = (np.abs(wide).max(axis=1) / LARGEST).astype(np.float32)
    divisors = np.where(scales == 0, 1.0, scales.astype(np.float64))
    numbers = np.clip(np.rint(wide / divisors[:, None]), -LARGEST, LARGEST)
    return numbers.astype(np.int8), scales


def quantised(weights: Mapping[str, Floats]) -> dict[str, npt.NDArray[np.generic]]:
    """All weights of a network, the matrices and the words' vectors quantised; adapters merged.

    An adapter is two matrices of low rank, `NAME.down` and `NAME.up`, that stand for their product.
    """
    found: dict[str, npt.NDArray[np.generic]] = {}
    for name, values in weights.items():
        if name.endswith((".down", ".up")):
            continue
        array = np.asarray(values, dtype=np.float32)
        if f"{name}.up" in weights:
            up, down = (weights[f"{name}.{each}"].astype(np.float64) for each in ("up", "down"))
            array = (array + up @ down).astype(np.float32)
        if name == WORDS or (name.startswith("layer.") and name.endswith(MATRICES)):
            found[name], found[f"{name}_scales"] = quantise(array)
        else:
            found[name] = array
    return found


def shape_of(params: Arrays, heads: int) -> Shape:
    """The sizes that the arrays state; 0 for what is missing, so that a check can say so.

    `params` may be any arrays: nothing is taken for granted.
    """

    def size(name: str, axis: int) -> int:
        found = params.get(name)
        return found.shape[axis] if found is not None and found.ndim == 2 else 0

    layers = 0
    while f"layer.{layers}.seen" in params:
        layers += 1
    return Shape(
        size(WORDS, 0),
        size(WORDS, 1),
        size("layer.0.wide", 0),
        layers,
        size("embeddings.types", 0),
        size("embeddings.places", 0),
        heads,
        size("distances", 0),
    )


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
        floats(f"{WORDS}_scales"),
        floats("embeddings.types"),
        places,
        (floats("embeddings.scale"), floats("embeddings.shift")),
        heads,
        epsilon,
        path,
    )
    if "distances" in params:
        kernel.set_nearness(nearness(floats("distances"), len(places)))
    for number in range(shape_of(params, heads).layers):
        at = f"layer.{number}."
        kernel.add_layer(
            [
                (whole(at + name), floats(f"{at}{name}_scales"), floats(f"{at}{name}_bias"))
                for name in MATRICES
            ],
            [(floats(at + name), floats(f"{at}{name}_bias")) for name in NORMS],
        )
    return kernel


def nearness(distances: Floats, tokens: int) -> Floats:
    """What attention adds by how far a token stands behind another, (heads, 2 · tokens - 1).

    The middle is the token itself. Before and behind have half of the classes each; of these, half
    are for single distances, and the others get wider and wider (MPNet, after T5).
    """
    behind = np.arange(1 - tokens, tokens)  # where the seen token stands, from the one that looks
    half = len(distances) // 2
    single = half // 2
    far = np.abs(behind)
    with np.errstate(divide="ignore"):
        ratio = (far / single).astype(np.float32)
        grown = np.log(ratio) / np.log(FARTHEST / single) * (half - single)
    wide = np.minimum(single + np.maximum(grown, 0).astype(np.int64), half - 1)
    classes = np.where(far < single, far, wide) + half * (behind > 0)
    return np.ascontiguousarray(distances[classes].T)

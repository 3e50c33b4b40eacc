"""A BERT or MPNet of a folder, its matrices in 8 bits, run by the kernel (quantised.py).

Several times as fast as torch in fp32, and a text's states depend on that text alone. They differ
a little from those in fp32: the cosine of two tokens by about 0.01.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders.networks.quantised import MATRICES, SCALE, WORDS, quantise, transformer

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from concordant.encoders.networks.bert import Bert
    from concordant.encoders.networks.pooled import Network

    Floats = npt.NDArray[np.float32]


def eight_bit_network(bert: Bert, layers: Collection[int]) -> Network:
    """From numbers of tokens and their mask to the states of these layers, from 1 up.

    Each layer has a kernel of its own that ends there.
    """
    arrays = packed_arrays(bert, max(layers, default=0))
    kernels = {
        depth: transformer(
            {name: value for name, value in arrays.items() if _is_below(name, depth)},
            heads=bert.heads,
            epsilon=bert.epsilon,
        )
        for depth in layers
    }

    def states(ids: npt.NDArray[np.int64], mask: npt.NDArray[np.bool_]) -> dict[int, Floats]:
        lengths = mask.sum(axis=1)
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        words, types = ids[mask].astype(np.int32), np.zeros(starts[-1], dtype=np.int32)
        places = np.nonzero(mask)[1].astype(np.int32)
        found = {}
        for depth, kernel in kernels.items():
            rows = kernel.states(words, types, places, starts, None, 1)
            found[depth] = np.zeros((*mask.shape, rows.shape[-1]), dtype=np.float32)
            found[depth][mask] = rows
        return found

    return states


def packed_arrays(bert: Bert, depth: int) -> dict[str, npt.NDArray[Any]]:
    """The weights of the first layers by the kernel's names, matrices and words in 8 bits."""
    given = bert.embeddings
    width = given["words"].shape[1]
    plain = {f"embeddings.{name}": given[name] for name in ("words", "places", "scale", "shift")}
    for number, layer in enumerate(bert.layers[:depth]):
        plain |= {f"layer.{number}.{name}": value for name, value in layer.items()}
    if bert.distances is not None:
        plain["distances"] = bert.distances
    found: dict[str, npt.NDArray[Any]] = {"embeddings.types": np.zeros((1, width), np.float32)}
    if bert.distances is None:
        found["embeddings.types"] += given["type"].numpy()
    for name, value in plain.items():
        array = value.numpy()
        if name == WORDS or name.rpartition(".")[2] in MATRICES:
            found[name], found[f"{name}{SCALE}"] = quantise(array)
        else:
            found[name] = array
    return found


def _is_below(name: str, depth: int) -> bool:
    """Whether an array is needed for the states after so many layers."""
    return not name.startswith("layer.") or int(name.split(".")[1]) < depth

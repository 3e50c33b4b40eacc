"""Pool token states into the vector of a text: their mean, their maximum, or the first one.

The names and the numbers are those of sentence-transformers (Reimers and Gurevych 2019).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]


def mean_of_tokens(states: Floats, mask: Flags) -> Floats:
    """The mean of each text's states, (texts, width); `mask` tells tokens from padding.

    >>> states = np.array([[[1.0, 2.0], [3.0, 6.0], [9.0, 9.0]]], dtype=np.float32)
    >>> mean_of_tokens(states, np.array([[True, True, False]])).tolist()
    [[2.0, 4.0]]
    """
    total: Floats = np.where(mask[:, :, None], states, np.float32(0)).sum(axis=1)
    mean: Floats = total / mask.sum(axis=1, keepdims=True).astype(np.float32)
    return mean


def maximum_of_tokens(states: Floats, mask: Flags) -> Floats:
    """The largest number of each text's states in every dimension, (texts, width)."""
    largest: Floats = np.where(mask[:, :, None], states, np.float32(-np.inf)).max(axis=1)
    return largest


def first_token(states: Floats, mask: Flags) -> Floats:  # noqa: ARG001 - one form for all
    """The state of each text's first token, which BERT's [CLS] is, (texts, width)."""
    return states[:, 0]


POOLS: dict[str, Callable[[Floats, Flags], Floats]] = {
    "mean": mean_of_tokens,
    "cls": first_token,
    "max": maximum_of_tokens,
}


def scale_to_unit(vectors: Floats) -> Floats:
    """The vectors with length 1; one of zeros stays as it is.

    >>> scale_to_unit(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)).round(3).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    unit: Floats = vectors / np.maximum(lengths, np.float32(1e-12))
    return unit

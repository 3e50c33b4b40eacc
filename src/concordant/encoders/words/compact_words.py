"""Compact word vectors: a list of words, and a table of integers with one scale per row."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders import _native
from concordant.encoders.pieces.static_pieces import read_tensors
from concordant.encoders.words.word_table import Meta, WordVectors
from concordant.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path

WORDS, WEIGHTS = "words.txt", "model.safetensors"


def open_compact(folder: Path, *, name: str) -> WordVectors:
    """The vectors of a folder with `words.txt`, one word a line, and `model.safetensors`."""
    encoded = (folder / WORDS).read_bytes().splitlines()
    tensors = read_tensors(folder / WEIGHTS)
    table = tensors["embeddings"]
    if len(table) != len(encoded):
        message = f"{len(encoded)} words, but {WEIGHTS} has {len(table)} rows"
        raise DataError.at(folder / WORDS, None, message)
    joined = np.frombuffer(b"".join(encoded), np.uint8)
    starts = np.concatenate([[0], np.cumsum([len(word) for word in encoded])]).astype(np.int64)
    index = _native.WordIndex(joined, starts, _native.word_slots(joined, starts))
    digest = hashlib.sha256((folder / WORDS).read_bytes() + (folder / WEIGHTS).read_bytes())
    meta = Meta(len(table), table.shape[1], "lower", digest.hexdigest())
    return WordVectors(name, folder, meta, table, index)

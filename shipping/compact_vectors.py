"""Build the small tables of vectors that ship in the package from two public ones.

`compact-pieces` are potion-base-8M's vectors of word pieces, 256 dimensions reduced to 64 by their
principal directions; `compact-words` are the 40,000 most frequent words of GloVe 6B, 50 dimensions.
Both are kept in 8 bits a number, each row with a scale of its own. Needs the parts potion and
glove-50:

    python shipping/compact_vectors.py
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import numpy as np
from safetensors.numpy import load_file, save

from concordant.encoders.words.words import open_vectors
from concordant.resources.places import BUILT_IN, locate

if TYPE_CHECKING:
    from pathlib import Path

DIMENSIONS = 64
WORDS = 40_000
PIECES_PART, WORDS_PART = "potion", "glove-50"


def in_eight_bits(table: np.ndarray) -> dict[str, np.ndarray]:
    """Whole numbers from -127 to 127, and what each row is to be multiplied by."""
    scale = np.abs(table).max(axis=1) / 127
    scale[scale == 0] = 1.0
    return {
        "embeddings": np.round(table / scale[:, None]).astype(np.int8),
        "scales": scale.astype(np.float32),
    }


def principal(table: np.ndarray, dimensions: int) -> np.ndarray:
    """The table turned onto its principal directions, the largest first; signs are fixed."""
    wide = table.astype(np.float64)
    _, directions = np.linalg.eigh(wide.T @ wide)
    chosen = directions[:, ::-1][:, :dimensions]
    largest = np.abs(chosen).argmax(axis=0)
    return wide @ (chosen * np.sign(chosen[largest, np.arange(dimensions)]))


def build_pieces(folder: Path) -> None:
    """Potion's table, reduced; its tokenizer as it is."""
    source = locate(PIECES_PART)
    folder.mkdir(parents=True, exist_ok=True)
    table = load_file(source / "model.safetensors")["embeddings"]
    (folder / "model.safetensors").write_bytes(save(in_eight_bits(principal(table, DIMENSIONS))))
    shutil.copyfile(source / "config.json", folder / "config.json")
    tokenizer = json.loads((source / "tokenizer.json").read_text("utf-8"))
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")


def build_words(folder: Path) -> None:
    """The first words of GloVe's list, which begins with the most frequent ones."""
    vectors = open_vectors(WORDS_PART)
    folder.mkdir(parents=True, exist_ok=True)
    words = [vectors.word(row) for row in range(WORDS)]
    (folder / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(save(in_eight_bits(vectors.vectors[:WORDS])))


if __name__ == "__main__":
    build_pieces(BUILT_IN["compact-pieces"])
    build_words(BUILT_IN["compact-words"])

"""Build the small tables of vectors that ship in the package from three public ones.

`compact-pieces` are potion-base-8M's vectors of word pieces, 256 dimensions reduced to 64 by their
principal directions; `compact-words` are the 40,000 most frequent words of GloVe 6B, 50 dimensions;
`compact-any` are the vectors that USE-m3 has of SentencePiece's pieces in 16 languages, 512
dimensions reduced to 64. All are kept in 8 bits a number, each row with a scale of its own. Needs
the parts potion, glove-50 and use-m3, and the package protobuf:

    python shipping/compact_vectors.py
"""

from __future__ import annotations

import json
import shutil
import struct
import unicodedata
from typing import TYPE_CHECKING

import numpy as np
from safetensors.numpy import load_file, save

from concordant.encoders.networks.use_m3 import stored_vectors
from concordant.encoders.words.words import open_vectors
from concordant.resources.places import BUILT_IN, locate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DIMENSIONS = 64
WORDS = 40_000
PIECES_PART, WORDS_PART, ANY_PART = "potion", "glove-50", "use-m3"
NORMAL_PIECE = 1  # what SentencePiece calls a piece that is text
FREQUENT = 1e-4  # a piece of this probability weighs half of a rare one in a mean


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


def build_any(folder: Path) -> None:
    """USE-m3's table, reduced, a piece the longer the rarer it is; SentencePiece's vocabulary."""
    from sentencepiece import sentencepiece_model_pb2  # noqa: PLC0415 - needs protobuf

    source = locate(ANY_PART)
    folder.mkdir(parents=True, exist_ok=True)
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString((source / "sp.model").read_bytes())
    texts = [each.piece if each.type == NORMAL_PIECE else "" for each in model.pieces]
    is_text = np.array([bool(text) for text in texts])
    scores = np.array([each.score for each in model.pieces], dtype=np.float32)
    scores[~is_text] = scores[is_text].min()
    table = principal(stored_vectors(source)[: len(texts)], DIMENSIONS)
    weights = np.where(is_text, FREQUENT / (FREQUENT + np.exp(scores.astype(np.float64))), 0.0)
    table *= (weights / np.linalg.norm(table, axis=1))[:, None]
    tensors = {**in_eight_bits(table), "scores": scores}
    (folder / "model.safetensors").write_bytes(save(tensors))
    config = {"model_type": "model2vec", "normalize": True}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    rules = sorted(rewriting_rules(model.normalizer_spec.precompiled_charsmap))
    rules = [(old, new) for old, new in rules if unicodedata.normalize("NFKC", old) != new]
    tokenizer = {"type": "unigram", "pieces": texts, "rules": rules}
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")


def rewriting_rules(compiled: bytes) -> Iterator[tuple[str, str]]:
    """What SentencePiece makes of texts, from its double array of bytes (Darts-clone)."""
    (size,) = struct.unpack_from("<I", compiled)
    units = np.frombuffer(compiled, dtype="<u4", offset=4, count=size // 4).tolist()
    texts = compiled[4 + size :]
    open_nodes = [(0, b"")]
    while open_nodes:
        node, key = open_nodes.pop()
        base = node ^ (units[node] >> 10 << ((units[node] & 1 << 9) >> 6))
        if key and units[node] >> 8 & 1:
            begin = units[base] & 0x7FFFFFFF
            yield key.decode(), texts[begin : texts.index(b"\0", begin)].decode()
        for byte in range(1, 256):
            child = base ^ byte
            if child < len(units) and units[child] & 0x800000FF == byte:
                open_nodes.append((child, key + bytes([byte])))


if __name__ == "__main__":
    build_pieces(BUILT_IN["compact-pieces"])
    build_words(BUILT_IN["compact-words"])
    build_any(BUILT_IN["compact-any"])

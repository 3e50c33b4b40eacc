"""Static vectors of word pieces, such as potion's: a table instead of a network (model2vec).

A text is cut into word pieces, each piece has a vector in a table, and the mean of these is the
text's vector (of length 1 where the model says so). Unknown words are left out of it, as model2vec
leaves them out; nothing is truncated. A text without a known piece gets zeros. Pieces of a unigram
model have log probabilities, from which comes how much each tells.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.encoders import _native
from concordant.encoders.encoders import Encoded, Encoder
from concordant.encoders.networks.model_folder import folder_digest
from concordant.encoders.pieces.settings import read_settings
from concordant.encoders.pieces.unigram_pieces import (
    UnigramPieces,
    is_unigram,
    unigram_of_settings,
)
from concordant.encoders.pieces.word_pieces import word_pieces_of_settings
from concordant.encoders.ragged import Ragged
from concordant.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from concordant.encoders.encoders import Request, Vectors
    from concordant.encoders.pieces.word_pieces import WordPieces

WEIGHTS, TOKENIZER, CONFIG = "model.safetensors", "tokenizer.json", "config.json"
TENSORS = ("embeddings", "mapping", "weights", "scales", "scores")


@dataclass(frozen=True, repr=False)
class StaticEncoder(Brief, Encoder):
    """Vectors of word pieces; `table` and `rows` are what the token-matching kernel takes.

    `mapping` has the row of each piece in the table (None: its own number), `factors` what its
    vector is multiplied by (None: 1), as models with fewer vectors than pieces have them.
    """

    name: str
    signature: str
    pieces: WordPieces | UnigramPieces
    table: Vectors
    mapping: npt.NDArray[np.int32] | None
    factors: Vectors | None
    unit_length: bool

    depth = 0  # static vectors are all there is

    @cached_property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self.table.shape[1])

    @cached_property
    def surprise(self) -> npt.NDArray[np.float64] | None:
        """How rare each piece is, in nats; None where no probabilities are known."""
        if not isinstance(self.pieces, UnigramPieces):
            return None
        return -self.pieces.scores.astype(np.float64)

    def tokens(self, texts: Sequence[str], *, threads: int = 1) -> Ragged:
        """The known pieces of each text (int32); of a unigram model, unknown ones too (below 0)."""
        found = self.pieces.encode(texts, threads=threads)
        if self.pieces.unknown is None:
            return found
        known = found.values != self.pieces.unknown
        if known.all():
            return found
        before = np.concatenate([[0], np.cumsum(known)])
        return Ragged(found.values[known], before[found.starts])

    def rows(self, tokens: Ragged) -> Ragged:
        """The rows of the table that the pieces have (int32)."""
        if self.mapping is None:
            return tokens
        return Ragged(self.mapping[tokens.values], tokens.starts)

    def compute(self, texts: Sequence[str], request: Request) -> Encoded:
        """Vectors of the texts, and those of their pieces as layer 0."""
        found = self.tokens(texts, threads=request.threads)
        states = {0: Ragged(self._vectors(found.values), found.starts)} if request.layers else {}
        means = self._means(found, request.threads) if request.sentence else None
        return Encoded(means, states, found)

    def _vectors(self, pieces: npt.NDArray[np.int32]) -> Vectors:
        known = np.maximum(pieces, 0)
        vectors = self.table[known if self.mapping is None else self.mapping[known]]
        vectors[pieces < 0] = 0.0
        return vectors if self.factors is None else vectors * self.factors[pieces, None]

    def _means(self, tokens: Ragged, threads: int) -> Vectors:
        factors = None if self.factors is None else self.factors[tokens.values].astype(np.float64)
        rows = self.rows(tokens)
        sums, _ = _native.row_sums(self.table, rows.values, rows.starts, factors, threads)
        means = sums / np.maximum(tokens.lengths, 1)[:, None]
        if self.unit_length:
            lengths = np.sqrt((means**2).sum(axis=1, keepdims=True))
            means /= np.where(lengths > 0, lengths, 1.0)
        return means.astype(np.float32)


def load_static(folder: Path, *, name: str) -> StaticEncoder:
    """The encoder in a model2vec folder; a digest of all its files is in the signature."""
    tensors = read_tensors(folder / WEIGHTS)
    pieces = _vocabulary(folder / TOKENIZER, tensors)
    _check_tensors(tensors, len(pieces), folder / WEIGHTS)
    files = [folder / each for each in (WEIGHTS, TOKENIZER, CONFIG)]
    digest = folder_digest(folder, [path for path in files if path.is_file()])
    mapping, factors = tensors.get("mapping"), tensors.get("weights")
    return StaticEncoder(
        name=name,
        signature=f"{name}@{digest}",
        pieces=pieces,
        table=tensors["embeddings"].astype(np.float32, copy=False),
        mapping=None if mapping is None else mapping.astype(np.int32),
        factors=None if factors is None else factors.astype(np.float32),
        unit_length=_unit_length(folder / CONFIG),
    )


def _vocabulary(path: Path, tensors: dict[str, npt.NDArray[Any]]) -> WordPieces | UnigramPieces:
    settings = read_settings(path)
    if is_unigram(settings):
        return unigram_of_settings(settings, tensors.get("scores"), path)
    return word_pieces_of_settings(settings, path)


def read_tensors(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The tensors of a file of weights that an encoder knows, by name."""
    from safetensors import SafetensorError, safe_open  # noqa: PLC0415 - only loading needs it

    try:
        with safe_open(path, framework="numpy") as file:
            there = set(file.keys())
            found = {name: file.get_tensor(name) for name in TENSORS if name in there}
    except (SafetensorError, OSError) as error:
        raise DataError.at(
            path, None, f"not a safetensors file that can be read: {error}"
        ) from None
    return _at_full_size(found)


def _at_full_size(tensors: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """A table that is kept in whole numbers times its scales; any other as it is."""
    scales = tensors.pop("scales", None)
    if scales is not None and "embeddings" in tensors:
        kept = tensors["embeddings"]
        tensors["embeddings"] = np.multiply(kept, scales[:, None], dtype=np.float32)
    return tensors


def _check_tensors(tensors: dict[str, npt.NDArray[Any]], pieces: int, path: Path) -> None:
    table = tensors.get("embeddings")
    if table is None or table.ndim != 2:
        raise DataError.at(path, None, 'there is no matrix "embeddings" in it')
    if not np.isfinite(table).all():
        raise DataError.at(path, None, "embeddings hold numbers that are not finite")
    mapping = tensors.get("mapping")
    if (
        mapping is not None
        and mapping.size
        and not 0 <= mapping.min() <= mapping.max() < len(table)
    ):
        raise DataError.at(path, None, f"mapping names rows beyond the {len(table)} of embeddings")
    for name in ("embeddings" if mapping is None else "mapping", "weights"):
        found = tensors.get(name)
        if found is not None and len(found) < pieces:
            message = f"{name} has {len(found)} rows, but {TOKENIZER} has {pieces} pieces"
            raise DataError.at(path, None, message)


def _unit_length(config: Path) -> bool:
    """Whether a model's vectors have length 1; not so where nothing is said, as in model2vec."""
    if not config.is_file():
        return False
    try:
        return bool(json.loads(config.read_text("utf-8")).get("normalize", False))
    except (ValueError, AttributeError) as error:
        raise DataError.at(config, None, f"not a JSON object: {error}") from None

"""A text's vector as an average of its words' vectors: plain, by idf, or SIF.

Three weights for a word: 1 (`mean`); its inverse document frequency log((N + 1) / (df + 1)) in N
texts (`idf`); a / (a + p) with its probability p and a = 0.001 (`sif`), where in addition the
direction that all texts share is removed (Arora, Liang and Ma 2017, "A simple but tough-to-beat
baseline for sentence embeddings"). What `idf` and `sif` need to know of words is learned from given
texts and kept as small arrays; a word that they did not have counts as the rarest. Unknown words
have no vector and no weight; a text without known words gets zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.encoders import _native
from concordant.encoders.encoders import Encoded, Encoder
from concordant.encoders.fitted_arrays import check_ids, check_numbers
from concordant.encoders.ragged import Ragged
from concordant.encoders.words.word_tokens import RULES
from concordant.encoders.words.words import open_vectors
from concordant.errors import ConcordantError, check_known
from concordant.resources.places import is_installed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from concordant.encoders.encoders import Request, Vectors
    from concordant.encoders.words.word_table import WordVectors

    Floats = npt.NDArray[np.float64]
    Fitted = Mapping[str, npt.NDArray[Any]]

POOLS = {
    "mean": "all words alike",
    "idf": "rare words count more, by their inverse document frequency",
    "sif": "rare words count more, and the common direction is removed (Arora et al. 2017)",
}
SIF_A = 1e-3
# The arrays of each pool: rows of words in ascending order, their weights, the weight of all other
# words, and for SIF the direction that is taken out.
ARRAYS: dict[str, tuple[str, ...]] = {
    "mean": (),
    "idf": ("ids", "weights", "other"),
    "sif": ("ids", "weights", "other", "component"),
}


def fit_average(
    vectors: WordVectors, texts: Sequence[str], pool: str = "mean", *, threads: int = 1
) -> dict[str, npt.NDArray[Any]]:
    """What `average` has to know, learned from texts, as the arrays that ARRAYS names."""
    check_known("pool", pool, POOLS)
    if pool == "mean":
        return {}
    rows = vectors.rows(texts, threads=threads)
    fitted = _idf(rows) if pool == "idf" else _sif(rows)
    if pool == "sif":
        fitted["component"] = _shared_direction(_sums(vectors, rows, pool, fitted, threads))
    return fitted


def average(
    vectors: WordVectors,
    texts: Sequence[str],
    pool: str = "mean",
    fitted: Fitted | None = None,
    *,
    threads: int = 1,
) -> Vectors:
    """A vector for each text (texts, dimension); zeros where no word is known."""
    arrays = fitted or {}
    check_fitted(vectors, pool, arrays)  # before the work of cutting the texts
    rows = vectors.rows(texts, threads=threads)
    means = _sums(vectors, rows, pool, arrays, threads)
    if pool == "sif":
        component = arrays["component"].astype(np.float64)
        # Row by row: a matrix product may round differently with the number of texts.
        means -= (means * component).sum(axis=1, keepdims=True) * component
    return means.astype(np.float32)


@dataclass(frozen=True, eq=False, repr=False)
class WordEncoder(Brief, Encoder):
    """Word vectors as an encoder: a sentence is the mean of its words, layer 0 the words' own."""

    name: str
    signature: str
    dimension: int
    vectors: WordVectors

    depth = 0
    surprise = None  # how rare a word is, is learned from texts

    @property
    def table(self) -> npt.NDArray[np.float32]:
        """One vector a row."""
        return self.vectors.vectors

    def rows(self, tokens: Ragged) -> Ragged:
        """The rows of words: their own numbers."""
        return tokens

    def compute(self, texts: Sequence[str], request: Request) -> Encoded:
        """Means and words' vectors; an unknown word has zeros and a negative piece."""
        rows = self.vectors.rows(texts, threads=request.threads)
        means = None
        if request.sentence:
            means = _sums(self.vectors, rows, "mean", {}, request.threads).astype(np.float32)
        states = {0: _states(self.vectors, rows)} if request.layers else {}
        return Encoded(means, states, rows)


def open_words(place: Path, *, name: str) -> WordEncoder:
    """The encoder of a part, a mapped folder or a file of word vectors."""
    vectors = open_vectors(name if is_installed(name) else place)
    signature = f"{vectors.signature}|pool:mean|{RULES}"
    return WordEncoder(vectors.name, signature, vectors.dimension, vectors)


def _states(vectors: WordVectors, rows: Ragged) -> Ragged:
    states = np.zeros((len(rows.values), vectors.dimension), dtype=np.float32)
    known = rows.values >= 0
    states[known] = vectors.vectors[rows.values[known]]
    return Ragged(states, rows.starts)


def _idf(rows: Ragged) -> dict[str, npt.NDArray[Any]]:
    text = np.repeat(np.arange(len(rows)), rows.lengths)
    once = np.unique(np.stack([text, rows.values.astype(np.int64)]), axis=1)[1]
    ids, frequency = np.unique(once[once >= 0], return_counts=True)
    weights = np.log((len(rows) + 1) / (frequency + 1))
    other = np.array([np.log(len(rows) + 1)])
    return {"ids": ids.astype(np.int32), "weights": weights, "other": other}


def _sif(rows: Ragged) -> dict[str, npt.NDArray[Any]]:
    """Probabilities are shares of all words, the unknown ones too."""
    ids, counts = np.unique(rows.values[rows.values >= 0], return_counts=True)
    weights = SIF_A / (SIF_A + counts / max(len(rows.values), 1))
    return {"ids": ids.astype(np.int32), "weights": weights, "other": np.array([1.0])}


def _shared_direction(means: Floats) -> Floats:
    """The first singular vector of the texts, of length 1; zeros if the texts are all zeros."""
    if not means.any():
        return np.zeros(means.shape[1])
    _, directions = np.linalg.eigh(means.T @ means)
    direction = directions[:, -1]
    # The sign is free: the largest number is made positive, so that it is always the same.
    return np.asarray(direction * np.sign(direction[np.abs(direction).argmax()]))


def _sums(vectors: WordVectors, rows: Ragged, pool: str, fitted: Fitted, threads: int) -> Floats:
    """Weighted sums by the sum of weights, or for SIF by the number of words, as in its paper."""
    weights = None if pool == "mean" else _weights(rows, fitted)
    sums, totals = _native.row_sums(vectors.vectors, rows.values, rows.starts, weights, threads)
    if pool == "sif":
        known = np.concatenate([[0], np.cumsum(rows.values >= 0)])
        totals = np.diff(known[rows.starts]).astype(np.float64)
    return np.asarray(sums / np.where(totals == 0, 1.0, totals)[:, None])


def _weights(rows: Ragged, fitted: Fitted) -> Floats:
    ids, weights = fitted["ids"], fitted["weights"].astype(np.float64)
    other = float(fitted["other"][0])
    if len(ids) == 0:
        return np.full(len(rows.values), other)
    place = np.minimum(np.searchsorted(ids, rows.values), len(ids) - 1)
    return np.where(ids[place] == rows.values, weights[place], other)


def check_fitted(vectors: WordVectors, pool: str, fitted: Fitted) -> None:
    """Raise unless these are arrays that `fit_average` can have given for these vectors."""
    check_known("pool", pool, POOLS)
    missing = [key for key in ARRAYS[pool] if key not in fitted]
    if missing:
        raise ConcordantError(
            f'pool "{pool}" lacks {", ".join(missing)}: it has to be fitted on texts first, '
            "by fit_average"
        )
    if pool == "mean":
        return
    foreign = [key for key in fitted if key not in ARRAYS[pool]]
    if foreign:
        raise ConcordantError(
            f'pool "{pool}" has no {foreign[0]}; it has {", ".join(ARRAYS[pool])}'
        )
    check_ids(fitted["ids"], len(vectors))
    wanted = {"weights": fitted["ids"].shape, "other": (1,), "component": (vectors.dimension,)}
    for key in ARRAYS[pool][1:]:
        check_numbers(fitted[key], wanted[key], key)

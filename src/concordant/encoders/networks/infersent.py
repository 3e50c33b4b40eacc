"""InferSent (Conneau et al. 2017), version 1, from its own file of weights.

A bidirectional LSTM over GloVe vectors; each dimension of the sentence vector is the largest value
over the words. Words are cut by words/word_tokens.py, put between <s> and </s>, and left out
where they have no vector, as in the original; a text of which nothing is left gets zeros. (The
original lets the padding of a batch take part in the maximum, so that its numbers depend on the
other texts of a batch; ours are those of a text that is encoded by itself.)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.encoders.networks.model_folder import folder_digest, require
from concordant.encoders.networks.recurrent import RecurrentEncoder, reversible
from concordant.encoders.words.word_tokens import RULES, word_tokens
from concordant.encoders.words.words import open_vectors
from concordant.errors import ConcordantError, DataError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy.typing as npt
    from torch import Tensor

    from concordant.encoders.words.word_table import WordVectors


WEIGHTS = "infersent1.pkl"
WORDS = "glove-840b"
BEGIN, END = "<s>", "</s>"
_KEYS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


@dataclass(frozen=True)
class Direction:
    """One direction of the LSTM; columns are the gates input, forget, cell, output."""

    from_input: Tensor  # (word dimension, 4 · size)
    from_state: Tensor  # (size, 4 · size)
    bias: Tensor  # (4 · size)


@dataclass(frozen=True, repr=False)
class InferSent(Brief, RecurrentEncoder):
    """The encoder of sentences; it has no token states."""

    name: str
    signature: str
    words: WordVectors
    forward: Direction
    backward: Direction

    @cached_property
    def dimension(self) -> int:
        """Twice the size of a direction's state."""
        return 2 * len(self.forward.from_state)

    def numbers(self, text: str) -> npt.NDArray[np.int64]:
        """The rows of the known words, with the marks of begin and end."""
        rows = np.asarray(self.words.lookup([BEGIN, *word_tokens(text), END]), dtype=np.int64)
        return rows[rows >= 0]

    def vectors(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.float32]:
        """The largest value of each state over the words of a text."""
        torch = require("torch")
        inputs = torch.from_numpy(np.asarray(self.words.vectors[ids], dtype=np.float32))
        shown = torch.from_numpy(mask)
        halves = [
            lstm(self.forward, inputs, shown, backward=False),
            lstm(self.backward, inputs, shown, backward=True),
        ]
        states = torch.cat(halves, dim=2).masked_fill(~shown[:, :, None], -torch.inf)
        largest: npt.NDArray[np.float32] = states.max(dim=1).values.numpy()
        return largest


def lstm(direction: Direction, inputs: Tensor, mask: Tensor, *, backward: bool) -> Tensor:
    """The hidden state at each position, (rows, length, size), of inputs (rows, length, width)."""
    torch = require("torch")
    rows, length, _ = inputs.shape
    size = len(direction.from_state)
    hidden = cell = inputs.new_zeros((rows, size))
    states = inputs.new_zeros((rows, length, size))
    fed = inputs @ direction.from_input + direction.bias
    for t in reversible(length, backward=backward):
        gates = fed[:, t] + hidden @ direction.from_state
        keep, forget, fresh, show = gates.chunk(4, dim=1)
        new_cell = forget.sigmoid() * cell + keep.sigmoid() * fresh.tanh()
        new_hidden = show.sigmoid() * new_cell.tanh()
        shown = mask[:, t, None]
        cell, hidden = torch.where(shown, new_cell, cell), torch.where(shown, new_hidden, hidden)
        states[:, t] = hidden
    return states


def open_infersent(
    place: Path, *, name: str = "infersent", words: WordVectors | None = None
) -> InferSent:
    """The encoder of infersent1.pkl, a file or in a folder; GloVe 840B unless words are given."""
    path = place / WEIGHTS if place.is_dir() else place
    forward, backward = _read_weights(path)
    table = open_vectors(WORDS) if words is None else words
    width, given = forward.from_input.shape[0], table.vectors.shape[1]
    if width != given:
        raise ConcordantError(
            f"{path} takes word vectors of {width} dimensions, and {table.signature} has {given}"
        )
    digest = folder_digest(path.parent, [path])
    signature = f"{name}|weights:{digest}|words:{table.signature}|{RULES}"
    return InferSent(name, signature, table, forward, backward)


def _read_weights(path: Path) -> tuple[Direction, Direction]:
    torch = require("torch")
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise DataError.at(path, None, f"there is no such file; {WEIGHTS} is needed") from None
    except Exception as fault:  # a damaged file can raise anything
        reason = str(fault).strip().split("\n")[0]
        raise DataError.at(
            path,
            None,
            f"these are not InferSent's weights ({reason}); the file of tensors alone "
            f"({WEIGHTS}) is needed, since a whole pickled model could run anything",
        ) from fault
    if not isinstance(found, dict):
        raise DataError.at(path, None, f"a dict of tensors is needed, not {type(found).__name__}")
    return _direction(found, "_l0", path), _direction(found, "_l0_reverse", path)


def _direction(found: Mapping[str, Tensor], suffix: str, path: Path) -> Direction:
    names = [f"enc_lstm.{key}{suffix}" for key in _KEYS]
    missing = [name for name in names if name not in found]
    if missing:
        raise DataError.at(path, None, f"there is no {missing[0]}; is it InferSent's file?")
    from_input, from_state, input_bias, state_bias = (found[name].float() for name in names)
    size = from_state.shape[-1]
    shapes = [tuple(each.shape) for each in (from_input, from_state, input_bias, state_bias)]
    width = from_input.shape[-1]
    if shapes != [(4 * size, width), (4 * size, size), (4 * size,), (4 * size,)]:
        raise DataError.at(path, None, f"shapes {shapes} of {', '.join(names)} do not fit an LSTM")
    return Direction(
        from_input.T.contiguous(), from_state.T.contiguous(), bias=input_bias + state_bias
    )

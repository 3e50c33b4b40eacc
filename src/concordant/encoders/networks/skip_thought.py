"""Skip-Thought vectors (Kiros et al. 2015) from the files that their authors published.

Two encoders over words: uni-skip, a GRU whose last state is the vector, and bi-skip, a GRU in each
direction. Both vectors are scaled to length 1 and concatenated: 2,400 and 2,400 dimensions in the
published model. Words are cut by encoders/words/word_tokens.py and keep
their case; a word that dictionary.txt does not have is "UNK"; a text without words gets zeros. The
options beside the weights (.pkl) are not needed, and nothing is unpickled.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.encoders.networks.model_folder import folder_digest, require
from concordant.encoders.networks.recurrent import RecurrentEncoder, reversible
from concordant.encoders.words.word_tokens import RULES, word_tokens
from concordant.errors import DataError
from concordant.files import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt
    from torch import Tensor

    Floats = npt.NDArray[np.float32]
    Numbers = npt.NDArray[np.int64]

FILES = ("dictionary.txt", "utable.npy", "uni_skip.npz", "btable.npy", "bi_skip.npz")
UNKNOWN = "UNK"
NEEDS_PICKLE = "holds Python objects, which are not unpickled; save it as plain numbers"


@dataclass(frozen=True)
class GRU:
    """One direction; the gates' columns are reset, then update (the share of the old state)."""

    gates_from_input: Tensor  # W: (word dimension, 2 · size)
    gates_from_state: Tensor  # U: (size, 2 · size)
    gates_bias: Tensor  # b: (2 · size)
    from_input: Tensor  # Wx: (word dimension, size)
    from_state: Tensor  # Ux: (size, size)
    bias: Tensor  # bx: (size)


@dataclass(frozen=True)
class Half:
    """Uni-skip or bi-skip: vectors of words, and the directions that read them."""

    table: Floats
    directions: tuple[GRU, ...]

    @property
    def dimension(self) -> int:
        """The sizes of its directions' states together."""
        return sum(len(gru.from_state) for gru in self.directions)


@dataclass(frozen=True, repr=False)
class SkipThought(Brief, RecurrentEncoder):
    """The encoder of sentences; it has no token states."""

    name: str
    signature: str
    dictionary: Mapping[str, int]
    uni: Half
    bi: Half

    @cached_property
    def dimension(self) -> int:
        """Both halves one after the other."""
        return self.uni.dimension + self.bi.dimension

    def numbers(self, text: str) -> Numbers:
        """The rows of the words, unknown ones as the original has it."""
        unknown = self.dictionary[UNKNOWN]
        rows = [self.dictionary.get(word, unknown) for word in word_tokens(text)]
        return np.array(rows, dtype=np.int64)

    def vectors(self, ids: Numbers, mask: npt.NDArray[np.bool_]) -> Floats:
        """The last states of uni-skip and bi-skip, each half of length 1."""
        torch = require("torch")
        shown = torch.from_numpy(mask)
        halves = []
        for half in (self.uni, self.bi):
            inputs = torch.from_numpy(np.asarray(half.table[ids], dtype=np.float32))
            ends = [
                last_state(gru, inputs, shown, backward=backward)
                for gru, backward in zip(half.directions, (False, True), strict=False)
            ]
            halves.append(_unit_length(torch.cat(ends, dim=1).numpy()))
        return np.concatenate(halves, axis=1)


def last_state(gru: GRU, inputs: Tensor, mask: Tensor, *, backward: bool) -> Tensor:
    """The state after a text's last word, (rows, size), from inputs (rows, length, width).

    As in the original, the reset gate is applied after the product with the old state.
    """
    torch = require("torch")
    rows, length, _ = inputs.shape
    size = len(gru.from_state)
    state = inputs.new_zeros((rows, size))
    fed_gates = inputs @ gru.gates_from_input + gru.gates_bias
    fed = inputs @ gru.from_input + gru.bias
    for t in reversible(length, backward=backward):
        gates = fed_gates[:, t] + state @ gru.gates_from_state
        # Cut first: over a whole tensor, torch rounds its last few sigmoids in another way.
        reset, update = (gate.sigmoid() for gate in gates.chunk(2, dim=1))
        fresh = (state @ gru.from_state * reset + fed[:, t]).tanh()
        state = torch.where(mask[:, t, None], update * state + (1 - update) * fresh, state)
    return state


def _unit_length(rows: Floats) -> Floats:
    lengths = np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def open_skip_thought(folder: Path, *, name: str = "skip-thought") -> SkipThought:
    """The encoder of a folder with dictionary.txt, utable.npy, btable.npy and both .npz files."""
    missing = [file for file in FILES if not (folder / file).is_file()]
    if missing:
        raise DataError.at(
            folder, None, f"there is no {missing[0]}; Skip-Thought has {', '.join(FILES)}"
        )
    dictionary, size = _read_dictionary(folder / FILES[0])
    uni = _half(folder / "utable.npy", folder / "uni_skip.npz", ("encoder",), size)
    bi = _half(folder / "btable.npy", folder / "bi_skip.npz", ("encoder", "encoder_r"), size)
    digest = folder_digest(folder, [folder / file for file in FILES])
    return SkipThought(name, f"{name}|weights:{digest}|{RULES}", dictionary, uni, bi)


def _read_dictionary(path: Path) -> tuple[dict[str, int], int]:
    """The row of each word, and the number of lines; of a repeated word the last row counts."""
    lines = read_text(path).removesuffix("\n").split("\n")
    dictionary = {line.strip(): row for row, line in enumerate(lines)}
    if UNKNOWN not in dictionary:
        raise DataError.at(path, None, f'there is no "{UNKNOWN}", which stands for unknown words')
    return dictionary, len(lines)


def _half(table_path: Path, weights_path: Path, prefixes: Sequence[str], words: int) -> Half:
    try:
        table: Floats = np.load(table_path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError) as fault:
        raise _unreadable(table_path, fault) from None
    if table.ndim != 2 or len(table) != words:
        message = f"is {table.shape}, but dictionary.txt has {words} words, a row for each"
        raise DataError.at(table_path, None, message)
    grus = tuple(_read_gru(weights_path, prefix, table.shape[1]) for prefix in prefixes)
    return Half(table, grus)


def _read_gru(path: Path, prefix: str, width: int) -> GRU:
    torch = require("torch")
    names = [f"{prefix}_{key}" for key in ("W", "U", "b", "Wx", "Ux", "bx")]
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            missing = [name for name in names if name not in found]
            if missing:
                message = f"there is no {missing[0]}; there are {', '.join(found.files)}"
                raise DataError.at(path, None, message)
            arrays = [np.asarray(found[name], dtype=np.float32) for name in names]
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as fault:
        raise _unreadable(path, fault) from None
    size = arrays[4].shape[-1]
    shapes = [array.shape for array in arrays]
    fitting = [(width, 2 * size), (size, 2 * size), (2 * size,), (width, size), (size, size)]
    if shapes != [*fitting, (size,)]:
        message = f"shapes {shapes} of {', '.join(names)} do not fit words of {width} dimensions"
        raise DataError.at(path, None, message)
    return GRU(*(torch.from_numpy(np.ascontiguousarray(array)) for array in arrays))


def _unreadable(path: Path, fault: Exception) -> DataError:
    if "allow_pickle" in str(fault) or "Python objects" in str(fault):
        return DataError.at(path, None, NEEDS_PICKLE)
    return DataError.at(path, None, f"cannot be read as NumPy's format ({fault}); fetch it again")

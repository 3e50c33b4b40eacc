"""Batches of fixed shape, so that a text's numbers depend on that text alone.

The last bits of a matrix product depend on the shapes of its factors and on how many threads share
it. So a text is padded to a length that follows from its own number of tokens, the batch it goes
into has a number of rows that follows from that length (missing rows repeat the first), and one
thread computes a batch. Rows of a batch do not mix; what else stands in it cannot matter. Several
batches run side by side, and each distinct text is in one of them once.

A network that packs the tokens of a batch, so that padding costs almost nothing, fixes its shapes
itself. Its batches hold texts of any length, up to a total number of tokens.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from concordant.encoders.encoders import Encoded
from concordant.encoders.ragged import Ragged
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    import numpy.typing as npt

    from concordant.encoders.encoders import Request, Track

    Floats = npt.NDArray[np.float32]
    Numbers = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Forward = Callable[[Numbers, Flags], "States"]

# Tokens of a batch. MiniLM takes 50 ms for so many on one core, so a single sentence stays quick,
# and larger batches are no faster.
BUDGET = 256
STEP = 8

# The number of threads of a library is a setting of the whole process.
_RUNNING = threading.Lock()


@dataclass(frozen=True)
class PaddedBatch:
    """The places of texts that go through a network together, as `rows` rows of `length` tokens."""

    texts: tuple[int, ...]
    length: int
    rows: int


@dataclass(frozen=True)
class Tokens:
    """Texts as numbers of tokens; `special` marks those that the tokenizer added around a text."""

    ids: Ragged
    special: Ragged


class States(NamedTuple):
    """What a network gives for a batch: (rows, dimension), and (rows, length, width) by layer."""

    sentence: Floats | None
    layers: Mapping[int, Floats]


def plan(
    lengths: Sequence[int] | Numbers,
    *,
    budget: int = BUDGET,
    step: int = STEP,
    longest: int | None = None,
    packed: bool = False,
) -> list[PaddedBatch]:
    """Batches of fixed shape, the longest first; a text without tokens is in none.

    A length is rounded up to a multiple of `step`, but not beyond `longest`. With `packed`, a batch
    has texts whose own tokens are within the budget, and is as long as the longest of them.

    >>> for batch in plan([3, 9, 4, 8], budget=16):
    ...     print(batch)
    PaddedBatch(texts=(1,), length=16, rows=1)
    PaddedBatch(texts=(0, 2), length=8, rows=2)
    PaddedBatch(texts=(3,), length=8, rows=2)
    """
    own = np.asarray(lengths, dtype=np.int64)
    padded = -(-own // step) * step
    if longest is not None:
        padded = np.minimum(padded, longest)
    if packed:
        groups = _fill(own.tolist(), budget)
        return [PaddedBatch(group, int(padded[group[0]]), len(group)) for group in groups]
    order = np.argsort(-padded, kind="stable")
    batches = []
    for length in sorted({int(each) for each in padded if each > 0}, reverse=True):
        members = order[padded[order] == length].tolist()
        rows = max(1, budget // length)
        batches += [
            PaddedBatch(tuple(members[i : i + rows]), length, rows)
            for i in range(0, len(members), rows)
        ]
    return batches


def _fill(lengths: Sequence[int], budget: int) -> list[tuple[int, ...]]:
    """Groups of texts, each the longest one left and then the longest that still fit in.

    >>> _fill([3, 9, 4, 0, 8], budget=12)
    [(1, 0), (4, 2)]
    """
    left: dict[int, list[int]] = {}  # the texts of each length, the first one last
    for i in reversed(range(len(lengths))):
        left.setdefault(lengths[i], []).append(i)
    sizes = sorted(size for size in left if size > 0)
    groups = []
    while sizes:
        group: list[int] = []
        room, at = budget, len(sizes) - 1
        while at >= 0:
            size = sizes[at]
            group.append(left[size].pop())
            room -= size
            if not left[size]:
                del sizes[at]
            at = bisect_right(sizes, room) - 1
        groups.append(tuple(group))
    return groups


def run_batches(
    batches: Sequence[PaddedBatch],
    compute: Callable[[PaddedBatch], None],
    *,
    threads: int = 1,
    track: Track | None = None,
    words: str = "encoding",
    single: AbstractContextManager[Any] | None = None,
) -> None:
    """Call `compute` for every batch, in `threads` threads.

    Inside the context `single`, the library that computes must use one thread for each batch.
    """
    shown = batches if track is None else track(batches, words)
    with _RUNNING, single or nullcontext(), ThreadPoolExecutor(threads) as pool:
        done = pool.map(compute, batches)
        for _ in zip(shown, done, strict=False):  # a bar moves on when its batch is done
            pass


def encode_batched(
    texts: Sequence[str],
    tokenise: Callable[[Sequence[str]], Tokens],
    forward: Forward,
    request: Request,
    *,
    name: str,
    dimension: int,
    pad: int = 0,
    longest: int | None = None,
    budget: int = BUDGET,
    packed: bool = False,
    single: AbstractContextManager[Any] | None = None,
) -> Encoded:
    """What a network computes for the texts, in their order; `forward` gets numbers and a mask.

    A text without tokens has a vector of zeros. If neither vectors nor layers are asked for, the
    result is the tokens as numbers, and the network is not run.
    """
    distinct = list(dict.fromkeys(texts))
    tokens = tokenise(distinct)
    out = _Gathered(tokens, request, name, dimension)

    def compute(batch: PaddedBatch) -> None:
        rows = [*batch.texts, *[batch.texts[0]] * (batch.rows - len(batch.texts))]
        ids = np.full((batch.rows, batch.length), pad, dtype=np.int64)
        lengths = tokens.ids.lengths[rows]
        mask: Flags = np.arange(batch.length) < lengths[:, None]
        for row, i in enumerate(rows):
            ids[row, : lengths[row]] = tokens.ids[i]
        out.take(batch, forward(ids, mask))

    asked = request.sentence or request.layers
    run_batches(
        plan(tokens.ids.lengths if asked else [], budget=budget, longest=longest, packed=packed),
        compute,
        threads=request.threads,
        track=request.track,
        words=f"encoding with {name}",
        single=single,
    )
    place = {text: i for i, text in enumerate(distinct)}
    return out.encoded(None if len(distinct) == len(texts) else [place[text] for text in texts])


class _Gathered:
    """Arrays for all texts, into which each batch writes its own rows."""

    def __init__(self, tokens: Tokens, request: Request, name: str, dimension: int) -> None:
        kept = ~tokens.special.values.astype(bool)
        counts = np.concatenate([[0], np.cumsum(kept)])
        starts = counts[tokens.ids.starts].astype(np.int64)
        self.name, self.tokens = name, tokens
        asked = request.layers or not request.sentence
        self.pieces = Ragged(tokens.ids.values[kept], starts) if asked else None
        shape = (len(tokens.ids), dimension)
        self.sentence = np.zeros(shape, dtype=np.float32) if request.sentence else None
        self.layers = {
            layer: Ragged(np.zeros((counts[-1], dimension), dtype=np.float32), starts)
            for layer in request.layers
        }

    def take(self, batch: PaddedBatch, states: States) -> None:
        """Keep what belongs to a batch's own texts, without special tokens and padding."""
        if self.sentence is not None and states.sentence is not None:
            self._finite(states.sentence)
            self.sentence[list(batch.texts)] = states.sentence[: len(batch.texts)]
        for layer, values in self.layers.items():
            for row, i in enumerate(batch.texts):
                special = self.tokens.special[i].astype(bool)
                values[i][:] = self._finite(states.layers[layer][row, : len(special)][~special])

    def _finite(self, values: Floats) -> Floats:
        if not np.isfinite(values).all():
            raise ConcordantError(
                f"{self.name} returns numbers that are not finite; its weights may be damaged"
            )
        return values

    def encoded(self, rows: list[int] | None) -> Encoded:
        """All of it; with `rows`, the texts at those places."""
        if rows is None:
            return Encoded(self.sentence, self.layers, self.pieces)
        return Encoded(
            None if self.sentence is None else self.sentence[rows],
            {layer: values.take(rows) for layer, values in self.layers.items()},
            None if self.pieces is None else self.pieces.take(rows),
        )

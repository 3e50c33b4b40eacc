"""One protocol for everything that turns a text into vectors.

An encoder gives a vector for a text (`encode`), the states of its tokens at any layer (`tokens`),
or both in one pass (`run`). The same text gets the same numbers to the last bit, whatever stands
beside it and however many threads run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from concordant.brief import Brief
from concordant.encoders.cache.cache import cached_rows
from concordant.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt

    from concordant.encoders.cache.cache_store import Cache
    from concordant.encoders.ragged import Ragged

    Vectors = npt.NDArray[np.float32]
    # Wraps a list of batches, so that a progress bar can be shown: track(batches, words).
    Track = Callable[[Sequence[Any], str], Iterable[Any]]


@dataclass(frozen=True, repr=False)
class Encoded(Brief):
    """What an encoder says of some texts, in their order.

    `sentence` is (texts, dimension), None unless asked for. `layers` has the token states of each
    layer asked for, special tokens left out; `pieces` the tokens themselves as numbers, the same
    number for the same token (negative: unknown to the encoder), aligned with the states. They are
    there where layers are asked for; to ask for nothing at all gives them alone, at little cost.
    """

    sentence: Vectors | None
    layers: Mapping[int, Ragged]
    pieces: Ragged | None


class Encoder(Protocol):
    """A text encoder; `depth` is its last layer with token states, None if it has none.

    Layer 0 is what goes into the network (static vectors have only that one).
    """

    @property
    def name(self) -> str:
        """The name it was asked for by."""
        ...

    @property
    def signature(self) -> str:
        """What computes the numbers: name, hash of the weights, options."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a sentence vector."""
        ...

    @property
    def depth(self) -> int | None:
        """The last layer that has token states."""
        ...

    def run(
        self,
        texts: Sequence[str],
        *,
        sentence: bool = True,
        layers: Sequence[int] = (),
        threads: int = 1,
        track: Track | None = None,
    ) -> Encoded:
        """Vectors of the texts, token states of the layers, in one pass."""
        ...


def encode(
    encoder: Encoder,
    texts: Sequence[str],
    *,
    threads: int = 1,
    track: Track | None = None,
    store: Cache | None = None,
) -> Vectors:
    """The vector of each text, (texts, dimension); what the cache knows is not computed again."""

    def compute(places: list[int]) -> Vectors:
        found = encoder.run([texts[i] for i in places], threads=threads, track=track).sentence
        if found is None:
            raise AssertionError(encoder.name)
        return found

    if encoder.depth == 0:  # a table of vectors is faster than a file of them
        return compute(list(range(len(texts))))
    rows = cached_rows(encoder.signature, texts, compute, width=encoder.dimension, store=store)
    return rows.astype(np.float32, copy=False)


def tokens(
    encoder: Encoder,
    texts: Sequence[str],
    layers: Sequence[int],
    *,
    threads: int = 1,
    track: Track | None = None,
) -> Mapping[int, Ragged]:
    """The token states of each text at each layer, special tokens left out."""
    check_layers(encoder, layers)
    return encoder.run(texts, sentence=False, layers=layers, threads=threads, track=track).layers


def check_layers(encoder: Encoder, layers: Sequence[int]) -> None:
    """Refuse layers that an encoder does not have."""
    if encoder.depth is None:
        raise SpecError(f"{encoder.name} gives no token states, only vectors of whole texts")
    wrong = [layer for layer in layers if not 0 <= layer <= encoder.depth]
    if wrong:
        raise SpecError(f"{encoder.name} has layers 0 to {encoder.depth}, not {wrong[0]}")

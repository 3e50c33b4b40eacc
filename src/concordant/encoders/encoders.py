"""What turns a text into vectors.

An encoder gives a vector for a text, the states of its tokens at any layer, or both in one pass.
The same text gets the same numbers to the last bit, whatever stands beside it and however many
threads run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
    """What an encoder gives for some texts, in their order.

    `sentence` is (texts, dimension), None unless asked for. `layers` has the token states of each
    layer asked for, without special tokens; `pieces` the tokens themselves as numbers, the same
    number for the same token (negative: unknown to the encoder), aligned with the states. `pieces`
    is there if layers are asked for. Asking for nothing at all gives it alone, at little cost.
    """

    sentence: Vectors | None
    layers: Mapping[int, Ragged]
    pieces: Ragged | None


@dataclass(frozen=True)
class Request:
    """What is asked of an encoder: vectors of texts, token states of layers."""

    sentence: bool = True
    layers: Sequence[int] = ()
    threads: int = 1
    track: Track | None = None


class Encoder(ABC):
    """A text encoder; layer 0 is what goes into the network (static vectors have only that one)."""

    if TYPE_CHECKING:  # each is a field, an attribute or a cached property of the subclass

        @property
        def name(self) -> str:
            """The name it was asked for by."""

        @property
        def signature(self) -> str:
            """What computes the numbers: name, hash of the weights, options."""

        @property
        def dimension(self) -> int:
            """The length of a sentence vector."""

        @property
        def depth(self) -> int | None:
            """The last layer that has token states, None if there is none."""

    def run(
        self,
        texts: Sequence[str],
        *,
        sentence: bool = True,
        layers: Sequence[int] = (),
        threads: int = 1,
        track: Track | None = None,
    ) -> Encoded:
        """Vectors of the texts, token states of the layers without special tokens, in one pass."""
        self.check_layers(layers)
        return self.compute(texts, Request(sentence, layers, threads, track))

    @abstractmethod
    def compute(self, texts: Sequence[str], request: Request) -> Encoded:
        """What `run` gives, for layers that there are."""

    def check_layers(self, layers: Sequence[int]) -> None:
        """Raise if any of the layers has no token states."""
        if layers and self.depth is None:
            raise SpecError(f"{self.name} gives no token states, only vectors of whole texts")
        wrong = [layer for layer in layers if not 0 <= layer <= (self.depth or 0)]
        if wrong:
            known = f"layers 0 to {self.depth}" if self.depth else "only layer 0"
            raise SpecError(f"{self.name} has {known}, not {wrong[0]}")


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

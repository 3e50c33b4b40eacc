"""What the recurrent sentence encoders share: words as numbers, through a network, in batches.

Each text's words are looked up first; a network then sees numbers and a mask, as the others do
(embeddings/batching.py). Where the mask is off, a recurrent state stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.embeddings.batching import Request, States, Tokens, encode_batched
from concordant.embeddings.ragged import Ragged, ragged
from concordant.embeddings.torch_threads import one_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from concordant.embeddings.encoders import Encoded, Track

    Numbers = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float32]

# Words of a batch. Every step of a recurrence reads all weights, so that more rows cost little.
BUDGET = 512


def encode_words(
    texts: Sequence[str],
    numbers: Callable[[str], Numbers],
    forward: Callable[[Numbers, Flags], Floats],
    *,
    name: str,
    dimension: int,
    threads: int = 1,
    track: Track | None = None,
) -> Encoded:
    """The vector of each text, (texts, dimension); zeros where `numbers` gives no word of it."""

    def tokenise(distinct: Sequence[str]) -> Tokens:
        ids = ragged([np.zeros(0, dtype=np.int64), *map(numbers, distinct)])
        ids = Ragged(ids.values, ids.starts[1:])
        return Tokens(ids, Ragged(np.zeros(len(ids.values), dtype=bool), ids.starts))

    return encode_batched(
        texts,
        tokenise,
        lambda ids, mask: States(forward(ids, mask), {}),
        Request(dimension, {}, threads=threads, track=track),
        name=name,
        budget=BUDGET,
        single=one_thread(),
    )


def reversible(length: int, *, backward: bool) -> Sequence[int]:
    """The positions of a text in the order in which a direction reads them.

    >>> list(reversible(3, backward=True))
    [2, 1, 0]
    """
    return range(length - 1, -1, -1) if backward else range(length)

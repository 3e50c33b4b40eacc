"""What the recurrent sentence encoders share: words as numbers, through a network, in batches.

Each text's words are looked up first; a network then sees numbers and a mask, as the others do
(encoders/networks/batching.py). Where the mask is off, a recurrent state stays as it is.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.encoders import Encoder
from concordant.encoders.networks.batching import States, Tokens, encode_batched
from concordant.encoders.networks.torch_threads import one_thread
from concordant.encoders.ragged import Ragged, ragged

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from concordant.encoders.encoders import Encoded, Request

    Numbers = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float32]

# Words of a batch. Every step of a recurrence reads all weights, so that more rows cost little.
BUDGET = 512


class RecurrentEncoder(Encoder):
    """An encoder of whole sentences that reads them word by word."""

    depth = None

    @abstractmethod
    def numbers(self, text: str) -> Numbers:
        """The words of a text as the network knows them; none: its vector will be zeros."""

    @abstractmethod
    def vectors(self, ids: Numbers, mask: Flags) -> Floats:
        """The vectors of a batch of texts, (rows, dimension)."""

    def compute(self, texts: Sequence[str], request: Request) -> Encoded:
        """The vector of each text; zeros where no word of it is known."""
        return encode_batched(
            texts,
            self._tokens,
            lambda ids, mask: States(self.vectors(ids, mask), {}),
            request,
            name=self.name,
            dimension=self.dimension,
            budget=BUDGET,
            single=one_thread(),
        )

    def _tokens(self, texts: Sequence[str]) -> Tokens:
        ids = ragged([np.zeros(0, dtype=np.int64), *map(self.numbers, texts)])
        ids = Ragged(ids.values, ids.starts[1:])
        return Tokens(ids, Ragged(np.zeros(len(ids.values), dtype=bool), ids.starts))


def reversible(length: int, *, backward: bool) -> Sequence[int]:
    """The positions of a text in the order in which a direction reads them.

    >>> list(reversible(3, backward=True))
    [2, 1, 0]
    """
    return range(length - 1, -1, -1) if backward else range(length)

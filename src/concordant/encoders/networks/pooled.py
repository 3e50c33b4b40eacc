"""Encoders whose vector of a text is pooled from the token states of a layer.

The model's folder says how (Reimers and Gurevych 2019), unless the user asks for something else.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders.encoders import Encoder
from concordant.encoders.networks.batching import States, Tokens, encode_batched
from concordant.encoders.networks.model_folder import folder_digest
from concordant.encoders.networks.model_tokenizer import open_tokenizer
from concordant.encoders.networks.pooling import POOLS, scale_to_unit
from concordant.encoders.ragged import ragged

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import numpy.typing as npt

    from concordant.encoders.encoders import Encoded, Request
    from concordant.encoders.networks.model_folder import Settings
    from concordant.encoders.networks.model_tokenizer import Tokenizer

    Floats = npt.NDArray[np.float32]
    Network = Callable[[npt.NDArray[np.int64], npt.NDArray[np.bool_]], Mapping[int, Floats]]


class PooledEncoder(Encoder):
    """What the encoders of a folder share; `layer` is the one that is pooled.

    Texts beyond the model's length (`settings.longest`) are cut off there.
    """

    name: str
    folder: Path
    settings: Settings
    stripped = False  # whether white space around a text is cut off
    layer: int
    depth: int

    @property
    def packed(self) -> bool:
        """Whether the network packs the tokens of a batch by itself."""
        return False

    @abstractmethod
    def network(self, layers: Collection[int]) -> Network:
        """From numbers of tokens and their mask to the states of these layers."""

    def single(self) -> AbstractContextManager[Any] | None:
        """The context in which the library uses one thread for each batch, if it needs one."""
        return None

    def compute(self, texts: Sequence[str], request: Request) -> Encoded:
        """Vectors of the texts, token states of the layers, in one pass."""
        network = self.network({*request.layers, *([self.layer] if request.sentence else [])})
        pool = POOLS[self.settings.pool]

        def forward(ids: npt.NDArray[np.int64], mask: npt.NDArray[np.bool_]) -> States:
            states = network(ids, mask)
            if not request.sentence:
                return States(None, states)
            vectors = pool(states[self.layer], mask)
            return States(scale_to_unit(vectors) if self.settings.normalise else vectors, states)

        return encode_batched(
            texts,
            self._tokens,
            forward,
            request,
            name=self.name,
            dimension=self.dimension,
            pad=self._tokenizer.pad,
            longest=self.settings.longest,
            packed=self.packed,
            single=self.single(),
        )

    def describe(self, files: Sequence[Path], **chosen: object) -> str:
        """The signature: name, hash of the weights, options."""
        told = {
            "weights": folder_digest(self.folder, files),
            "pool": self.settings.pool,
            **chosen,
            "norm": "yes" if self.settings.normalise else "no",
            "tokens": self.settings.longest,
        }
        return "|".join([self.name, *(f"{key}:{value}" for key, value in told.items())])

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return open_tokenizer(self.settings.transformer, self.settings.longest)

    def _tokens(self, texts: Sequence[str]) -> Tokens:
        cleaned = [text.strip() for text in texts] if self.stripped else list(texts)
        if self.settings.lower:
            cleaned = [text.lower() for text in cleaned]
        ids, marks = self._tokenizer.numbers(cleaned) if cleaned else ([], [])
        return Tokens(
            ragged([np.array(each, dtype=np.int64) for each in ids]),
            ragged([np.array(each, dtype=bool) for each in marks]),
        )

"""Encoders that transformers or sentence-transformers saved in a folder, run by PyTorch in fp32.

The vector of a text is pooled from a layer as the folder says (Reimers and Gurevych 2019), or as
asked for. Only the layers that are needed are run: the states of layer 3 of 6 cost half. Nothing is
ever downloaded; a hub's name is looked up in the user's own hub cache.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders.networks.batching import Request, States, Tokens, encode_batched
from concordant.encoders.networks.bert import hidden_states, is_usual, read_bert
from concordant.encoders.networks.model_folder import (
    check_pool,
    folder_digest,
    needed,
    read_settings,
    refuse_own_code,
)
from concordant.encoders.networks.model_tokenizer import open_tokenizer, quiet_library
from concordant.encoders.networks.pooling import POOLS, normalised
from concordant.encoders.networks.torch_threads import one_thread
from concordant.encoders.ragged import ragged
from concordant.errors import ConcordantError, DataError, SpecError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    import numpy.typing as npt

    from concordant.encoders.encoders import Encoded, Track
    from concordant.encoders.networks.bert import Bert
    from concordant.encoders.networks.model_folder import Settings
    from concordant.encoders.networks.model_tokenizer import Tokenizer

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")


class TransformerEncoder:
    """An encoder from a folder or from a name in the local hub cache; the model loads when run.

    `pool` (mean, cls, max) and `layer` (0: embeddings) say what the vector of a text is made of;
    without them it is what the folder says. Texts beyond the model's length (256 tokens for MiniLM)
    are cut off there, as sentence-transformers does.
    """

    def __init__(
        self,
        where: str | Path,
        *,
        name: str | None = None,
        pool: str | None = None,
        layer: int | None = None,
    ) -> None:
        self.name = str(where) if name is None else name
        self.folder = Path(where) if Path(where).is_dir() else _in_hub_cache(str(where))
        settings = read_settings(self.folder)
        refuse_own_code(settings.transformer / "config.json")
        check_pool(settings.pool if pool is None else pool)
        self.settings = settings if pool is None else replace(settings, pool=pool)
        self.dimension, self.depth = _size(settings)
        self.layer = self.depth if layer is None else layer
        self._check_layers([self.layer])
        self._models: dict[int, Any] = {}

    @cached_property
    def signature(self) -> str:
        """What computes the numbers: name, hash of the weights, options."""
        folder = self.settings.transformer
        files = [path for path in sorted(folder.iterdir()) if _counts(path)]
        told = {
            "weights": folder_digest(self.folder, files),
            "pool": self.settings.pool,
            "layer": self.layer,
            "norm": "yes" if self.settings.normalise else "no",
            "tokens": self.settings.longest,
        }
        return "|".join([self.name, *(f"{key}:{value}" for key, value in told.items())])

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
        self._check_layers(layers)
        torch = needed("torch")
        asked = {*layers, *([self.layer] if sentence else [])}
        network = self._network(asked)
        pool = POOLS[self.settings.pool]

        def forward(ids: npt.NDArray[np.int64], mask: npt.NDArray[np.bool_]) -> States:
            with torch.inference_mode():
                states = network(torch.from_numpy(ids), torch.from_numpy(mask))
            kept = {layer: states[layer].numpy() for layer in layers}
            if not sentence:
                return States(None, kept)
            vectors = pool(states[self.layer].numpy(), mask)
            return States(normalised(vectors) if self.settings.normalise else vectors, kept)

        return encode_batched(
            texts,
            self._tokens,
            forward,
            Request(
                self.dimension if sentence else None,
                dict.fromkeys(layers, self.dimension),
                threads=threads,
                track=track,
            ),
            name=self.name,
            pad=self._tokenizer.pad,
            longest=self.settings.longest,
            packed=self._is_usual,
            single=one_thread(),
        )

    def _check_layers(self, layers: Sequence[int]) -> None:
        for layer in layers:
            if not 0 <= layer <= self.depth:
                raise SpecError(f"{self.name} has layers 0 to {self.depth}, not {layer}")

    def _tokens(self, texts: Sequence[str]) -> Tokens:
        cleaned = [text.strip() for text in texts]  # as sentence-transformers does
        if self.settings.lower:
            cleaned = [text.lower() for text in cleaned]
        ids, marks = self._tokenizer.numbers(cleaned) if cleaned else ([], [])
        return Tokens(
            ragged([np.array(each, dtype=np.int64) for each in ids]),
            ragged([np.array(each, dtype=bool) for each in marks]),
        )

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return open_tokenizer(self.settings.transformer, self.settings.longest)

    def _network(self, layers: Collection[int]) -> Callable[[Any, Any], Any]:
        """From numbers of tokens and their mask to states, which are found by their layers."""
        if self._is_usual:
            return partial(hidden_states, self._bert, layers=layers)
        model = self._first_layers(max(layers, default=0))
        return lambda ids, mask: (
            model(
                input_ids=ids, attention_mask=mask.long(), output_hidden_states=True
            ).hidden_states
        )

    @cached_property
    def _is_usual(self) -> bool:
        return is_usual(self.settings.transformer)

    @cached_property
    def _bert(self) -> Bert:
        return read_bert(self.settings.transformer)

    @cached_property
    def _model(self) -> Any:
        folder = self.settings.transformer
        if not any((folder / name).is_file() for name in _WEIGHTS):
            raise DataError.at(folder, None, "there is no model.safetensors with the weights")
        with quiet_library(folder, "model") as transformers:
            model, report = transformers.AutoModel.from_pretrained(
                str(folder),
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                output_loading_info=True,
            )
        # Nothing reads the pooler, BERT's head over the first token, and not every file has it.
        missing = sorted(key for key in report["missing_keys"] if not key.startswith("pooler."))
        if missing:
            raise DataError.at(folder, None, f"the weights have no {missing[0]}; they are damaged")
        return model.float().eval()

    def _first_layers(self, deepest: int) -> Any:
        """The model with its first layers only, or whole where that would change the numbers."""
        if deepest not in self._models:
            self._models[deepest] = _cut(self._model, max(deepest, 1), self.depth)
        return self._models[deepest]


def _in_hub_cache(name: str) -> Path:
    """The folder of a model that the user's hub cache has."""
    hub = needed("huggingface_hub")
    try:
        return Path(hub.snapshot_download(name, local_files_only=True))
    except (OSError, ValueError) as fault:
        raise ConcordantError(
            f'"{name}" is neither a folder nor in the local hub cache, and nothing is downloaded; '
            "download the model yourself, or give the path of its folder"
        ) from fault


def _size(settings: Settings) -> tuple[int, int]:
    """The width of the states and the number of layers."""
    if settings.width is None or settings.depth is None:
        raise DataError.at(
            settings.transformer / "config.json",
            None,
            "hidden_size or num_hidden_layers is missing",
        )
    return settings.width, settings.depth


def _counts(path: Path) -> bool:
    """Whether a file of a folder can change the numbers."""
    return path.suffix in {".safetensors", ".json", ".txt", ".model"}


def _cut(model: Any, layers: int, depth: int) -> Any:
    """The first layers of a model, sharing its weights."""
    if layers == depth:
        return model
    torch = needed("torch")
    shared = {id(each): each for each in chain(model.parameters(), model.buffers())}
    shorter = copy.deepcopy(model, shared)
    for parent in shorter.modules():
        for key, stack in list(parent.named_children()):
            if isinstance(stack, torch.nn.ModuleList) and len(stack) == depth:
                setattr(parent, key, stack[:layers])
    # Some models normalise after their last layer: there, the shorter one says something else.
    with torch.inference_mode():
        ids = torch.arange(1, 9)[None]
        states = [each(input_ids=ids, output_hidden_states=True) for each in (model, shorter)]
    same = torch.equal(states[0].hidden_states[layers], states[1].hidden_states[layers])
    return shorter if same else model

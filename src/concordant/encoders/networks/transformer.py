"""Encoders that transformers or sentence-transformers saved in a folder, run by PyTorch in fp32.

Only the layers that are needed are run: the states of layer 3 of 6 take half the time. Nothing is
ever downloaded; a hub's name is looked up in the user's own hub cache.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.encoders.networks.bert import hidden_states, is_usual, read_bert
from concordant.encoders.networks.eight_bits import eight_bit_network
from concordant.encoders.networks.model_folder import (
    check_pool,
    read_settings,
    refuse_own_code,
    require,
)
from concordant.encoders.networks.model_tokenizer import quiet_library
from concordant.encoders.networks.pooled import PooledEncoder
from concordant.encoders.networks.torch_threads import one_thread
from concordant.errors import ConcordantError, DataError, SpecError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from contextlib import AbstractContextManager

    from concordant.encoders.networks.bert import Bert
    from concordant.encoders.networks.model_folder import Settings
    from concordant.encoders.networks.pooled import Network

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")


class TransformerEncoder(PooledEncoder):
    """An encoder from a folder or from a name in the local hub cache; the model loads when run.

    `pool` (mean, cls, max) and `layer` (0: embeddings) say what the vector of a text is made of;
    without them it is what the folder says. `bits`, "8", has a BERT or MPNet run in 8 bits. As in
    sentence-transformers, white space around a text is stripped, and texts are cut off at the
    model's length (256 tokens for MiniLM).
    """

    stripped = True
    dimension: int

    def __init__(
        self,
        where: str | Path,
        *,
        name: str | None = None,
        pool: str | None = None,
        layer: int | None = None,
        bits: str = "",
    ) -> None:
        self.name = str(where) if name is None else name
        self.folder = Path(where) if Path(where).is_dir() else _in_hub_cache(str(where))
        settings = read_settings(self.folder)
        refuse_own_code(settings.transformer / "config.json")
        check_pool(settings.pool if pool is None else pool)
        self.settings = settings if pool is None else replace(settings, pool=pool)
        self.dimension, self.depth = _size(settings)
        self.layer = self.depth if layer is None else layer
        self.bits = bits
        self.check_layers([self.layer])
        if bits not in {"", "8"} or (bits and not self._is_usual):
            raise SpecError(f"{self.name}: bits={bits} is not possible; only a BERT or MPNet has 8")
        self._models: dict[int, Any] = {}

    @cached_property
    def signature(self) -> str:
        """What computes the numbers: name, hash of the weights, options."""
        files = [path for path in sorted(self.settings.transformer.iterdir()) if _counts(path)]
        bits = {"bits": self.bits} if self.bits else {}
        return self.describe(files, layer=self.layer, **bits)

    @property
    def packed(self) -> bool:
        """Our own function packs the tokens of a batch."""
        return self._is_usual

    def single(self) -> AbstractContextManager[None]:
        """One thread for each call into torch."""
        return one_thread()

    def network(self, layers: Collection[int]) -> Network:
        """From numbers of tokens and their mask to the states of these layers."""
        if self.bits:
            return eight_bit_network(self._bert, layers)
        torch, states_of = require("torch"), self._states_of(layers)

        def states(ids: Any, mask: Any) -> dict[int, Any]:
            with torch.inference_mode():
                found = states_of(torch.from_numpy(ids), torch.from_numpy(mask))
            return {layer: found[layer].numpy() for layer in layers}

        return states

    def _states_of(self, layers: Collection[int]) -> Callable[[Any, Any], Any]:
        """The same in torch; states may be those of other layers too."""
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
    hub = require("huggingface_hub")
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
    torch = require("torch")
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

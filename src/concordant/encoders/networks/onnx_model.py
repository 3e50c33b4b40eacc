"""Encoders exported to ONNX: a folder with a model and tokenizer.json, run by onnxruntime.

The vector of a text is the mean of the last layer's token states with length 1, unless the folder
says otherwise in the files of sentence-transformers. Token states are those of the last layer, the
only ones that an export has.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders.networks.model_folder import (
    check_pool,
    read_settings,
    require,
    telling_damage,
)
from concordant.encoders.networks.pooled import PooledEncoder
from concordant.errors import ConcordantError, DataError, SpecError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy.typing as npt

    from concordant.encoders.networks.pooled import Network

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_ERRORS_ONLY = 3  # onnxruntime's levels of severity


class OnnxEncoder(PooledEncoder):
    """An encoder from a folder with an ONNX model; the model loads when run.

    Texts beyond the model's length (usually 512 tokens) are cut off there.
    """

    def __init__(
        self, folder: str | Path, *, name: str | None = None, pool: str | None = None
    ) -> None:
        self.folder = Path(folder)
        self.name = str(folder) if name is None else name
        settings = read_settings(self.folder)
        self.settings = replace(
            settings,
            pool=check_pool(settings.pool if pool is None else pool),
            normalise=settings.normalise is not False,
        )
        # The last layer, which alone has token states; 1 where config.json does not tell.
        self.depth = self.layer = 1 if settings.depth is None else settings.depth
        self.model_file = _model_file(self.folder)
        if not (self.folder / "tokenizer.json").is_file():
            raise DataError.at(self.folder, None, "an ONNX encoder has its tokenizer.json here")

    @cached_property
    def signature(self) -> str:
        """What computes the numbers: name, hash of the weights, options."""
        # Large models keep their weights in a file beside the model.
        beside = sorted(self.folder.glob(f"{self.model_file.name}[._]data"))
        return self.describe([self.model_file, *beside, self.folder / "tokenizer.json"])

    @cached_property
    def dimension(self) -> int:
        """The length of a sentence vector, and of a token's state."""
        if self.settings.width is not None:
            return self.settings.width
        return int(_states_output(self._session, self.model_file).shape[2])

    def check_layers(self, layers: Sequence[int]) -> None:
        """Raise if any of the layers is not the last one."""
        wrong = [layer for layer in layers if layer != self.depth]
        if wrong:
            raise SpecError(
                f"{self.name} is an ONNX model, which has the states of its last layer, "
                f"{self.depth}, and not of {wrong[0]}"
            )

    def network(self, layers: Collection[int]) -> Network:
        """From numbers of tokens and their mask to the states of the last layer."""
        session = self._session
        wanted = [each.name for each in session.get_inputs()]
        output = _states_output(session, self.model_file).name

        def states(
            ids: npt.NDArray[np.int64], mask: npt.NDArray[np.bool_]
        ) -> dict[int, npt.NDArray[np.float32]]:
            given = dict(
                zip(_INPUTS, (ids, mask.astype(np.int64), np.zeros_like(ids)), strict=True)
            )
            (found,) = session.run([output], {each: given[each] for each in wanted})
            return dict.fromkeys(layers, found)

        return states

    @cached_property
    def _session(self) -> Any:
        runtime = require("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        with telling_damage(self.folder, "model"):
            session = runtime.InferenceSession(
                str(self.model_file), options, providers=["CPUExecutionProvider"]
            )
        unknown = [each.name for each in session.get_inputs() if each.name not in _INPUTS]
        if unknown:
            raise ConcordantError(
                f"{self.model_file} wants an input {unknown[0]}; "
                f"a text encoder has {', '.join(_INPUTS)}"
            )
        return session


def _model_file(folder: Path) -> Path:
    """model.onnx, or the only file of that kind."""
    if (folder / "model.onnx").is_file():
        return folder / "model.onnx"
    found = sorted(folder.glob("*.onnx"))
    if len(found) != 1:
        what = ", ".join(path.name for path in found) or "no .onnx file"
        raise DataError.at(folder, None, f"model.onnx is missing; found {what}")
    return found[0]


def _states_output(session: Any, path: Path) -> Any:
    """The output with a state for each token, (texts, tokens, width); the first such one."""
    for output in session.get_outputs():
        if len(output.shape) == 3:
            return output
    raise ConcordantError(f"{path} has no output (texts, tokens, width), which an encoder has")

"""Encoders exported to ONNX: a folder with a model and tokenizer.json, run by onnxruntime.

The vector of a text is the mean of the last layer's token states with length 1, unless the folder
says otherwise in the files of sentence-transformers. Token states are those of the last layer, the
only ones that an export has.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.arguments import encodable
from concordant.encoders.networks.batching import Request, States, Tokens, encode_batched
from concordant.encoders.networks.model_folder import (
    check_pool,
    folder_digest,
    needed,
    read_settings,
)
from concordant.encoders.networks.pooling import POOLS, normalised
from concordant.encoders.ragged import ragged
from concordant.errors import ConcordantError, DataError, SpecError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from concordant.encoders.encoders import Encoded, Track

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_ERRORS_ONLY = 3  # onnxruntime's levels of severity


class OnnxEncoder:
    """An encoder from a folder with an ONNX model; the model loads when run.

    Texts beyond the model's length (usually 512 tokens) are cut off there.
    """

    def __init__(
        self, folder: str | Path, *, name: str | None = None, pool: str | None = None
    ) -> None:
        self.folder = Path(folder)
        self.name = str(folder) if name is None else name
        self.settings = read_settings(self.folder)
        self.pool = check_pool(self.settings.pool if pool is None else pool)
        self.normalise = self.settings.normalise is not False
        self.model_file = _model_file(self.folder)
        self.tokenizer_file = self.folder / "tokenizer.json"
        if not self.tokenizer_file.is_file():
            raise DataError.at(self.folder, None, "an ONNX encoder has its tokenizer.json here")

    @cached_property
    def signature(self) -> str:
        """What computes the numbers: name, hash of the weights, options."""
        # Large models keep their weights in a file beside the model.
        beside = sorted(self.folder.glob(f"{self.model_file.name}[._]data"))
        files = [self.model_file, *beside, self.tokenizer_file]
        told = {
            "weights": folder_digest(self.folder, files),
            "pool": self.pool,
            "norm": "yes" if self.normalise else "no",
            "tokens": self.settings.longest,
        }
        return "|".join([self.name, *(f"{key}:{value}" for key, value in told.items())])

    @cached_property
    def dimension(self) -> int:
        """The length of a sentence vector, and of a token's state."""
        if self.settings.width is not None:
            return self.settings.width
        return int(_states_output(self._session, self.model_file).shape[2])

    @property
    def depth(self) -> int:
        """The last layer, which alone has token states; 1 where config.json does not tell."""
        return 1 if self.settings.depth is None else self.settings.depth

    def run(
        self,
        texts: Sequence[str],
        *,
        sentence: bool = True,
        layers: Sequence[int] = (),
        threads: int = 1,
        track: Track | None = None,
    ) -> Encoded:
        """Vectors of the texts, token states of the last layer, in one pass."""
        for layer in layers:
            if layer != self.depth:
                raise SpecError(
                    f"{self.name} is an ONNX model, which has the states of its last layer, "
                    f"{self.depth}, and not of {layer}"
                )
        session, pool = self._session, POOLS[self.pool]
        wanted = [each.name for each in session.get_inputs()]
        output = _states_output(session, self.model_file).name

        def forward(ids: npt.NDArray[np.int64], mask: npt.NDArray[np.bool_]) -> States:
            given = dict(
                zip(_INPUTS, (ids, mask.astype(np.int64), np.zeros_like(ids)), strict=True)
            )
            (states,) = session.run([output], {each: given[each] for each in wanted})
            kept = dict.fromkeys(layers, states)
            if not sentence:
                return States(None, kept)
            vectors = pool(states, mask)
            return States(normalised(vectors) if self.normalise else vectors, kept)

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
            longest=self.settings.longest,
        )

    def _tokens(self, texts: Sequence[str]) -> Tokens:
        cleaned = [text.lower() for text in texts] if self.settings.lower else list(texts)
        found = self._tokenizer.encode_batch(encodable(cleaned))
        return Tokens(
            ragged([np.array(each.ids, dtype=np.int64) for each in found]),
            ragged([np.array(each.special_tokens_mask, dtype=bool) for each in found]),
        )

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizers = needed("tokenizers")
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(self.tokenizer_file))
        except Exception as fault:  # the library raises no other kind
            raise _damaged(self.tokenizer_file, fault) from fault
        tokenizer.enable_truncation(self.settings.longest)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        runtime = needed("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        try:
            session = runtime.InferenceSession(
                str(self.model_file), options, providers=["CPUExecutionProvider"]
            )
        except Exception as fault:  # of many kinds, without a common one of its own
            raise _damaged(self.model_file, fault) from fault
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


def _damaged(path: Path, fault: Exception) -> DataError:
    words = str(fault).strip().partition("\n")[0]
    return DataError.at(path, None, f"this file cannot be loaded, it may be damaged ({words})")

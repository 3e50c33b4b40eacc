"""The tokenizer of a model's folder: texts → numbers of tokens, as the model was trained on.

tokenizer.json is read by the `tokenizers` library alone; from other files, transformers builds the
tokenizer. Nothing is ever downloaded.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concordant.arguments import encodable
from concordant.encoders.networks.model_folder import refuse_own_code, require, telling_damage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    Numbers = tuple[list[list[int]], list[list[int]]]


@dataclass(frozen=True)
class Tokenizer:
    """`numbers` of texts: of their tokens, and 1 for those put around a text; `pad` fills rows."""

    numbers: Callable[[Sequence[str]], Numbers]
    pad: int


def open_tokenizer(folder: Path, longest: int) -> Tokenizer:
    """The tokenizer of a folder; texts are cut off after so many tokens."""
    fast = folder / "tokenizer.json"
    return _fast(fast, longest) if fast.is_file() else _of_library(folder, longest)


def _fast(file: Path, longest: int) -> Tokenizer:
    with telling_damage(file.parent, "tokenizer"):
        tokenizer = require("tokenizers").Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)

    def numbers(texts: Sequence[str]) -> Numbers:
        found = tokenizer.encode_batch(encodable(texts))
        return [each.ids for each in found], [each.special_tokens_mask for each in found]

    pads = (tokenizer.token_to_id(name) for name in ("[PAD]", "<pad>"))
    return Tokenizer(numbers, next((pad for pad in pads if pad is not None), 0))


def _of_library(folder: Path, longest: int) -> Tokenizer:
    refuse_own_code(folder / "tokenizer_config.json")
    with quiet_library(folder, "tokenizer") as transformers:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )

    def numbers(texts: Sequence[str]) -> Numbers:
        found = tokenizer(
            encodable(texts),
            truncation=True,
            max_length=longest,
            return_special_tokens_mask=True,
            return_attention_mask=False,
        )
        return found["input_ids"], found["special_tokens_mask"]

    return Tokenizer(numbers, tokenizer.pad_token_id or 0)


@contextmanager
def quiet_library(folder: Path, what: str) -> Iterator[Any]:
    """transformers, quiet; whatever it raises becomes one sentence."""
    require("torch")
    transformers = require("transformers")
    logging = transformers.utils.logging
    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with telling_damage(folder, what):
            yield transformers
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()

"""What the json files of a model's folder say, read without loading the model.

A folder of transformers has config.json and tokenizer_config.json; one of sentence-transformers has
modules.json, 1_Pooling/config.json and sentence_bert_config.json too, which say how token states
become the vector of a text. Without them it is the mean of the last layer.
"""

from __future__ import annotations

import importlib
import json
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.encoders.networks.pooling import POOLS
from concordant.errors import ConcordantError, DataError, check_known
from concordant.resources.contents import RECORD, listing_digest, sha256_of
from concordant.resources.places import read_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Families of models call the same thing by different names.
_WIDTH = ("hidden_size", "dim", "d_model", "n_embd")
_DEPTH = ("num_hidden_layers", "n_layers", "num_layers", "n_layer")
# Their positions begin after the number of the padding token.
_LATE_POSITIONS = {"roberta", "xlm-roberta", "camembert", "mpnet"}
_OLD_POOLS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_MODULES = {"Transformer", "Pooling", "Normalize"}


@dataclass(frozen=True)
class Settings:
    """A model as its folder describes it: texts beyond `longest` tokens are cut off there.

    `width` and `depth` are None where nothing tells, `normalise` where modules.json is missing.
    """

    transformer: Path
    width: int | None
    depth: int | None
    longest: int
    pool: str
    normalise: bool | None
    lower: bool


def read_settings(folder: Path) -> Settings:
    """The settings of a folder of transformers, sentence-transformers or an exported model."""
    modules = _modules(folder)
    transformer = folder / modules.get("Transformer", "")
    config = read_json(transformer / "config.json")
    sentences = read_json(transformer / "sentence_bert_config.json")
    return Settings(
        transformer,
        width=_first(config, _WIDTH),
        depth=_first(config, _DEPTH),
        longest=_longest(config, read_json(transformer / "tokenizer_config.json"), sentences),
        pool=_pool(folder / modules.get("Pooling", "1_Pooling") / "config.json"),
        normalise="Normalize" in modules if modules else None,
        lower=bool(sentences.get("do_lower_case")),
    )


def read_json(path: Path) -> dict[str, Any]:
    """The object in a json file; an empty one where there is no file."""
    found = _json(path) if path.is_file() else {}
    if not isinstance(found, dict):
        raise DataError.at(path, None, f"an object is needed here, not {type(found).__name__}")
    return found


def refuse_own_code(path: Path) -> None:
    """Refuse a model whose json file names code of its own: it would have to be run."""
    if "auto_map" in read_json(path):
        raise DataError.at(
            path,
            None,
            "the model has its own code (auto_map), which is never run; use a model of a "
            "class that transformers has, or an ONNX export",
        )


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as fault:
        raise DataError.at(path, None, f"this is not json ({fault})") from fault


def check_pool(pool: str) -> str:
    """The pooling, if it is one we know."""
    check_known("pool", pool, POOLS)
    return pool


def folder_digest(folder: Path, files: Sequence[Path]) -> str:
    """Twelve hexadecimal digits for a part, by its record, or for the files of another folder."""
    if (folder / RECORD).is_file():
        hashes = dict(read_record(folder).files)
    else:
        hashes = {path.name: sha256_of(path) for path in files}
    return listing_digest(hashes)[:12]


def require(package: str) -> Any:
    """An optional package, or how to install it."""
    try:
        return importlib.import_module(package)
    except ImportError as fault:
        raise ConcordantError(
            f"this encoder needs {package}: pip install 'concordant[encoders]'"
        ) from fault


@contextmanager
def telling_damage(folder: Path, what: str) -> Iterator[None]:
    """Make one sentence of whatever a library raises when it reads a model's folder."""
    try:
        yield
    except ConcordantError:
        raise
    except Exception as fault:  # of many kinds, from several libraries
        words = str(fault).strip().partition("\n")[0]
        raise DataError.at(
            folder, None, f"its {what} cannot be loaded: a file is missing or damaged ({words})"
        ) from fault


def _modules(folder: Path) -> dict[str, str]:
    """The folder of each module of sentence-transformers, which lies inside the model's."""
    path = folder / "modules.json"
    listed = _json(path) if path.is_file() else []
    try:
        found = {str(each["type"]).rpartition(".")[2]: str(each["path"]) for each in listed}
    except (TypeError, KeyError) as fault:
        raise DataError.at(path, None, "a list of modules with type and path is needed") from fault
    outside = [each for each in found.values() if Path(each).is_absolute() or ".." in each]
    if outside:
        raise DataError.at(path, None, f'the path "{outside[0]}" leaves the model\'s folder')
    unknown = sorted(found.keys() - _MODULES)
    if unknown:
        known = ", ".join(sorted(_MODULES))
        raise DataError.at(path, None, f"module {unknown[0]} is not one of {known}")
    return found


def _first(config: Mapping[str, Any], names: Sequence[str]) -> int | None:
    return next((_whole(config, name) for name in names if name in config), None)


def _whole(config: Mapping[str, Any], name: str) -> int:
    """A number of a model's settings; all of them count something."""
    value = config[name]
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or value < 0:
        raise ConcordantError(f"{name} in a model's settings is {value!r}, not a whole number")
    return value


def _longest(
    config: Mapping[str, Any], tokenizer: Mapping[str, Any], sentences: Mapping[str, Any]
) -> int:
    if sentences.get("max_seq_length") is not None:
        return _whole(sentences, "max_seq_length")
    positions = _whole({"max_position_embeddings": 512, **config}, "max_position_embeddings")
    if config.get("model_type") in _LATE_POSITIONS:
        positions -= _whole({"pad_token_id": 1, **config}, "pad_token_id") + 1
    if not tokenizer.get("model_max_length"):
        return positions
    return min(positions, _whole(tokenizer, "model_max_length"))


def _pool(path: Path) -> str:
    """The pooling that a folder names; it is checked when no other is asked for."""
    config = read_json(path)
    named = config.get("pooling_mode")
    modes = [mode for key, mode in _OLD_POOLS.items() if config.get(key)]
    if named is not None:
        modes = [str(each) for each in named] if isinstance(named, list) else [str(named)]
    return "+".join(modes) or "mean"

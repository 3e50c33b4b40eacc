"""Every encoder by name: an installed part, the user's own folder or file, or a hub name.

What a folder holds (resources/shapes.py) tells which encoder reads it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from concordant.errors import SpecError, nearest
from concordant.resources.places import is_installed, locate, own_path
from concordant.resources.shapes import SHAPES, WORD_VECTORS, detect_shape
from concordant.resources.table import PARTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from concordant.encoders.encoders import Encoder


def encoder_named(name: str, options: Mapping[str, str] | None = None) -> Encoder:
    """The encoder of a name, with options such as layer and pool where it has them."""
    return _opened(folder_of(name), name, tuple(sorted((options or {}).items())))


@lru_cache(maxsize=16)
def _opened(folder: Path | None, name: str, options: tuple[tuple[str, str], ...]) -> Encoder:
    if folder is None:
        return _transformer(name, name, dict(options))  # perhaps in the user's hub cache
    shape = _shape(folder)
    if shape not in BUILDERS:
        raise SpecError(f"{name} is {SHAPES[shape].title}, not an encoder")
    return BUILDERS[shape](folder, name, dict(options))


def _shape(path: Path) -> str:
    if path.name == "infersent1.pkl":
        return "infersent"
    if (path / "vectors.npy").is_file() or (path / "words.txt").is_file():
        return WORD_VECTORS
    if (path / "modules.json").is_file():  # sentence-transformers, whose weights may lie deeper
        return "transformers"
    return detect_shape(path)


def folder_of(name: str) -> Path | None:
    """Where a part or path is; None for a name that can only be a hub's, such as org/model."""
    if name in PARTS or is_installed(name):
        return locate(name)
    path = own_path(name)
    if path.exists():
        return path
    if name.count("/") == 1 and not name.startswith((".", "/", "~")):
        return None
    known = [part for part, each in PARTS.items() if each.kind != "measure data"]
    raise SpecError(
        f'encoder "{name}" is not one of {", ".join(known)}, nor a file or folder'
        f"{nearest(name, known)}"
    )


def _transformer(place: Path | str, name: str, options: Mapping[str, str]) -> Encoder:
    from concordant.encoders.networks.transformer import TransformerEncoder  # noqa: PLC0415 - by need

    layer = _only(name, options, "layer", "pool").get("layer")
    if layer is not None and not layer.isdecimal():
        raise SpecError(f'{name}: layer "{layer}" is not a number')
    return TransformerEncoder(
        place, name=name, pool=options.get("pool"), layer=None if layer is None else int(layer)
    )


def _onnx(folder: Path, name: str, options: Mapping[str, str]) -> Encoder:
    from concordant.encoders.networks.onnx_model import OnnxEncoder  # noqa: PLC0415 - by need

    return OnnxEncoder(folder, name=name, pool=_only(name, options, "pool").get("pool"))


def _static(folder: Path, name: str, options: Mapping[str, str]) -> Encoder:
    from concordant.encoders.pieces.static_pieces import load_static  # noqa: PLC0415 - by need

    _only(name, options)
    return load_static(folder, name=name)


def _words(path: Path, name: str, options: Mapping[str, str]) -> Encoder:
    from concordant.encoders.words.averages import WordEncoder  # noqa: PLC0415 - by need
    from concordant.encoders.words.words import open_vectors  # noqa: PLC0415

    _only(name, options)
    return WordEncoder(open_vectors(name if name in PARTS or is_installed(name) else path))


def _use(folder: Path, name: str, options: Mapping[str, str]) -> Encoder:
    from concordant.encoders.networks.use_m3 import UseEncoder  # noqa: PLC0415 - by need

    _only(name, options)
    return UseEncoder(folder, name=name)


def _parser(folder: Path, name: str, options: Mapping[str, str]) -> Encoder:
    from concordant.encoders.syntax.syntax import open_syntax  # noqa: PLC0415 - by need

    _only(name, options)
    return open_syntax(name if name in PARTS or is_installed(name) else folder)


def _infersent(place: Path, name: str, options: Mapping[str, str]) -> Encoder:
    from concordant.encoders.networks.infersent import open_infersent  # noqa: PLC0415 - by need

    _only(name, options)
    return open_infersent(place, name=name)


def _skip_thought(folder: Path, name: str, options: Mapping[str, str]) -> Encoder:
    from concordant.encoders.networks.skip_thought import open_skip_thought  # noqa: PLC0415 - by need

    _only(name, options)
    return open_skip_thought(folder, name=name)


def _only(name: str, options: Mapping[str, str], *known: str) -> Mapping[str, str]:
    wrong = [key for key in options if key not in known]
    if wrong:
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise SpecError(f'{name} has no option "{wrong[0]}"; {has}')
    return options


# What a path holds → the encoder that reads it.
BUILDERS: dict[str, Callable[[Path, str, Mapping[str, str]], Encoder]] = {
    "spacy": _parser,
    "universal": _use,
    "skip-thought": _skip_thought,
    "infersent": _infersent,
    "onnx": _onnx,
    "static": _static,
    "transformers": _transformer,
    WORD_VECTORS: _words,
}

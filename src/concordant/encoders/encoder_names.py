"""Every encoder by name: an installed part, the user's own folder or file, or a hub name.

What a folder holds (resources/shapes.py) tells which encoder reads it.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from concordant.errors import SpecError, nearest
from concordant.resources.places import known_place
from concordant.resources.shapes import SHAPES, WORD_VECTORS, detect_shape
from concordant.resources.table import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from concordant.encoders.encoders import Encoder


def encoder_named(name: str, options: Mapping[str, str] | None = None) -> Encoder:
    """The encoder of a name, with options such as layer and pool where it has them."""
    return _open_once(folder_of(name), name, tuple(sorted((options or {}).items())))


@lru_cache(maxsize=16)
def _open_once(folder: Path | None, name: str, options: tuple[tuple[str, str], ...]) -> Encoder:
    if folder is None:
        return _open("transformers", name, name, dict(options))  # perhaps in the user's hub cache
    shape = _shape(folder)
    if shape not in OPENERS:
        raise SpecError(f"{name} is {SHAPES[shape].title}, not an encoder")
    return _open(shape, folder, name, dict(options))


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
    place = known_place(name)
    if place is not None:
        return place
    if name.count("/") == 1 and not name.startswith((".", "/", "~")):
        return None
    known = [part for part, each in PARTS.items() if each.kind != "measure data"]
    raise SpecError(
        f'encoder "{name}" is not one of {", ".join(known)}, nor a file or folder'
        f"{nearest(name, known)}"
    )


# What a path holds → the function that opens the encoder, and the options that it takes.
OPENERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "spacy": ("syntax.syntax:open_syntax", ()),
    "universal": ("networks.use_m3:UseEncoder", ()),
    "skip-thought": ("networks.skip_thought:open_skip_thought", ()),
    "infersent": ("networks.infersent:open_infersent", ()),
    "onnx": ("networks.onnx_model:OnnxEncoder", ("pool",)),
    "static": ("pieces.static_pieces:load_static", ()),
    "transformers": ("networks.transformer:TransformerEncoder", ("layer", "pool", "bits")),
    WORD_VECTORS: ("words.averages:open_words", ()),
}


def _open(shape: str, place: Path | str, name: str, options: Mapping[str, str]) -> Encoder:
    opener, known = OPENERS[shape]
    wrong = [key for key in options if key not in known]
    if wrong:
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise SpecError(f'{name} has no option "{wrong[0]}"; {has}')
    chosen: dict[str, str | int] = dict(options)
    if "layer" in options:
        if not options["layer"].isdecimal():
            raise SpecError(f'{name}: layer "{options["layer"]}" is not a number')
        chosen["layer"] = int(options["layer"])
    module, _, function = opener.partition(":")
    found = getattr(import_module(f"concordant.encoders.{module}"), function)
    opened: Encoder = found(place, name=name, **chosen)
    return opened

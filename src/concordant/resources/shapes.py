"""What a folder is, by the files in it: a spaCy pipeline, a transformers model and so on.

A known part must have the files of its shape; the user's own folder gets the first shape whose
files it has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Shape:
    """The files that a folder of one shape has ("a|b": either), and what a person calls it.

    `mark` is a text that a shape's config.json must have, where files alone do not tell.
    """

    kind: str
    title: str
    files: tuple[str, ...]
    mark: str = ""


WORD_VECTORS = "word-vectors"
# The order is that of detection: special shapes first.
SHAPES: dict[str, Shape] = {
    "spacy": Shape("parser", "a spaCy pipeline", ("meta.json", "config.cfg")),
    "meteor": Shape("measure data", "METEOR's files", ("meteor-1.5.jar",)),
    "universal": Shape(
        "encoder", "a Universal Sentence Encoder for NumPy", ("weights.npz", "sp.model")
    ),
    "skip-thought": Shape(
        "encoder",
        "a Skip-Thought model",
        ("utable.npy", "btable.npy", "uni_skip.npz", "bi_skip.npz", "dictionary.txt"),
    ),
    "infersent": Shape("encoder", "an InferSent model", ("infersent1.pkl",)),
    "onnx": Shape("encoder", "an ONNX model", ("model.onnx", "tokenizer.json")),
    "static": Shape(
        "encoder", "a model2vec model", ("model.safetensors", "tokenizer.json"), mark="model2vec"
    ),
    "transformers": Shape(
        "encoder",
        "a transformers model",
        ("config.json", "model.safetensors|model.safetensors.index.json"),
    ),
    WORD_VECTORS: Shape("word vectors", "word vectors", ()),
}


def missing_files(shape: str, folder: Path) -> list[str]:
    """The files of a shape that a folder lacks."""
    return [
        names.replace("|", " or ")
        for names in SHAPES[shape].files
        if not any((folder / name).is_file() for name in names.split("|"))
    ]


def detect_shape(path: Path, *, kind: str | None = None) -> str:
    """The shape of a user's file or folder; a file is word vectors."""
    if path.is_file() and kind in {None, SHAPES[WORD_VECTORS].kind}:
        return WORD_VECTORS
    for name, shape in SHAPES.items():
        if shape.files and kind in {None, shape.kind} and _has_shape(path, name):
            return name
    allowed = "; ".join(
        f"{shape.title} ({', '.join(shape.files) or 'one file'})".replace("|", " or ")
        for shape in SHAPES.values()
        if kind in {None, shape.kind}
    )
    wanted = "" if kind is None else f" of the kind {kind}"
    raise DataError.at(path, None, f"this is not a known part{wanted}; known are: {allowed}")


def _has_shape(path: Path, name: str) -> bool:
    if missing_files(name, path):
        return False
    config, mark = path / "config.json", SHAPES[name].mark
    return not mark or (config.is_file() and mark in config.read_text("utf-8", "replace"))

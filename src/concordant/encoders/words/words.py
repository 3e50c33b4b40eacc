"""Word vectors mapped from disk: opened in milliseconds, and only the pages that are used are read.

The mapped form is a folder: `vectors.npy` and `norms.npy` (float32), the words in UTF-8 one after
another in `words.bin` with `word_starts.npy`, their hash table in `slots.npy`, and `meta.toml`,
written last, which says how many words and dimensions there are and the sha256 of all of it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders import _native
from concordant.encoders.words.compact_words import open_compact
from concordant.encoders.words.vector_files import read_vectors
from concordant.encoders.words.word_table import Meta, WordVectors, damage_error, row_norms
from concordant.errors import ConcordantError, DataError, SpecError
from concordant.resources.contents import check_once
from concordant.resources.drafts import draft_folder
from concordant.resources.places import (
    cache_folder,
    is_installed,
    locate,
    own_path,
    read_record,
)
from concordant.resources.shapes import WORD_VECTORS
from concordant.toml_text import read_toml, toml_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Rows = npt.NDArray[np.int32]

FORMAT = 1
META = "meta.toml"
STRAY_CAPITALS = 0.01  # the share of words with capitals that a vocabulary in lower case may have
_ARRAYS = {
    "vectors": np.float32,
    "norms": np.float32,
    "word_starts": np.int64,
    "slots": np.uint64,
}
_FILES = ("words.bin", *(f"{name}.npy" for name in _ARRAYS))


def open_vectors(source: str | Path) -> WordVectors:
    """The vectors of a part's name, of a mapped folder, or of a file in any shape we read.

    A file is converted once, into the user's cache folder; after that it opens as fast as a part.
    """
    path = own_path(source)
    is_name = isinstance(source, str) and path.name == source
    if is_name and is_installed(path.name):
        folder = _word_vectors(path.name)
        if (folder / "words.txt").is_file():
            return open_compact(folder, name=path.name)
        return open_mapped(folder, name=path.name)
    if (path / META).is_file():
        _check_mapped(path)
        return open_mapped(path, name=path.resolve().name)
    if path.is_file():
        return open_mapped(_convert(path), name=path.name)
    if is_name:
        locate(path.name)  # says how a part is installed
    raise DataError.at(path, None, f"there is no such file, nor a folder with a {META}")


def _word_vectors(name: str) -> Path:
    """The folder of an installed part, which must be one of word vectors."""
    folder = locate(name)
    if (folder / "words.txt").is_file():
        return folder
    if not (folder / META).is_file() and read_record(folder).shape != WORD_VECTORS:
        raise SpecError(f"{name} is not a part with word vectors; use sentence({name}) instead")
    return folder


def write_mapped(folder: Path, words: Sequence[str], matrix: npt.NDArray[Any]) -> None:
    """Write words and their matrix (words, dimension) into a folder in the mapped form."""
    _check_table(words, matrix)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / META).unlink(missing_ok=True)
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    starts = np.concatenate([[0], np.cumsum([len(word) for word in encoded])]).astype(np.int64)
    joined = b"".join(encoded)
    (folder / "words.bin").write_bytes(joined)
    np.save(folder / "word_starts.npy", starts)
    np.save(folder / "slots.npy", _native.word_slots(np.frombuffer(joined, np.uint8), starts))
    np.save(folder / "vectors.npy", np.ascontiguousarray(matrix, dtype=np.float32))
    np.save(folder / "norms.npy", row_norms(matrix))
    facts = {
        "format": FORMAT,
        "words": len(words),
        "dimension": matrix.shape[1],
        "case": _case(words),
        "sha256": _digest(folder),
    }
    (folder / META).write_text(toml_text(facts), encoding="utf-8")


def open_mapped(folder: Path, *, name: str) -> WordVectors:
    """The vectors of a mapped folder; an error where its files do not fit each other."""
    meta = _read_meta(folder)
    try:
        word_bytes = np.memmap(folder / "words.bin", dtype=np.uint8, mode="r")
        arrays = {key: _map_file(folder / f"{key}.npy") for key in _ARRAYS}
    except (OSError, ValueError, EOFError) as fault:
        raise damage_error(folder, str(fault)) from fault
    shapes = {
        "vectors": (meta.words, meta.dimension),
        "norms": (meta.words,),
        "word_starts": (meta.words + 1,),
        "slots": (_slot_count(meta.words),),
    }
    for key, shape in shapes.items():
        array = arrays[key]
        if array.shape != shape or array.dtype != _ARRAYS[key] or not array.flags.c_contiguous:
            found = f"{key}.npy is {array.dtype} {array.shape}"
            raise damage_error(folder, f"{found}, not {np.dtype(_ARRAYS[key])} {shape}")
    if arrays["word_starts"][-1] != len(word_bytes):
        raise damage_error(folder, "words.bin has another length than word_starts.npy says")
    index = _native.WordIndex(word_bytes, arrays["word_starts"], arrays["slots"])
    return WordVectors(name, folder, meta, arrays["vectors"], index)


def verify_mapped(folder: Path) -> None:
    """Read all of a mapped folder; an error unless every byte is as it was written."""
    try:
        found = _digest(folder)
    except OSError as fault:
        raise damage_error(folder, str(fault)) from fault
    if found != _read_meta(folder).sha256:
        raise damage_error(folder, f"the files have another sha256 than {META} says")


def _map_file(path: Path) -> npt.NDArray[Any]:
    return np.asarray(np.lib.format.open_memmap(path, mode="r"))


def _check_table(words: Sequence[str], matrix: npt.NDArray[Any]) -> None:
    if matrix.ndim != 2 or len(matrix) != len(words) or matrix.size == 0:
        raise ConcordantError(
            f"{len(words)} words need a matrix with as many rows, not one of {matrix.shape}"
        )
    if "" in words:
        raise ConcordantError(f"word {words.index('') + 1} is empty")
    if len(set(words)) < len(words):
        twice = Counter(words).most_common(1)[0][0]
        raise ConcordantError(f'the word "{twice}" appears twice; each word may appear once')
    for first in range(0, len(matrix), 4096):
        wrong = np.flatnonzero(~np.isfinite(matrix[first : first + 4096]).all(axis=1))
        if wrong.size:
            word = words[first + int(wrong[0])]
            raise ConcordantError(f'the vector of "{word}" has a number that is not finite')


def _case(words: Sequence[str]) -> str:
    capitals = sum(word != word.lower() for word in words)
    return "lower" if capitals <= STRAY_CAPITALS * len(words) else "mixed"


def _slot_count(words: int) -> int:
    """The power of two that the kernel takes: at least twice the words."""
    return max(2, 1 << (2 * words - 1).bit_length())


def _read_meta(folder: Path) -> Meta:
    try:
        facts = read_toml(folder / META)
        version = facts.pop("format")
        if version == FORMAT:
            meta = Meta(**facts)
            sizes = (int(meta.words), int(meta.dimension), len(meta.sha256))
    except DataError as fault:
        raise damage_error(folder, f"{META}: {fault.faults[0].message}") from fault
    except (KeyError, TypeError, ValueError) as fault:
        raise damage_error(folder, f"{META} lacks values or has odd ones: {fault}") from fault
    if version != FORMAT:
        message = f"mapped vectors of format {version}, where this version reads format {FORMAT}"
        raise DataError.at(folder, None, f"{message}; update it or convert the vectors again")
    if min(sizes) < 1 or meta.case not in {"lower", "mixed"}:
        raise damage_error(folder, f"{META} has impossible values")
    return meta


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in _FILES:
        with (folder / name).open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def _convert(path: Path) -> Path:
    """The mapped folder of a file of vectors, made at the first call.

    A file is known by its path, size and times, the last of which no program can set at will.
    """
    state = path.stat()
    facts = (FORMAT, path.resolve(), state.st_size, state.st_mtime_ns, state.st_ctime_ns)
    key = hashlib.sha256(repr(facts).encode("utf-8", "surrogatepass")).hexdigest()[:24]
    folder = cache_folder() / "vectors" / key
    if _is_intact(folder):
        return folder
    words, matrix = read_vectors(path)
    with draft_folder(folder.parent) as draft:
        write_mapped(draft / key, words, matrix)
        try:
            (draft / key).rename(folder)
        except OSError:
            if not _is_intact(folder):  # another process may have been first
                raise
    return folder


def _is_intact(folder: Path) -> bool:
    """Whether a folder in the cache is whole; one that is damaged is removed."""
    try:
        _check_mapped(folder)
    except DataError:
        shutil.rmtree(folder, ignore_errors=True)
        return False
    return True


def _check_mapped(folder: Path) -> None:
    check_once(folder, lambda: verify_mapped(folder), memory=cache_folder() / "verified")

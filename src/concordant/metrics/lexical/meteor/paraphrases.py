"""METEOR's paraphrase tables as a trie in arrays, compiled once and mapped from disk afterwards.

A table is a .gz of three lines an entry: probability, phrase, what the phrase can be said as. The
English one has five million entries, which take half a minute to read and as many megabytes as
lines; the arrays take milliseconds. Nodes of the trie are numbered level by level, one word first,
and within a level by parent and word, so that the children of a node stand together.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import zlib
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError, DataError
from concordant.metrics.lexical import _native
from concordant.resources.contents import changes, check_once, file_hashes
from concordant.resources.drafts import draft_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    Numbers = npt.NDArray[np.int32]

FORMAT = "v2"
HASHES = "hashes.json"
_ARRAYS = ("child_starts", "child_words", "entry_starts", "entries")


@dataclass(frozen=True)
class PhraseTable:
    """Paraphrases for the kernel, and the numbers of the words they consist of."""

    words: dict[str, int]
    table: _native.Paraphrases

    def nodes(self, words: Sequence[str]) -> Numbers:
        """The node of each word as a phrase; -1 where no phrase has the word."""
        return np.array([self.words.get(word, -1) for word in words], dtype=np.int32)


def load_paraphrases(path: Path, cache: Path) -> PhraseTable:
    """The table of a .gz file; compiled into `cache` at the first call (half a minute)."""
    folder = cache / f"meteor-{path.name.removesuffix('.gz')}-{fingerprint(path)}-{FORMAT}"
    if not _is_sound(folder, cache / "verified"):
        shutil.rmtree(folder, ignore_errors=True)  # damaged, if it is there at all
        words, arrays = compile_paraphrases(path)
        if not _save(folder, words, arrays):
            return _table(words, arrays)
    arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in _ARRAYS}
    return _table((folder / "words.txt").read_text(encoding="utf-8").split("\n"), arrays)


def compile_paraphrases(path: Path) -> tuple[list[str], dict[str, Numbers]]:
    """The words and the arrays of the trie of a table."""
    phrases: dict[str, int] = {}
    sources, targets = array("i"), array("i")
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        try:
            for _, source, target in zip(lines, lines, lines, strict=True):
                sources.append(phrases.setdefault(source, len(phrases)))
                targets.append(phrases.setdefault(target, len(phrases)))
        except (ValueError, EOFError, gzip.BadGzipFile, zlib.error) as fault:
            message = "a paraphrase table has three lines an entry, in UTF-8 and gzip"
            raise DataError.at(path, None, f"{message}; this one is cut off or another") from fault
    words, lengths, flat = _split(list(phrases), path)
    nodes, child_starts, child_words = _trie(lengths, flat, len(words))
    source_nodes = nodes[np.frombuffer(sources, dtype=np.int32)] if sources else nodes[:0]
    order = np.argsort(source_nodes, kind="stable")
    entries = nodes[np.frombuffer(targets, dtype=np.int32)][order] if targets else nodes[:0]
    entry_starts = _starts(source_nodes, len(child_starts) - 1)
    return words, dict(
        zip(_ARRAYS, (child_starts, child_words, entry_starts, entries), strict=True)
    )


def _split(phrases: list[str], path: Path) -> tuple[list[str], Numbers, Numbers]:
    """The words of all phrases; then each phrase's length and, one after another, its words."""
    words: dict[str, int] = {}
    lengths, flat = array("i"), array("i")
    for phrase in phrases:
        tokens = phrase.split()
        if not tokens:
            raise DataError.at(path, None, "a phrase is empty")
        lengths.append(len(tokens))
        flat.extend([words.setdefault(token, len(words)) for token in tokens])
    return list(words), np.array(lengths, dtype=np.int32), np.array(flat, dtype=np.int32)


def _trie(lengths: Numbers, flat: Numbers, words: int) -> tuple[Numbers, Numbers, Numbers]:
    """The node of each phrase, and the children of each node."""
    first = np.cumsum(lengths, dtype=np.int64) - lengths
    nodes = flat[first] if len(flat) else flat
    parents: list[npt.NDArray[np.int64]] = []
    child_words: list[npt.NDArray[np.int64]] = []
    size = words
    for level in range(1, int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > level)
        keys = nodes[longer].astype(np.int64) * words + flat[first[longer] + level]
        children, place = np.unique(keys, return_inverse=True)
        nodes[longer] = size + place
        parents.append(children // words)
        child_words.append(children % words)
        size += len(children)
    none = np.zeros(0, dtype=np.int64)
    starts = _starts(np.concatenate([none, *parents]), size)
    return nodes, starts, np.concatenate([none, *child_words]).astype(np.int32)


def _starts(owners: npt.NDArray[np.integer], size: int) -> Numbers:
    """Where each owner's things begin, if they are put in the order of their owners."""
    counts = np.bincount(owners, minlength=size)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def _table(words: list[str], arrays: dict[str, Numbers]) -> PhraseTable:
    table = _native.Paraphrases(**arrays)
    return PhraseTable({word: number for number, word in enumerate(words)}, table)


def _is_sound(folder: Path, memory: Path) -> bool:
    """Whether a compiled table is there and its files are those that were written."""

    def check() -> None:
        recorded = json.loads((folder / HASHES).read_text(encoding="utf-8"))
        faults = changes(recorded, folder, beside=(HASHES,))
        if faults:
            raise ValueError(faults[0])

    try:
        check_once(folder, check, memory=memory)
    except (OSError, ValueError, TypeError, AttributeError):
        return False
    return folder.is_dir()


def fingerprint(path: Path) -> str:
    """A .gz file ends in a checksum and the length of what it holds."""
    with path.open("rb") as file:
        file.seek(-8, os.SEEK_END)
        return file.read().hex()


def _save(folder: Path, words: list[str], arrays: dict[str, Numbers]) -> bool:
    """Write the table as a whole or not at all; False where the cache cannot be written."""
    try:
        with draft_folder(folder.parent / "drafts") as draft:
            whole = draft / folder.name
            whole.mkdir()
            (whole / "words.txt").write_text("\n".join(words), encoding="utf-8")
            for name, values in arrays.items():
                np.save(whole / f"{name}.npy", values)
            (whole / HASHES).write_text(json.dumps(dict(file_hashes(whole))), encoding="utf-8")
            whole.rename(folder)
    except ConcordantError:  # no room, or another process was first
        return folder.is_dir()
    return True

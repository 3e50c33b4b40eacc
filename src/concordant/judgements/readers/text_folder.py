"""The plain layout of texts: a folder with source.txt, reference.txt and one file per system.

`source.txt` and `documents.txt` may be missing, `reference.txt` too, or there are several
(`reference-1.txt`, `reference-2.txt`, …); the translations are in `systems/`, each file named
for its system. Line i of every file is segment i.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from concordant.errors import DataError
from concordant.judgements.names import system_in, testset_of
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.text_trees import (
    TestSetFiles,
    bare_name,
    by_name,
    files_in,
    left_over,
    read_test_sets,
    whole_pair,
)
from concordant.records import Collection

if TYPE_CHECKING:
    from pathlib import Path

SYSTEMS = "systems"
_TEXT = re.compile(r"(source|documents|reference(-\d+)?)\.txt(\.gz)?")
_WORD_SUFFIX = re.compile(r"\.[A-Za-z]+$")


def looks_like(head: Head) -> str | None:
    """Why this folder is of the plain layout, or None."""
    systems = files_in(head.path / SYSTEMS)
    texts = [path.name for path in _texts(head.path)]
    plain = all(path.name.removesuffix(".gz").endswith(".txt") for path in systems)
    if not systems or not (texts or plain):
        return None
    return f"it has {', '.join([*texts, SYSTEMS + '/'])} with a file for each system"


def read(path: Path) -> Collection:
    """The texts of a folder as one test set."""
    name, pair = _testset_and_pair(path)
    texts, faults = by_name(_texts(path), bare_name)
    systems, system_faults = by_name(files_in(path / SYSTEMS), lambda file: _system(file, pair))
    if not systems:
        raise DataError.at(
            path, None, f"has no files in {SYSTEMS}/; put the systems' files there as NAME.txt"
        )
    faults += system_faults
    references = sorted((n for n in texts if n.startswith("reference")), key=_reference_number)
    task = TestSetFiles(
        name,
        pair,
        source=texts.get("source"),
        references={reference: texts[reference] for reference in references},
        systems=systems,
        documents=texts.get("documents"),
    )
    testsets, _ = read_test_sets([task], faults)
    if faults:
        raise DataError(faults)
    left_out = left_over(path, [SYSTEMS], claims(path))
    return Collection(testsets=tuple(testsets), left_out=tuple(left_out))


def claims(path: Path) -> set[Path]:
    """The files of a folder that this format reads."""
    return {*_texts(path), *files_in(path / SYSTEMS)}


def _texts(folder: Path) -> list[Path]:
    return [path for path in files_in(folder) if _TEXT.fullmatch(path.name)]


def _reference_number(name: str) -> int:
    return int(name.partition("-")[2] or 0)


def _system(path: Path, pair: str) -> str:
    """The system that a file is named for; a suffix of letters goes, a number like .4017 stays."""
    return system_in(_WORD_SUFFIX.sub("", path.name.removesuffix(".gz")), pair)


def _testset_and_pair(folder: Path) -> tuple[str, str]:
    """Where a folder is named for its language pair, the one above it is named for the test set."""
    place = folder.resolve()
    pair = whole_pair(place.name)
    owner = place if pair is None else place.parent
    return testset_of(place) or owner.name.lower(), pair or ""


FORMAT = Format(
    name="text-folder",
    title="texts in a folder, one file per system",
    example="source.txt, reference.txt, systems/NAME.txt, …",
    looks_like=looks_like,
    read=read,
    folder=True,
    claims=claims,
)

"""WMT's tree of plain texts (2012 to 2019): sources, references and a file per system.

`sources/newstest2014-csen-src.cs`, `references/newstest2014-csen-ref.en` (in earlier years without
`csen`, one text for all language pairs) and `system-outputs/newstest2014/cs-en/` with the system in
the file's name. A text of the pair en-cs may be named `csen` as well: German of 2014 shows that the
two directions need not be of the same length, so the language decides which side is taken.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from concordant.errors import DataError, Fault
from concordant.judgements.names import split_system, system_in
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.text_trees import (
    TestSetFiles,
    bare_name,
    by_name,
    files_in,
    folders_in,
    left_over,
    read_test_sets,
    whole_pair,
)
from concordant.records import Collection, LeftOut

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OUTPUTS = "system-outputs"
UNUSED = "with texts that no translations belong to"
FOLDERS = {"src": "sources", "ref": "references"}
_TEXT = re.compile(
    r"(?P<testset>.+?)(?:-(?P<pair>[a-z]{4,6}))?-(?P<name>(?:src|ref)[A-Z0-9]*)"
    r"\.(?P<language>[a-z]{2,3})"
)


class Text(NamedTuple):
    """A source or a reference: what its file name says of it ("" for a pair not given)."""

    testset: str
    pair: str
    name: str
    language: str
    path: Path


def looks_like(head: Head) -> str | None:
    """Why this folder is WMT's tree, or None."""
    folders = _output_folders(head.path)
    if not folders:
        return None
    return f"it has {folders[0].relative_to(head.path).as_posix()}/ with a file for each system"


def read(path: Path) -> Collection:
    """A test set for each folder of translations; texts that belong to none of them are noted."""
    folders = _output_folders(path)
    if not folders:
        raise DataError.at(
            path,
            None,
            f"has no translations such as {OUTPUTS}/newstest2014/cs-en/newstest2014.NAME.cs-en",
        )
    sources, references = (_texts(path, kind) for kind in FOLDERS)
    faults: list[Fault] = []
    tasks = [_task(folder, sources, references, faults) for folder in folders]
    testsets, lines = read_test_sets(tasks, faults)
    if faults:
        raise DataError(list(dict.fromkeys(faults)))
    unused = [text.path for text in (*sources, *references) if text.path not in lines]
    return Collection(
        testsets=tuple(testsets),
        notes=tuple(_missing_texts(path, tasks)),
        left_out=(
            *(LeftOut(str(text), UNUSED, UNUSED) for text in unused),
            *left_over(path, (*FOLDERS.values(), OUTPUTS), claims(path)),
        ),
    )


def claims(path: Path) -> set[Path]:
    """The files of a tree that this format reads, or names in a note."""
    texts = (text.path for kind in FOLDERS for text in _texts(path, kind))
    translations = (file for folder in _output_folders(path) for file in files_in(folder))
    return {*texts, *translations}


def _output_folders(root: Path) -> list[Path]:
    testsets = folders_in(root / OUTPUTS)
    pairs = (pair for testset in testsets for pair in folders_in(testset) if whole_pair(pair.name))
    return [folder for folder in pairs if files_in(folder)]


def _texts(root: Path, kind: str) -> list[Text]:
    """The sources (`src`) or references (`ref`) of a tree."""
    texts = []
    for path in files_in(root / FOLDERS[kind]):
        match = _TEXT.fullmatch(bare_name(path))
        if match is not None and match["name"].startswith(kind):
            texts.append(
                Text(match["testset"], match["pair"] or "", match["name"], match["language"], path)
            )
    return texts


def _task(
    folder: Path, sources: Sequence[Text], references: Sequence[Text], faults: list[Fault]
) -> TestSetFiles:
    """The files that belong to a folder of translations; faults of their names join `faults`."""
    testset, pair = folder.parent.name, whole_pair(folder.name) or ""
    source, _, target = pair.partition("-")
    translations = files_in(folder)
    for path in translations:
        name = split_system(bare_name(path))
        if name.testset not in {"", testset} or (name.certain and name.pair != pair):
            named = " ".join(part for part in (name.testset, name.pair) if part)
            message = f"is named for {named} but lies in {testset}/{folder.name}"
            faults.append(Fault(str(path), None, message))
    systems, system_faults = by_name(translations, lambda path: system_in(bare_name(path), pair))
    found_sources, source_faults = _belonging(sources, testset, pair, source)
    found_references, reference_faults = _belonging(references, testset, pair, target)
    faults += system_faults + source_faults + reference_faults
    files = list(found_sources.values())
    source_file, beside = next(iter(files), None), tuple(files[1:])
    return TestSetFiles(testset, pair, source_file, found_references, systems, beside=beside)


def _belonging(
    texts: Sequence[Text], testset: str, pair: str, language: str
) -> tuple[dict[str, Path], list[Fault]]:
    """The texts of one language: those named for the pair, else for its reverse, else for none."""
    source, _, target = pair.partition("-")
    for joined in (source + target, target + source, ""):
        wanted = (testset, joined, language)
        found = {t.path: t.name for t in texts if (t.testset, t.pair, t.language) == wanted}
        if found:
            return by_name(found, found.__getitem__)
    return {}, []


def _missing_texts(root: Path, tasks: Sequence[TestSetFiles]) -> list[str]:
    notes = []
    for task in tasks:
        for folder, found in (("sources", task.source), ("references", task.references)):
            if not found:
                notes.append(f"{root}: {folder}/ has no text for {task.testset} {task.pair}")
    return notes


FORMAT = Format(
    name="wmt-texts",
    title="WMT's tree of plain texts",
    example="sources/, references/, system-outputs/newstest2014/cs-en/newstest2014.NAME.cs-en",
    looks_like=looks_like,
    read=read,
    folder=True,
    claims=claims,
)

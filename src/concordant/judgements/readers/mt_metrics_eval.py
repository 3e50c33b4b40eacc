"""The tree of one test set in mt-metrics-eval: texts, human scores and metric scores by file name.

`sources/LP.txt`, `references/LP.NAME.txt`, `system-outputs/LP/SYSTEM.txt`, `documents/LP.docs`,
`human-scores/LP.NAME.LEVEL.score` and `metric-scores/LP/METRIC-REF.LEVEL.score`. The folder is
named for the test set. A human translation there is a system like the others, and every
kind of human score is kept, its name in `Rating.extra`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from concordant.errors import DataError, Fault
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.mtme_scores import (
    HUMAN,
    METRIC,
    PAIR,
    READ,
    Score,
    ScoreFile,
    notes,
    ratings,
    read_scores,
    score_files,
    table,
)
from concordant.judgements.readers.text_trees import (
    TestSetFiles,
    bare_name,
    by_name,
    files_in,
    folders_in,
    left_over,
    read_test_sets,
)
from concordant.records import Collection, Place, TestSet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

SOURCES, REFERENCES, DOCUMENTS, OUTPUTS = "sources", "references", "documents", "system-outputs"
_TEXT = re.compile(rf"(?P<pair>{PAIR})(?:\.(?P<name>[^.]+))?\.(?:txt|docs)(?:\.gz)?")


def looks_like(head: Head) -> str | None:
    """Why this folder is a test set of mt-metrics-eval, or None."""
    scores = score_files(head.path)
    if scores:
        return f"it has scores such as {scores[0].path.relative_to(head.path).as_posix()}"
    for pair in _by_pair(head.path / SOURCES):
        if files_in(head.path / OUTPUTS / pair):
            return f"it has {SOURCES}/{pair}.txt and {OUTPUTS}/{pair}/"
    return None


def read(path: Path) -> Collection:
    """All texts, human scores and metric scores of segments and systems in a tree."""
    files = score_files(path)
    pairs = _pairs(path, files)
    if not pairs:
        raise DataError.at(
            path, None, "has no texts or scores such as sources/de-en.txt or "
            "human-scores/de-en.mqm.seg.score"
        )  # fmt: skip
    name = path.resolve().name
    faults: list[Fault] = []
    tasks = [_files(path, pair, faults) for pair in pairs]
    read_sets, lines = read_test_sets(tasks, faults)
    both = zip(read_sets, tasks, strict=True)
    testsets = [_with_documents(testset, task, faults) for testset, task in both]
    lengths = {testset.pair: len(testset.segments) for testset in testsets}
    scores: dict[ScoreFile, list[Score]] = {}
    known: dict[Place, Place] = {}
    for file in files:
        if file.content not in READ:
            continue
        try:
            scores[file] = read_scores(file, name, lengths[file.pair], known)
        except DataError as error:
            faults += error.faults
    if faults:
        raise DataError(faults)
    folders = (SOURCES, REFERENCES, DOCUMENTS, OUTPUTS, HUMAN, METRIC)
    return Collection(
        testsets=tuple(testset for testset in testsets if testset.segments),
        ratings=tuple(r for f, found in scores.items() if f.human for r in ratings(f, found)),
        tables=tuple(table(f, found) for f, found in scores.items() if not f.human),
        notes=(*notes(path, files, scores), *_domain_note(path, tasks, lines)),
        left_out=tuple(left_over(path, folders, claims(path))),
    )


def claims(path: Path) -> set[Path]:
    """The files of a tree that this format reads, or names in a note."""
    scores = score_files(path)
    tasks = [_files(path, pair, []) for pair in _pairs(path, scores)]
    return {file for task in tasks for file in task.files} | {file.path for file in scores}


def _pairs(root: Path, scores: Sequence[ScoreFile]) -> list[str]:
    """Every language pair that a tree has anything of."""
    folders = (folder.name for folder in folders_in(root / OUTPUTS))
    pairs = {name for name in folders if re.fullmatch(PAIR, name)}
    pairs.update(file.pair for file in scores)
    pairs.update(_by_pair(root / SOURCES), _by_pair(root / REFERENCES))
    return sorted(pairs)


def _by_pair(folder: Path) -> dict[str, dict[Path, str]]:
    """The texts of a folder by language pair, each with its own name ("" where it has none)."""
    found: dict[str, dict[Path, str]] = {}
    for path in files_in(folder):
        if match := _TEXT.fullmatch(path.name):
            found.setdefault(match["pair"], {})[path] = match["name"] or ""
    return found


def _files(root: Path, pair: str, faults: list[Fault]) -> TestSetFiles:
    """The texts of a language pair; two files for one name join `faults`."""
    groups = []
    for folder in (SOURCES, REFERENCES, DOCUMENTS):
        names = _by_pair(root / folder).get(pair, {})
        groups.append(by_name(names, names.__getitem__))
    groups.append(by_name(files_in(root / OUTPUTS / pair), bare_name))
    faults += [fault for _, group_faults in groups for fault in group_faults]
    sources, references, documents, systems = (files for files, _ in groups)
    source, document = sources.pop("", None), documents.pop("", None)
    beside = (*sources.values(), *documents.values())
    name = root.resolve().name
    return TestSetFiles(name, pair, source, references, systems, document, beside)


def _with_documents(testset: TestSet, files: TestSetFiles, faults: list[Fault]) -> TestSet:
    """The test set with the names of its documents alone; lines without one join `faults`."""
    fields = {segment: line.split() for segment, line in testset.documents.items()}
    faults += [
        Fault(
            str(files.documents),
            segment,
            f"{len(each)} fields, but DOMAIN and DOCUMENT, or DOCUMENT alone, are needed",
        )
        for segment, each in fields.items()
        if len(each) not in {1, 2}
    ]
    documents = {segment: each[-1] for segment, each in fields.items() if each}
    return replace(testset, documents=documents)


def _domain_note(
    root: Path, tasks: Sequence[TestSetFiles], lines: Mapping[Path, list[str]]
) -> list[str]:
    files = [task.documents for task in tasks if task.documents is not None]
    if any(len(line.split()) == 2 for file in files for line in lines[file]):
        return [f"{root}: the documents are kept, but not the domain of each"]
    return []


FORMAT = Format(
    name="mt-metrics-eval",
    title="test set of mt-metrics-eval",
    example="sources/LP.txt, system-outputs/LP/SYSTEM.txt, human-scores/LP.NAME.seg.score, …",
    looks_like=looks_like,
    read=read,
    folder=True,
    claims=claims,
)

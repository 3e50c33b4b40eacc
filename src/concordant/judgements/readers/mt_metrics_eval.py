"""The tree of one test set in mt-metrics-eval: texts, human scores and metric scores by file name.

`sources/LP.txt`, `references/LP.NAME.txt`, `system-outputs/LP/SYSTEM.txt`, `documents/LP.docs`,
`human-scores/LP.NAME.LEVEL.score` and `metric-scores/LP/METRIC-REF.LEVEL.score`. The folder is
named for the test set. A human translation there is a system like the others, and every
kind of human score is kept, its name in `Rating.extra`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

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
    bare_name,
    by_name,
    count_faults,
    files_in,
    folders_in,
    left_over,
    numbered,
    read_all,
)
from concordant.records import Collection, Output, TestSet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

SOURCES, REFERENCES, DOCUMENTS, OUTPUTS = "sources", "references", "documents", "system-outputs"
_TEXT = re.compile(rf"(?P<pair>{PAIR})(?:\.(?P<name>[^.]+))?\.(?:txt|docs)(?:\.gz)?")


class Texts(NamedTuple):
    """The files of texts of one language pair, by the name of what they hold."""

    pair: str
    sources: dict[str, Path]
    references: dict[str, Path]
    documents: dict[str, Path]
    systems: dict[str, Path]

    @property
    def files(self) -> list[Path]:
        """All of them, the source first."""
        groups = (self.sources, self.references, self.documents, self.systems)
        return [path for group in groups for path in group.values()]


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
    texts = [_texts(path, pair, faults) for pair in pairs]
    lines, read_faults = read_all(file for group in texts for file in group.files)
    faults += read_faults
    testsets = [_testset(name, group, lines, faults) for group in texts]
    lengths = {testset.pair: len(testset.segments) for testset in testsets}
    scores: dict[ScoreFile, list[Score]] = {}
    known: dict[Output, Output] = {}
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
        notes=(
            *notes(path, files, scores),
            *_domain_note(path, texts, lines),
        ),
        left_out=tuple(left_over(path, folders, claims(path))),
    )


def claims(path: Path) -> set[Path]:
    """The files of a tree that this format reads, or names in a note."""
    scores = score_files(path)
    texts = [_texts(path, pair, []) for pair in _pairs(path, scores)]
    return {file for group in texts for file in group.files} | {file.path for file in scores}


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


def _texts(root: Path, pair: str, faults: list[Fault]) -> Texts:
    """The texts of a language pair; two files for one name join `faults`."""
    groups = []
    for folder in (SOURCES, REFERENCES, DOCUMENTS):
        names = _by_pair(root / folder).get(pair, {})
        groups.append(by_name(names, names.__getitem__))
    groups.append(by_name(files_in(root / OUTPUTS / pair), bare_name))
    faults += [fault for _, group_faults in groups for fault in group_faults]
    return Texts(pair, *(files for files, _ in groups))


def _testset(
    name: str, texts: Texts, lines: Mapping[Path, list[str]], faults: list[Fault]
) -> TestSet:
    """The texts of a language pair; what is wrong with them joins `faults`."""
    faults += count_faults({file: lines[file] for file in texts.files if file in lines})
    for file in texts.documents.values():
        faults += _document_faults(file, lines.get(file, []))

    def numbered_by_name(files: dict[str, Path]) -> dict[str, dict[int, str]]:
        return {key: numbered(lines[file]) for key, file in files.items() if file in lines}

    documents = numbered_by_name(texts.documents).get("", {})
    return TestSet(
        name,
        texts.pair,
        source=numbered_by_name(texts.sources).get("", {}),
        references=numbered_by_name(texts.references),
        outputs=numbered_by_name(texts.systems),
        documents={
            segment: line.split()[-1] for segment, line in documents.items() if line.split()
        },
    )


def _document_faults(file: Path, lines: Sequence[str]) -> list[Fault]:
    return [
        Fault(
            str(file),
            number,
            f"{fields} fields, but DOMAIN and DOCUMENT, or DOCUMENT alone, are needed",
        )
        for number, line in enumerate(lines, start=1)
        if (fields := len(line.split())) not in {1, 2}
    ]


def _domain_note(root: Path, texts: Sequence[Texts], lines: Mapping[Path, list[str]]) -> list[str]:
    files = (file for group in texts for file in group.documents.values())
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

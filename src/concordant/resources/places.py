"""Where installed parts are: a folder `parts/NAME` in the user's cache, with a record `part.toml`.

The record is written last, and the finished folder is moved into place at once, so a part that can
be located is complete.
"""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, DataError, SpecError, nearest
from concordant.resources.contents import RECORD, changes, check_once, listing_digest
from concordant.resources.table import PARTS
from concordant.toml_text import read_toml, toml_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FORMAT = 1
PART_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
# Small tables of vectors that are in the package itself.
_VECTORS = Path(__file__).parent.parent / "metrics" / "shipped" / "vectors"
BUILT_IN = {
    "compact-pieces": _VECTORS / "pieces",
    "compact-words": _VECTORS / "words",
    "compact-any": _VECTORS / "any",
}


class MissingPart(ConcordantError):  # noqa: N818 - the name says what it is
    """A part that is not installed; the message has the command that installs it."""


@dataclass(frozen=True)
class Record:
    """What an installed part is and where it came from; `files` has the sha256 of each file."""

    name: str
    kind: str
    shape: str
    title: str
    licence: str
    carrier: str
    version: str
    files: Mapping[str, str] = field(default_factory=dict)
    format: int = FORMAT


def cache_folder() -> Path:
    """The cache folder: CONCORDANT_CACHE, or the user's cache folder."""
    given = os.environ.get("CONCORDANT_CACHE")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "concordant"


def parts_folder() -> Path:
    """Where installed parts are."""
    return cache_folder() / "parts"


def is_installed(name: str) -> bool:
    """Whether a part can be used; those in the package always can."""
    if name in BUILT_IN:
        return True
    is_name = PART_NAME.fullmatch(name) is not None  # and no path to somewhere else
    return is_name and (parts_folder() / name / RECORD).is_file()


def installed_names() -> list[str]:
    """The names of all parts that are installed, known ones or the user's own, in order."""
    return sorted(path.parent.name for path in parts_folder().glob(f"[!.]*/{RECORD}"))


def locate(name: str) -> Path:
    """The folder of an installed part, whose files are checked; MissingPart where there is none.

    The check costs up to a second when a part is used for the first time, and nothing later on.
    """
    folder = installed_folder(name)
    if name not in BUILT_IN:
        check_once(folder, lambda: _check_files(folder), memory=cache_folder() / "verified")
    return folder


def installed_folder(name: str) -> Path:
    """The folder of an installed part, its files unchecked; MissingPart where there is none.

    >>> installed_folder("glov-50")
    Traceback (most recent call last):
    concordant.resources.places.MissingPart: there is no part "glov-50"; did you mean "glove-50"? \
`concordant resources` lists them, `concordant resources add glov-50 PATH` adds your own
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    if is_installed(name):
        return parts_folder() / name
    if name in PARTS:
        raise MissingPart(f"the part {name} is not installed: {how_to_get(name)}")
    hint = nearest(name, [*PARTS, *installed_names()]) or ";"
    raise MissingPart(
        f'there is no part "{name}"{hint} `concordant resources` lists them, '
        f"`concordant resources add {name} PATH` adds your own"
    )


def require(names: Sequence[str]) -> None:
    """Raise one MissingPart for all known parts that are not installed."""
    missing = [name for name in names if name in PARTS and not is_installed(name)]
    if len(missing) == 1 or not all(PARTS[name].carriers for name in missing):
        installed_folder(missing[0])
    if missing:
        listed = f"{', '.join(missing[:-1])} and {missing[-1]}"
        command = f"concordant resources install {' '.join(missing)}"
        raise MissingPart(f"the parts {listed} are not installed: {command}")


def own_path(name: str | Path) -> Path:
    """The path that a user names, with "~" for a home folder."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        user = str(name).partition("/")[0]
        raise SpecError(f'"{name}" starts with {user}, but there is no such user') from None


def known_place(name: str) -> Path | None:
    """The folder of a part, or the user's own path of that name, if there is one."""
    if name in PARTS or is_installed(name):
        return locate(name)
    path = own_path(name)
    return path if path.exists() else None


def how_to_get(name: str) -> str:
    """The command that gets a known part.

    >>> how_to_get("infersent")
    'concordant resources add infersent PATH'
    """
    if PARTS[name].carriers:
        return f"concordant resources install {name}"
    return f"concordant resources add {name} PATH"


def read_record(folder: Path) -> Record:
    """The record of an installed part."""
    path = folder / RECORD
    try:
        record = Record(**read_toml(path))
        listing_digest(record.files)
    except (DataError, TypeError) as fault:
        message = f"this record is damaged ({fault}); {_again(folder.name)}"
        raise DataError.at(path, None, message) from fault
    if record.format != FORMAT:
        raise DataError.at(
            path, None, f"format {record.format} is not {FORMAT}; {_again(folder.name)}"
        )
    return record


def write_record(folder: Path, record: Record) -> None:
    """Write the record of a part into its folder, readable for people too."""
    fields = {"format": record.format, **asdict(record)}
    fields["files"] = dict(sorted(record.files.items()))
    words = (
        "# A part for concordant; files have their sha256, `concordant resources verify` checks.\n"
    )
    (folder / RECORD).write_text(words + toml_text(fields), encoding="utf-8")


def _check_files(folder: Path) -> None:
    """Raise unless the files of a part are those that its record has."""
    faults = changes(read_record(folder).files, folder)
    if faults:
        message = f"the part {folder.name} is not what was installed: {faults[0]}"
        raise DataError.at(folder, None, f"{message}; {_again(folder.name)}")


def _again(name: str) -> str:
    again = how_to_get(name) if name in PARTS else f"concordant resources add {name} PATH"
    return f"install it again: concordant resources remove {name}, then {again}"

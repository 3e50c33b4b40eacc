"""Where installed parts are: a folder `parts/NAME` in the user's cache, with a record `part.toml`.

The record is written last and the folder gets its name as a whole, so a part that can be located
is complete.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, DataError, nearest
from concordant.resources.part import listing_digest
from concordant.resources.table import PARTS
from concordant.toml_text import read_toml, toml_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RECORD = "part.toml"
FORMAT = 1
DIGEST_DIGITS = 12
# Small tables of vectors that are in the package itself.
_VECTORS = Path(__file__).parent.parent / "metrics" / "vectors"
BUILT_IN = {"compact-pieces": _VECTORS / "pieces", "compact-words": _VECTORS / "words"}


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
    """Where all that can be had again is kept: CONCORDANT_CACHE, or the user's cache folder."""
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
    return (parts_folder() / name / RECORD).is_file()


def installed_names() -> list[str]:
    """The names of all parts that are installed, known ones or the user's own, in order."""
    return sorted(path.parent.name for path in parts_folder().glob(f"[!.]*/{RECORD}"))


def locate(name: str) -> Path:
    """The folder of an installed part; MissingPart where there is none.

    >>> locate("glov-50")
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
    """MissingPart where known parts are not installed: all of them in one sentence."""
    missing = [name for name in names if name in PARTS and not is_installed(name)]
    if len(missing) == 1 or not all(PARTS[name].carriers for name in missing):
        locate(missing[0])
    if missing:
        listed = f"{', '.join(missing[:-1])} and {missing[-1]}"
        command = f"concordant resources install {' '.join(missing)}"
        raise MissingPart(f"the parts {listed} are not installed: {command}")


def how_to_get(name: str) -> str:
    """The command that gets a known part.

    >>> how_to_get("infersent")
    'concordant resources add infersent PATH'
    """
    if PARTS[name].carriers:
        return f"concordant resources install {name}"
    return f"concordant resources add {name} PATH"


def part_digest(name: str) -> str:
    """Twelve hexadecimal digits that stand for the contents of an installed part."""
    return listing_digest(read_record(locate(name)).files)[:DIGEST_DIGITS]


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


def _again(name: str) -> str:
    again = how_to_get(name) if name in PARTS else f"concordant resources add {name} PATH"
    return f"have the part again: concordant resources remove {name}, then {again}"

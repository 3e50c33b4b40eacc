"""List installed and missing parts, verify them, remove them."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, DataError, nearest
from concordant.resources.contents import changes
from concordant.resources.drafts import draft_folder, sweep
from concordant.resources.places import (
    how_to_get,
    installed_folder,
    installed_names,
    is_installed,
    parts_folder,
    read_record,
)
from concordant.resources.table import PARTS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from concordant.resources.table import Part

# Extra of this package → a module of each package that it installs.
EXTRAS = {
    "encoders": ("torch", "transformers", "onnxruntime", "sentencepiece", "threadpoolctl"),
    "parse": ("spacy",),
}


@dataclass(frozen=True)
class Holding:
    """A part as it stands: "installed", "missing" or "damaged"; `command` is what gets it to run.

    `bytes` is what an installed part takes, otherwise about what it would take.
    """

    name: str
    kind: str
    title: str
    licence: str
    languages: str
    bytes: int
    state: str
    command: str
    carrier: str
    folder: str


@dataclass(frozen=True)
class Check:
    """What verifying an installed part found; no faults: it is what was installed."""

    name: str
    files: int
    faults: tuple[str, ...]


def inventory() -> list[Holding]:
    """Every known part in the order of the table, then the user's own.

    What a killed installation has left behind is removed on this occasion.
    """
    sweep(parts_folder())
    own = [name for name in installed_names() if name not in PARTS]
    return [
        _installed_part(name) if is_installed(name) else _missing(PARTS[name])
        for name in [*PARTS, *own]
    ]


def verify(name: str) -> Check:
    """Compare the files of an installed part with the hashes of its record."""
    folder = installed_folder(name)
    try:
        recorded = read_record(folder).files
    except DataError as fault:
        return Check(name, 0, (str(fault),))
    return Check(name, len(recorded), tuple(changes(recorded, folder)))


def raise_faults(checks: Sequence[Check]) -> None:
    """Raise one error for all parts that are not what was installed, if there are any."""
    faults = [f"{each.name}: {fault}" for each in checks for fault in each.faults]
    if faults:
        raise ConcordantError(
            "\n".join(faults) + "\ninstall such a part again: `concordant resources remove NAME`, "
            "then install or add it"
        )


def remove(name: str) -> Path:
    """Take an installed part away, at once and as a whole; the folder where it was."""
    folder = parts_folder() / name
    names = installed_names()
    if name not in names:
        installed = ", ".join(names) or "none"
        raise ConcordantError(
            f"the part {name} is not installed; installed are: {installed}{nearest(name, names)}"
        )
    with draft_folder() as draft:
        folder.rename(draft / name)
    return folder


def _installed_part(name: str) -> Holding:
    folder = parts_folder() / name
    languages = PARTS[name].languages if name in PARTS else ""
    taken = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    try:
        record = read_record(folder)
    except DataError:
        again = f"concordant resources remove {name}"
        return Holding(name, "", "", "", languages, taken, "damaged", again, "", str(folder))
    return Holding(
        name=name,
        kind=record.kind,
        title=record.title,
        licence=record.licence,
        languages=languages,
        bytes=taken,
        state="installed",
        command=_command_to_run(PARTS[name]) if name in PARTS else "",
        carrier=record.carrier,
        folder=str(folder),
    )


def _missing(part: Part) -> Holding:
    return Holding(
        name=part.name,
        kind=part.kind,
        title=part.title,
        licence=part.licence,
        languages=part.languages,
        bytes=part.megabytes * 1_000_000,
        state="missing",
        command=how_to_get(part.name),
        carrier=part.origin,
        folder="",
    )


def _command_to_run(part: Part) -> str:
    """What is still needed to run an installed part; nothing if all is there."""
    for needed in part.parts:
        if not is_installed(needed):
            return how_to_get(needed)
    for extra in part.extras:
        if any(importlib.util.find_spec(module) is None for module in EXTRAS[extra]):
            return f'pip install "concordant[{extra}]"'
    return ""

"""Whether files are still what they were when they were hashed: checked once, then remembered.

Hashing a large part takes up to a second. So a check that passed is remembered in the cache folder
with the size, times and inode of every file, and is repeated only when one of them has changed.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from concordant.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

BLOCK = 1 << 20
RECORD = "part.toml"  # the one file of a part that is not in its own list
SETTLED = 2.0  # seconds after which two writes to a file surely have different times

_checked: dict[Path, str] = {}


def sha256_of(path: Path) -> str:
    """The sha256 of a file, in hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def listing_digest(hashes: Mapping[str, str]) -> str:
    r"""The sha256 of a folder: of what `sha256sum` prints for its files, in the order of names.

    >>> listing_digest({"b": "22", "a": "11"}) == hashlib.sha256(b"11  a\n22  b\n").hexdigest()
    True
    """
    lines = "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes))
    return hashlib.sha256(lines.encode()).hexdigest()


def file_hashes(folder: Path) -> Mapping[str, str]:
    """The sha256 of every file of a part but its record, by its name within the folder."""
    names = {path.relative_to(folder).as_posix(): path for path in _files(folder)}
    for name in names:
        if not name.isprintable():
            raise DataError.at(folder, None, f"a file has a name that cannot be kept: {name!r}")
    return {name: sha256_of(path) for name, path in names.items() if name != RECORD}


def changes(recorded: Mapping[str, str], folder: Path, *, beside: Sequence[str] = ()) -> list[str]:
    """How the files of a folder but those `beside` differ from their recorded hashes, in words."""
    found = {name: sha256 for name, sha256 in file_hashes(folder).items() if name not in beside}
    faults = [f"{file} is missing" for file in recorded if file not in found]
    faults += [f"{file} is not part of it" for file in found if file not in recorded]
    faults += [
        f"{file} was changed: its sha256 is {found[file]}, not {sha256}"
        for file, sha256 in recorded.items()
        if file in found and found[file] != sha256
    ]
    return faults


def check_once(folder: Path, check: Callable[[], None], *, memory: Path) -> None:
    """Run a check of a folder's files, unless it passed before and no file has changed since.

    `memory` is the folder where checks that passed are remembered; where it cannot be written, they
    are remembered for this process only.
    """
    place = folder.resolve()
    state, newest = _state(place)
    note = memory / hashlib.sha256(os.fsencode(place)).hexdigest()[:24]
    if state in {_checked.get(place), _read(note)}:
        return
    check()
    if time.time() - newest > SETTLED:  # a later change could have the same time
        _checked[place] = state
        with suppress(OSError):
            memory.mkdir(parents=True, exist_ok=True)
            draft = note.with_name(f"{note.name}.{os.getpid()}")
            draft.write_text(state, encoding="ascii")
            draft.replace(note)


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def _state(folder: Path) -> tuple[str, float]:
    """What the file system says of all files, as a hash, and when the last one changed."""
    digest, newest = hashlib.sha256(), 0.0
    for path in _files(folder):
        told = path.stat()
        facts = (told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino, told.st_dev)
        digest.update(f"{os.fsencode(path)!r} {facts}\n".encode())
        newest = max(newest, told.st_ctime, told.st_mtime)
    return digest.hexdigest(), newest


def _read(note: Path) -> str | None:
    try:
        return note.read_text(encoding="ascii")
    except (OSError, ValueError):
        return None

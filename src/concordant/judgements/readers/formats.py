"""What a format is: a name, a way to recognise it with a reason, and a reader into records.

Every module of this folder that reads a format ends in `FORMAT = Format(...)`; `detection` holds
the table of them. A format is of one file, or of a whole folder (`folder=True`); `claims` then
tells which files below the folder it accounts for; the others are left to their own formats.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.judgements.files import read_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from concordant.records import Collection

HEAD_LINES = 20
HEAD_BYTES = 1 << 18


@dataclass(frozen=True)
class Head:
    """The beginning of a file: its path and its first lines. For a folder the lines are empty."""

    path: Path
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        """The file's name without `.gz`."""
        return self.path.name.removesuffix(".gz")

    def columns(self, delimiter: str | None) -> list[str]:
        """The fields of the first line, split at the delimiter (None: at white space)."""
        if not self.lines:
            return []
        return [name.strip().strip('"') for name in self.lines[0].split(delimiter)]


@dataclass(frozen=True)
class Format:
    """One format: `looks_like` gives the reason to take a file as this format, or None."""

    name: str
    title: str
    example: str
    looks_like: Callable[[Head], str | None]
    read: Callable[[Path], Collection]
    folder: bool = False
    claims: Callable[[Path], set[Path]] | None = None


def head_of(path: Path) -> Head:
    """The first lines of a file, read as every reader would read it, but no further."""
    if path.is_dir():
        return Head(path, ())
    lines = read_text(path, HEAD_BYTES).split("\n", HEAD_LINES)
    return Head(
        path, tuple(line.removesuffix("\r") for line in itertools.islice(lines, HEAD_LINES))
    )

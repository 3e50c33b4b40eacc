"""Walks through folders that visit every real file once and always end.

A file or folder is identified by its device and inode, not by its names and links: a link
`latest` next to `de-en` would double its judgements and narrow every interval. What is in the
folder itself takes precedence over links. Depth and number of entries are bounded.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from concordant.errors import DataError
from concordant.records import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Identity = tuple[int, int]  # device and inode

DEEPEST = 32
MOST_ENTRIES = 100_000
SAME = "the same file or folder as another"
NO_FILE = "neither a file nor a folder"
UPWARDS = "a link to a folder that it is in"
TOO_DEEP = f"more than {DEEPEST} folders deep"


def entries_of(folder: Path) -> list[Path]:
    """What lies directly in a folder, by name; hidden entries are left out."""
    try:
        with os.scandir(folder) as listing:
            names = []
            for entry in listing:
                names.append(entry.name)
                if len(names) > MOST_ENTRIES:
                    raise _too_many(folder)
    except PermissionError:
        raise _close(folder) from None
    except OSError as error:
        raise DataError.at(folder, None, f"cannot be listed: {error.strerror or error}") from None
    if not os.access(folder, os.X_OK):  # its names may be listed, what they stand for not
        raise _close(folder)
    return [folder / name for name in sorted(names) if not name.startswith(".")]


def files_below(folder: Path) -> list[Path]:
    """The files in a folder and the folders below it; links to folders are not followed."""
    return [path for path in _tree(folder) if path.is_file()] if folder.is_dir() else []


@dataclass
class Visits:
    """What one walk, or several related ones, have visited so far."""

    seen: dict[Identity, Path] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    _owned: dict[Identity, Path] = field(default_factory=dict)
    _entries: int = 0

    def begin(self, root: Path) -> bool:
        """Enter a file or folder that was asked for; False if it has been met before."""
        if root.is_dir():
            for path in _tree(root):
                if not path.is_symlink() and (identity := _identity(path)) is not None:
                    self._owned.setdefault(identity, path)
        return self.enter(root)

    def enter(self, path: Path, depth: int = 0) -> bool:
        """Whether a file or folder is to be read now; if not, it joins `left_out`."""
        self._entries += 1
        if self._entries > MOST_ENTRIES:
            raise _too_many(path.parent)
        identity = _identity(path)
        if identity is None:
            return self._leave(path, NO_FILE)
        if path.is_symlink() and depth and _is_within(path.parent, path):
            return self._leave(path, UPWARDS)
        if depth > DEEPEST:
            return self._leave(path, TOO_DEEP)
        known = self.seen.get(identity)
        if known is None and path.is_symlink() and depth:
            known = self._owned.get(identity)
        if known is not None:
            return self._leave(path, SAME, f"the same {_kind(path)} as {known}")
        self.seen[identity] = path
        return True

    def _leave(self, path: Path, kind: str, reason: str = "") -> bool:
        self.left_out.append(LeftOut(str(path), reason or kind, kind))
        return False


def _tree(root: Path) -> Iterator[Path]:
    """Everything in a folder and below it, without following links, to the bounds."""
    met = 0
    waiting = deque([(root, 0)])
    while waiting:
        folder, depth = waiting.popleft()
        for path in entries_of(folder):
            met += 1
            if met > MOST_ENTRIES:
                raise _too_many(root)
            yield path
            if depth < DEEPEST and not path.is_symlink() and path.is_dir():
                waiting.append((path, depth + 1))


def _identity(path: Path) -> Identity | None:
    """What a name leads to; None where it is neither a file nor a folder."""
    try:
        if path.is_file() or path.is_dir():
            status = path.stat()
            return status.st_dev, status.st_ino
    except OSError:
        pass
    return None


def _is_within(folder: Path, link: Path) -> bool:
    """Whether a folder lies in the one that a link leads to."""
    try:
        return folder.resolve().is_relative_to(link.resolve())
    except (OSError, RuntimeError):
        return True


def _kind(path: Path) -> str:
    return "folder" if path.is_dir() else "file"


def _close(folder: Path) -> DataError:
    return DataError.at(folder, None, "permission denied; ask its owner for access")


def _too_many(folder: Path) -> DataError:
    return DataError.at(
        folder,
        None,
        f"holds more than {MOST_ENTRIES:,} files and folders; name the folder or the files in it "
        "that have the judgements",
    )

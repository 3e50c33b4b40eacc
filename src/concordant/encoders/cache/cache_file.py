"""Open the SQLite file of the cache, and replace it if it is damaged.

Processes open it one at a time, so that none sees a file that another is creating or moving away.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.file_locks import hold_lock

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

PATIENCE = 60  # seconds to wait for another process that writes
_DAMAGED = ("not a database", "malformed")
_BESIDE = ("-wal", "-shm")  # what SQLite keeps beside a file while it is open
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    key BLOB PRIMARY KEY, value BLOB NOT NULL, check_sum INTEGER NOT NULL, used INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS by_use ON entries (used);
"""


@dataclass(frozen=True)
class CacheFile:
    """An open file, which one it is, and whether it was begun anew in place of a damaged one."""

    connection: sqlite3.Connection
    inode: int
    anew: bool


def open_file(path: Path, *, damaged: int | None = None) -> CacheFile:
    """The file at a path; a damaged one, or the one with the inode `damaged`, is moved away first.

    If another process has done so already, the file that it created is opened.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone(path):
        anew = damaged is not None and path.exists() and path.stat().st_ino == damaged
        if anew:
            _set_aside(path)
        try:
            connection = _connect(str(path))
        except sqlite3.DatabaseError as fault:
            if not is_damaged(fault):
                raise
            _set_aside(path)
            connection, anew = _connect(str(path)), True
        return CacheFile(connection, path.stat().st_ino, anew)


def in_memory() -> sqlite3.Connection:
    """The same without a file."""
    return _connect(":memory:")


def is_damaged(fault: sqlite3.DatabaseError) -> bool:
    """Whether SQLite says that a file is not what it wrote."""
    return any(words in str(fault) for words in _DAMAGED)


def aside(path: Path) -> Path:
    """Where a damaged file is put."""
    return path.with_suffix(".damaged")


def remove_files(path: Path) -> None:
    """Remove a file and what belongs to it; those who have it open keep what they have."""
    with _alone(path):
        for each in (*_beside(path), path, aside(path)):
            each.unlink(missing_ok=True)


def _set_aside(path: Path) -> None:
    for each in _beside(path):
        each.unlink(missing_ok=True)
    path.replace(aside(path))


def _beside(path: Path) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in _BESIDE]


def _alone(path: Path) -> AbstractContextManager[None]:
    return hold_lock(path.with_suffix(".lock"))


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, check_same_thread=False)
    try:
        connection.text_factory = bytes  # a damaged entry may look like text, and not be any
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_SCHEMA)
    except BaseException:
        connection.close()
        raise
    return connection

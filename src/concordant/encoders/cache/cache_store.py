"""Cache entries by key, in a file or, if the disk fails, in memory.

SQLite makes concurrent processes safe and keeps an interruption from leaving half an
entry; every value carries a checksum, so a damaged one is not found rather than used. Where the
disk cannot be written (full, read-only) new entries are kept in memory for the run, and a note says
so; a damaged file is renamed and replaced by a new one.
"""

from __future__ import annotations

import sqlite3
import threading
import time
import zlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from concordant.encoders.cache.cache_file import (
    aside,
    in_memory,
    is_damaged,
    open_file,
    remove_files,
)
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

Result = TypeVar("Result")
DEFAULT_LIMIT = 8 << 30  # bytes
DAY = 86400
_QUERY = "SELECT value, check_sum, used < ? FROM entries WHERE key = ?"


@dataclass(frozen=True)
class CacheSummary:
    """How much the cache holds; `limit` is what it may hold, in bytes."""

    path: Path
    entries: int
    bytes: int
    limit: int


class Cache:
    """Bytes by signature and text; safe for threads and processes."""

    def __init__(self, path: Path, *, limit: int = DEFAULT_LIMIT) -> None:
        self.path = path
        self.limit = limit
        self.notes: list[str] = []
        self.damaged = 0  # entries that were found and could not be used
        self._lock = threading.RLock()
        # Entries are looked for in both; new ones go into memory where there is one.
        self._file: sqlite3.Connection | None = None
        self._memory: sqlite3.Connection | None = None
        self._inode: int | None = None
        self._mended = False
        self._open()

    def fetch(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """The value of each key, None where there is none or a damaged one."""
        old = int(time.time()) - DAY
        with self._lock:
            rows = self._attempt(lambda: self._rows(keys, old))
            stale = [key for key, row in zip(keys, rows, strict=True) if row is not None and row[1]]
            self._mark_used(stale)
        return [None if row is None else row[0] for row in rows]

    def store(self, keys: Sequence[bytes], values: Sequence[bytes]) -> None:
        """Keep values; where the disk is full they are kept in memory."""
        now = int(time.time())
        rows = [(k, v, zlib.crc32(v), now) for k, v in zip(keys, values, strict=True)]
        with self._lock:
            self._attempt(lambda: self._insert(rows), writing=True)

    def summary(self) -> CacheSummary:
        """What is in it now."""
        with self._lock:
            entries = self._attempt(lambda: sum(map(_count, self._places)))
            size = self._attempt(lambda: sum(map(_size, self._places)))
        return CacheSummary(self.path, entries, size, self.limit)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            if self._file is None and self.path.exists():
                raise ConcordantError(f"the cache cannot be cleared: {self.notes[-1]}")
            try:
                for place in self._places:
                    _empty(place)
            except sqlite3.DatabaseError:  # damaged, or a full disk, where nothing can be written
                self.close()
                remove_files(self.path)
                self._open()
            aside(self.path).unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file and of what is in memory."""
        for place in self._places:
            place.close()
        self._file = self._memory = None

    @property
    def _places(self) -> list[sqlite3.Connection]:
        return [place for place in (self._file, self._memory) if place is not None]

    def _rows(self, keys: Sequence[bytes], old: int) -> list[tuple[bytes, bool] | None]:
        """The values, and whether each was last used before `old`; None for a damaged one."""
        rows: list[tuple[bytes, bool] | None] = [None] * len(keys)
        for place in self._places:
            with place:
                place.execute("BEGIN")  # faster than to lock the file for each key
                for i, key in enumerate(keys):
                    found = place.execute(_QUERY, (old, key)).fetchone()
                    if found is not None:
                        sound = _sound(found)
                        self.damaged += sound is None
                        rows[i] = sound or rows[i]
        return rows

    def _mark_used(self, keys: Sequence[bytes]) -> None:
        """Note that entries are in use, once a day, so that they are not the first to go."""
        if keys and self._file is not None:
            rows = [(int(time.time()), key) for key in keys]
            with suppress(sqlite3.DatabaseError), self._file:  # reading goes on without it
                self._file.executemany("UPDATE entries SET used = ? WHERE key = ?", rows)

    def _insert(self, rows: Sequence[tuple[bytes, bytes, int, int]]) -> None:
        place = self._places[-1]
        with place:  # one transaction: all of them or none
            place.executemany("INSERT OR REPLACE INTO entries VALUES (?,?,?,?)", rows)
        while _size(place) > self.limit and _count(place) > 0:
            _evict(place, max(_count(place) // 10, 1))

    def _attempt(self, action: Callable[[], Result], *, writing: bool = False) -> Result:
        """The action's result, after whatever can be done about the faults of the file."""
        while True:
            try:
                return action()
            except sqlite3.DatabaseError as fault:
                if self._file is None:
                    raise
                self._recover(self._file, fault, writing=writing)

    def _recover(
        self, file: sqlite3.Connection, fault: sqlite3.DatabaseError, *, writing: bool
    ) -> None:
        """A damaged file is begun anew, once; a full one is still read; others are left."""
        if writing and self._memory is None and not is_damaged(fault):
            self._use_memory(fault)
            return
        file.close()
        self._file = None
        if is_damaged(fault) and not self._mended:
            self._mended = True
            self._open()
        elif self._memory is None:
            self._use_memory(fault)

    def _open(self) -> None:
        try:
            opened = open_file(self.path, damaged=self._inode)
        except (OSError, sqlite3.DatabaseError) as fault:
            self._use_memory(fault)
            return
        self._file, self._inode = opened.connection, opened.inode
        if opened.anew:
            self.notes.append(
                f"the cache {self.path} was damaged and has been started anew; the damaged file is "
                f"kept as {aside(self.path).name}"
            )

    def _use_memory(self, fault: Exception) -> None:
        self._memory = in_memory()
        self.notes.append(
            f"the cache {self.path} cannot be used ({fault}); new encodings are kept for this "
            "run only; set CONCORDANT_CACHE to another folder"
        )


def _sound(row: tuple[bytes, int, int]) -> tuple[bytes, bool] | None:
    value, check_sum, stale = row
    sound = isinstance(value, bytes) and zlib.crc32(value) == check_sum
    return (value, bool(stale)) if sound else None


def _count(place: sqlite3.Connection) -> int:
    return int(place.execute("SELECT COUNT(*) FROM entries").fetchone()[0])


def _size(place: sqlite3.Connection) -> int:
    pages, free, size = (
        place.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _evict(place: sqlite3.Connection, number: int) -> None:
    """Throw out those that were not used for longest."""
    oldest = "SELECT key FROM entries ORDER BY used, rowid LIMIT ?"
    with place:
        place.execute(f"DELETE FROM entries WHERE key IN ({oldest})", (number,))  # noqa: S608 - ours


def _empty(place: sqlite3.Connection) -> None:
    with place:
        place.execute("DELETE FROM entries")
    place.execute("VACUUM")
    place.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # or the file would keep its size

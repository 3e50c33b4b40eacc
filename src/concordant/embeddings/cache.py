"""What was encoded once is never encoded again: vectors, token features and parses on disk.

One SQLite file in the user's cache folder, keyed by a hash of the encoder's signature and the
text. SQLite keeps several processes out of each other's way and an interruption from leaving half
an entry; every value carries a checksum, so a damaged one is computed again rather than used. Where
the disk cannot be used (full, read-only) the entries are kept in memory for the run instead, and a
note says so.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
import zlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.resources.places import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy.typing as npt

    Compute = Callable[[list[int]], "Sequence[bytes]"]
    ComputeRows = Callable[[list[int]], npt.NDArray[np.generic]]

FORMAT = 1
LIMIT_VARIABLE = "CONCORDANT_CACHE_LIMIT"
DEFAULT_LIMIT = 8 << 30  # bytes
PIECE = 4096  # entries computed before they are stored: what an interruption can lose
DAY = 86400
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    key BLOB PRIMARY KEY, value BLOB NOT NULL, check_sum INTEGER NOT NULL, used INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS by_use ON entries (used);
"""


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
        self._lock = threading.RLock()
        self._connection = self._open()

    def fetch(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """The value of each key, None where there is none or a damaged one."""
        with self._lock:
            try:
                rows = [self._row(key) for key in keys]
                self._mark_used(rows)
            except sqlite3.DatabaseError as fault:
                self._abandon_disk(fault)
                return [None] * len(keys)
        sound = [row is not None and zlib.crc32(row[1]) == row[2] for row in rows]
        return [row[1] if row and good else None for row, good in zip(rows, sound, strict=True)]

    def store(self, keys: Sequence[bytes], values: Sequence[bytes]) -> None:
        """Keep values; where the disk is full they are kept in memory."""
        now = int(time.time())
        rows = [(k, v, zlib.crc32(v), now) for k, v in zip(keys, values, strict=True)]
        with self._lock:
            try:
                self._insert(rows)
                self._evict()
            except sqlite3.DatabaseError as fault:
                self._abandon_disk(fault)
                self._insert(rows)

    def summary(self) -> CacheSummary:
        """What is in it now."""
        with self._lock:
            (entries,) = self._connection.execute("SELECT COUNT(*) FROM entries").fetchone()
            return CacheSummary(self.path, entries, self._size(), self.limit)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._connection.execute("DELETE FROM entries")
            self._connection.commit()
            self._connection.execute("VACUUM")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _row(self, key: bytes) -> tuple[bytes, bytes, int, int] | None:
        query = "SELECT key, value, check_sum, used FROM entries WHERE key = ?"
        row: tuple[bytes, bytes, int, int] | None
        row = self._connection.execute(query, (key,)).fetchone()
        return row

    def _mark_used(self, rows: Sequence[tuple[bytes, bytes, int, int] | None]) -> None:
        """Note that entries are in use, once a day, so that they are not the first to go."""
        now = int(time.time())
        stale = [(now, row[0]) for row in rows if row is not None and now - row[3] > DAY]
        if stale:
            with self._connection:
                self._connection.executemany("UPDATE entries SET used = ? WHERE key = ?", stale)

    def _insert(self, rows: Sequence[tuple[bytes, bytes, int, int]]) -> None:
        with self._connection:  # one transaction: all of them or none
            self._connection.executemany("INSERT OR REPLACE INTO entries VALUES (?,?,?,?)", rows)

    def _size(self) -> int:
        pages, free, size = (
            self._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)

    def _evict(self) -> None:
        """Throw out what was not used for longest, a tenth at a time, until the limit is kept."""
        while self._size() > self.limit:
            (count,) = self._connection.execute("SELECT COUNT(*) FROM entries").fetchone()
            if count == 0:
                return
            with self._connection:
                self._connection.execute(
                    "DELETE FROM entries WHERE key IN "
                    "(SELECT key FROM entries ORDER BY used, rowid LIMIT ?)",
                    (max(count // 10, 1),),
                )

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return _connected(str(self.path))
        except sqlite3.DatabaseError as fault:
            if "not a database" not in str(fault) and "malformed" not in str(fault):
                return self._in_memory(fault)
            self.path.replace(self.path.with_suffix(".damaged"))
            self.notes.append(f"{self.path} was damaged; it is begun anew")
            return _connected(str(self.path))
        except OSError as fault:
            return self._in_memory(fault)

    def _abandon_disk(self, fault: Exception) -> None:
        self._connection = self._in_memory(fault)

    def _in_memory(self, fault: Exception) -> sqlite3.Connection:
        self.notes.append(
            f"the cache {self.path} cannot be used ({fault}); vectors are kept for this run only"
        )
        return _connected(":memory:")


def _connected(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=60, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.executescript(_SCHEMA)
    return connection


def entry_key(signature: str, text: str) -> bytes:
    """The key of a text under a signature, 20 bytes.

    >>> entry_key("a", "b") == entry_key("a", "b") != entry_key("ab", "")
    True
    """
    digest = hashlib.blake2b(digest_size=20)
    digest.update(len(signature).to_bytes(4, "big"))
    digest.update(signature.encode("utf-8", "surrogatepass"))
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()


def cached(
    signature: str, texts: Sequence[str], compute: Compute, *, store: Cache | None = None
) -> list[bytes]:
    """A value for each text; `compute` is asked for the places of those not known, each once."""
    store = default_cache() if store is None else store
    place = {text: i for i, text in reversed(list(enumerate(texts)))}
    distinct = list(place)
    keys = [entry_key(signature, text) for text in distinct]
    found = dict(zip(distinct, store.fetch(keys), strict=True))
    missing = [text for text in distinct if found[text] is None]
    missing.sort(key=len)  # so that pieces are alike in length, and batches are full
    for first in range(0, len(missing), PIECE):
        piece = missing[first : first + PIECE]
        values = [bytes(value) for value in compute([place[text] for text in piece])]
        store.store([entry_key(signature, text) for text in piece], values)
        found.update(zip(piece, values, strict=True))
    values = []
    for text in texts:
        value = found[text]
        if value is None:
            raise AssertionError(text)
        values.append(value)
    return values


def cached_rows(
    signature: str,
    texts: Sequence[str],
    compute: ComputeRows,
    *,
    width: int,
    dtype: npt.DTypeLike = np.float32,
    store: Cache | None = None,
) -> npt.NDArray[np.generic]:
    """A row of `width` numbers for each text, computed only where it is not known."""
    kind = np.dtype(dtype)
    values = cached(
        f"{signature}|{kind.str}{width}",
        texts,
        lambda places: [row.tobytes() for row in np.ascontiguousarray(compute(places), kind)],
        store=store,
    )
    return np.frombuffer(b"".join(values), dtype=kind).reshape(len(texts), width)


def cache_path() -> Path:
    """The file of the cache."""
    return cache_folder() / "encoded" / f"entries-v{FORMAT}.sqlite"


def default_cache() -> Cache:
    """The user's cache, opened once in a process."""
    return _opened(cache_path(), cache_limit(), os.getpid())


@cache
def _opened(path: Path, limit: int, _process: int) -> Cache:
    return Cache(path, limit=limit)  # a connection must not be carried over a fork


def cache_limit() -> int:
    """How large the cache may grow in bytes: CONCORDANT_CACHE_LIMIT in megabytes, or 8 GB."""
    given = os.environ.get(LIMIT_VARIABLE)
    if given is None:
        return DEFAULT_LIMIT
    if not given.isdecimal():
        raise ConcordantError(f'{LIMIT_VARIABLE} is "{given}", not a number of megabytes')
    return int(given) << 20


def cache_summary() -> CacheSummary:
    """How much the user's cache holds; nothing where there is none yet."""
    if not cache_path().is_file():
        return CacheSummary(cache_path(), 0, 0, cache_limit())
    return default_cache().summary()


def clear_cache() -> None:
    """Forget everything that the user's cache holds."""
    if cache_path().is_file():
        default_cache().clear()

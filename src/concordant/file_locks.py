"""File locks: held by one process at a time and released when it ends, for whatever reason.

The only module that imports what just one operating system has.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Never through a link, and on Windows the bytes as they are.
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

if sys.platform == "win32":
    import msvcrt

    _PAUSE = 0.01  # seconds between two attempts
    _FAR = 1 << 30  # behind the content: Windows lets nobody else read bytes that are locked

    def try_lock(handle: int) -> bool:
        """Lock an open file; False if another process holds the lock."""
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True

    def wait_for_lock(handle: int) -> None:
        """Lock an open file as soon as no other process holds the lock."""
        while not try_lock(handle):
            time.sleep(_PAUSE)

    def lock_folder(folder: Path, *, wait: bool = True) -> int:  # noqa: ARG001 - as below
        """An error: Windows cannot lock folders."""
        raise OSError(errno.ENOTSUP, "folders cannot be locked", str(folder))

else:
    import fcntl

    def try_lock(handle: int) -> bool:
        """Lock an open file; False if another process holds the lock."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def wait_for_lock(handle: int) -> None:
        """Lock an open file as soon as no other process holds the lock."""
        fcntl.flock(handle, fcntl.LOCK_EX)

    def lock_folder(folder: Path, *, wait: bool = True) -> int:
        """A handle that locks a folder until it is closed.

        `BlockingIOError` if another process holds the lock and we do not `wait`; another `OSError`
        where folders cannot be locked.
        """
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise
        return handle


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of a file, created if absent, and hold it."""
    with path.open("a") as stream:
        wait_for_lock(stream.fileno())
        yield


def open_locked(path: Path) -> IO[bytes] | None:
    """The file, created if it is not there, open and locked; None if another process has it."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | _PLAIN, 0o666)
        stream = os.fdopen(handle, "r+b")
        if not try_lock(handle):
            stream.close()
            return None
        if _is_at(handle, path):
            return stream
        stream.close()  # its owner removed it after we had opened it


def remove_locked(path: Path, stream: IO[bytes]) -> None:
    """Remove a file that `open_locked` opened, and release its lock."""
    if sys.platform == "win32":  # where an open file cannot be removed
        stream.close()
    path.unlink(missing_ok=True)
    stream.close()


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False

"""A part is prepared in a draft folder and moved into place atomically.

The draft folder is inside the cache, so that the last step is one rename on one disk. An
interrupted process loses its draft and nothing else; of two processes that make the same part the
first wins, and the other takes the winner's. The draft of a killed process is removed by the next
one that makes a draft or lists the parts.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError
from concordant.file_locks import lock_folder
from concordant.resources.places import (
    cache_folder,
    is_installed,
    parts_folder,
    write_record,
)
from concordant.resources.shapes import SHAPES, missing_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from concordant.resources.places import Record

DRAFT = ".concordant-draft-"
DRAFT_LIFE = 86400  # seconds after which a draft is dead, on a disk that has no locks
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
_NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL, errno.EBADF}


@contextmanager
def draft_folder(parent: Path | None = None) -> Iterator[Path]:
    """A new folder beside the parts, or in `parent`, that is removed afterwards.

    It is locked as long as its process lives, so that others can tell when nobody needs it any
    more. A full disk becomes our error.
    """
    place = parts_folder() if parent is None else parent
    try:
        place.mkdir(parents=True, exist_ok=True)
        with _lock_folder(place):  # nobody may sweep between making a draft and locking it
            _remove_dead_drafts(place)
            draft = Path(tempfile.mkdtemp(prefix=DRAFT, dir=place))
            lock = _lock(draft)
    except OSError as fault:
        raise disk_error(fault, place) from fault
    try:
        yield draft
    except OSError as fault:
        raise disk_error(fault, place) from fault
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        _unlock(lock)


def sweep(parent: Path) -> None:
    """Remove the drafts of processes that were killed; what cannot be removed stays."""
    with suppress(OSError), _lock_folder(parent):
        _remove_dead_drafts(parent)


def disk_error(fault: OSError, folder: Path | None = None) -> ConcordantError:
    """What to do about a disk that is full or cannot be written; `folder` if not the cache."""
    place = cache_folder() if folder is None else folder
    cure = "name a folder on a disk that can be written"
    if place.is_relative_to(cache_folder()):
        cure = "set CONCORDANT_CACHE to a folder on another disk"
    if fault.errno in _NO_ROOM:
        return ConcordantError(f"no room left on the disk of {place}: free some, or {cure}")
    return ConcordantError(f"{fault.filename or place}: {fault.strerror or fault}; {cure}")


def settle(folder: Path, record: Record) -> bool:
    """Give a finished draft its record and its place; False if another process was first."""
    absent = missing_files(record.shape, folder)
    if absent:
        title = SHAPES[record.shape].title
        raise ConcordantError(f"{record.name} is {title} and needs {', '.join(absent)}")
    write_record(folder, record)
    place = parts_folder() / record.name
    try:
        folder.rename(place)
    except OSError as fault:
        if fault.errno not in {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}:
            raise
        if is_installed(record.name):
            return False
        raise ConcordantError(f"{place} is in the way and is not a part: remove it") from fault
    return True


def _remove_dead_drafts(parent: Path) -> None:
    for draft in parent.glob(f"{DRAFT}*"):
        if _is_dead(draft):
            shutil.rmtree(draft, ignore_errors=True)


def _is_dead(draft: Path) -> bool:
    """Whether the process that made a draft has ended."""
    try:
        _unlock(lock_folder(draft, wait=False))
    except BlockingIOError:
        return False
    except OSError:  # just removed by its owner, or a disk without locks
        with suppress(OSError):
            return time.time() - draft.stat().st_mtime > DRAFT_LIFE
        return False
    return True


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    lock = _lock(folder)
    try:
        yield
    finally:
        _unlock(lock)


def _lock(folder: Path) -> int | None:
    """Lock a folder; the system releases the lock when the process ends, however it ends.

    None where there are no locks: drafts then live until they are old.
    """
    try:
        return lock_folder(folder)
    except OSError as fault:
        if fault.errno in _NO_LOCKS:
            return None
        raise


def _unlock(handle: int | None) -> None:
    if handle is not None:
        os.close(handle)

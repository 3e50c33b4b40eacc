"""A part is drafted beside its place and put there as a whole, or not at all.

The draft folder is inside the cache, so that the last step is one rename on one disk. Whoever is
interrupted loses the draft and nothing else; of two who make the same part the first wins, and the
other takes the winner's.
"""

from __future__ import annotations

import errno
import shutil
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, DataError
from concordant.resources.carriers import sha256_of
from concordant.resources.places import (
    RECORD,
    cache_folder,
    is_installed,
    parts_folder,
    write_record,
)
from concordant.resources.shapes import SHAPES, missing_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from concordant.resources.places import Record

DRAFT = ".draft-"
DRAFT_LIFE = 86400  # seconds after which a draft is one that nobody works on any more
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def draft_folder() -> Iterator[Path]:
    """A new folder beside the parts that is gone afterwards; a full disk becomes our error."""
    try:
        parts_folder().mkdir(parents=True, exist_ok=True)
        _sweep()
        draft = Path(tempfile.mkdtemp(prefix=DRAFT, dir=parts_folder()))
    except OSError as fault:
        raise disk_error(fault) from fault
    try:
        yield draft
    except OSError as fault:
        raise disk_error(fault) from fault
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def disk_error(fault: OSError) -> ConcordantError:
    """What a person can do about a disk that is full or cannot be written."""
    cure = "set CONCORDANT_CACHE to a folder on another disk"
    if fault.errno in _NO_ROOM:
        return ConcordantError(
            f"no room left on the disk of {cache_folder()}: free some, or {cure}"
        )
    place = Path(fault.filename or cache_folder())
    hint = f"; if need be {cure}" if place.is_relative_to(cache_folder()) else ""
    return ConcordantError(f"{place}: {fault.strerror or fault}{hint}")


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
        raise ConcordantError(f"{place} is in the way and is no part: remove it") from fault
    return True


def file_hashes(folder: Path) -> Mapping[str, str]:
    """The sha256 of every file of a part but its record, by its name within the folder."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    names = {path.relative_to(folder).as_posix(): path for path in files}
    for name in names:
        if not name.isprintable():
            raise DataError.at(folder, None, f"a file has a name that cannot be kept: {name!r}")
    return {name: sha256_of(path) for name, path in names.items() if name != RECORD}


def _sweep() -> None:
    """Remove the drafts of those who were killed before they could."""
    for draft in parts_folder().glob(f"{DRAFT}*"):
        try:
            old = time.time() - draft.stat().st_mtime > DRAFT_LIFE
        except OSError:
            continue  # its owner has just removed it
        if old:
            shutil.rmtree(draft, ignore_errors=True)

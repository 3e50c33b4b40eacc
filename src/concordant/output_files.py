"""Where and how every command writes a file.

- The folder must exist; an existing folder is refused as a file.
- A file that is also an input is refused, also through links.
- A link is followed: the file that it points to gets the new content.
- Devices, pipes and open descriptors (/dev/stdout, /dev/fd/3) are written in place.
- Any other file is written to a draft in the same folder, which is renamed when it is
  complete. An interruption leaves the old file or the new one, never a mix. A killed process may
  leave `.concordant-….part`; the next process that writes into the folder removes it.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from concordant.errors import ConcordantError
from concordant.file_locks import open_locked, remove_locked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STANDARD_INPUT = "-"
_DRAFT = re.compile(r"\.concordant-[0-9a-f]{16}\.part")
_DESCRIPTOR = re.compile(r"/(?:dev|proc/(?:self|thread-self))/fd/(\d+)")
_MOST_LINKS = 40
_MOST_FILES = 100_000


@dataclass(frozen=True)
class OutputPlace:
    """A place to write to: `asked` as the user named it, `path` with links resolved."""

    asked: str
    path: Path
    in_place: bool = False
    descriptor: int | None = None


def output_place(asked: str | Path, inputs: Iterable[str | Path] = ()) -> OutputPlace:
    """The place to write to; refuses one that cannot be written, or that is one of the inputs.

    `inputs` are the files and folders that the command reads, with - for standard input.
    """
    with words_for(asked):
        descriptor = _descriptor(asked)
        if descriptor is not None:
            return OutputPlace(str(asked), Path(asked), in_place=True, descriptor=descriptor)
        path = Path(os.path.realpath(asked))
        there = _state(path)
        if there is None and str(asked).endswith(("/", os.sep)):
            raise ConcordantError(f"{asked} names a folder; name a file to write to")
        if there is not None and stat.S_ISDIR(there.st_mode):
            raise ConcordantError(f"{asked} is a folder; name a file to write to")
        _check_folder(path.parent)
        in_place = there is not None and not stat.S_ISREG(there.st_mode)
        _check_permission(path if there is not None else path.parent, asked)
        if not in_place:
            _check_permission(path.parent, asked)
        if there is not None and not stat.S_ISCHR(there.st_mode):
            _check_not_read(asked, there, inputs)
    return OutputPlace(str(asked), path, in_place)


def output_folder(asked: str | Path) -> Path:
    """A folder to write files to, created where it is not there, in a folder that exists."""
    folder = Path(os.path.realpath(asked))
    with words_for(asked):
        _check_folder(folder if folder.exists() else folder.parent)
        folder.mkdir(exist_ok=True)
    return folder


def write_whole(place: OutputPlace, text: str) -> None:
    """Write a text, so that an interruption leaves the old file or the new one."""
    with words_for(place.asked):
        if place.in_place:
            with open_in_place(place) as stream:
                stream.write(text)
        else:
            _write_draft(place.path, text)


def open_in_place(place: OutputPlace) -> TextIO:
    """A device, a pipe or an open descriptor, to write to as it is."""
    where = place.path if place.descriptor is None else os.dup(place.descriptor)
    return open(where, "w", encoding="utf-8", errors="backslashreplace", newline="\n")  # noqa: PTH123 - a descriptor too


def put_in_place(draft: Path, path: Path) -> None:
    """Give a whole draft the name of a file, with the permissions and owner that the file had."""
    there = _state(path)
    if there is not None:
        with suppress(OSError):  # only root may give files away
            os.chown(draft, there.st_uid, there.st_gid)
        with suppress(OSError):  # not every disk has permissions
            draft.chmod(stat.S_IMODE(there.st_mode))
    draft.replace(path)


def exchange(first: Path, second: Path) -> None:
    """Swap two folders: in one step where the system can, so that neither is ever missing."""
    if _exchange_at_once(first, second):
        return
    aside = second.with_name(f"{second.name}.aside")
    first.rename(aside)
    try:
        second.rename(first)
    except BaseException:
        aside.rename(first)
        raise
    aside.rename(second)


def _exchange_at_once(first: Path, second: Path) -> bool:
    """Swap by one call of Linux; False where there is no such call or it fails."""
    import ctypes  # noqa: PLC0415 - only where folders are replaced

    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    try:
        call = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    return int(call(here, os.fsencode(first), here, os.fsencode(second), swap)) == 0


@contextmanager
def words_for(asked: str | Path, advice: str = "") -> Iterator[None]:
    """Turn failures to write a file into readable errors; a closed pipe (| head) is none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL character
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise ConcordantError(f"{asked} cannot be written: {reason}{advice}") from None


def _write_draft(path: Path, text: str) -> None:
    _remove_dead_drafts(path.parent)
    draft = path.with_name(f".concordant-{secrets.token_hex(8)}.part")
    lock = open_locked(draft)
    if lock is None:  # taken for a dead one by another process, before we had locked it
        _write_draft(path, text)
        return
    try:
        lock.write(text.encode("utf-8", errors="backslashreplace"))
        lock.flush()
        os.fsync(lock.fileno())
        if sys.platform == "win32":  # where an open file cannot be renamed
            lock.close()
        put_in_place(draft, path)
    except BaseException:
        remove_locked(draft, lock)
        raise
    finally:
        with suppress(OSError):
            lock.close()


def _remove_dead_drafts(folder: Path) -> None:
    """Remove what killed processes left behind; what cannot be listed or opened stays."""
    with suppress(OSError):
        for each in folder.iterdir():
            if _DRAFT.fullmatch(each.name) and each.is_file() and not each.is_symlink():
                with suppress(OSError):
                    _remove_unless_locked(each)


def _remove_unless_locked(draft: Path) -> None:
    lock = open_locked(draft)
    if lock is not None:
        remove_locked(draft, lock)


def _descriptor(asked: str | Path) -> int | None:
    """The number of the open descriptor that a path leads to, as /dev/stdout does; else None."""
    path = Path(asked)
    for _ in range(_MOST_LINKS):
        if found := _DESCRIPTOR.fullmatch(os.path.normpath(path.absolute())):
            return int(found[1])
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def _check_folder(folder: Path) -> None:
    there = _state(folder)
    if there is None:
        raise ConcordantError(f"there is no folder {folder}; create it first")
    if not stat.S_ISDIR(there.st_mode):
        raise ConcordantError(f"{folder} is a file, not a folder; name a folder that exists")


def _check_permission(path: Path, asked: str | Path) -> None:
    if not os.access(path, os.W_OK):
        raise ConcordantError(f"{asked} cannot be written: Permission denied")


def _check_not_read(asked: str | Path, there: os.stat_result, inputs: Iterable[str | Path]) -> None:
    for name in inputs:
        if any(os.path.samestat(there, each) for each in _states(name)):
            which = (
                "one of the inputs"
                if str(name) == str(asked)
                else f"the same file as {name}, or in it"
            )
            raise ConcordantError(f"{asked} is {which}; name another file to write to")


def _states(name: str | Path) -> Iterator[os.stat_result]:
    """The state of an input; of a folder, those of all files in it, each folder visited once."""
    there = _standard_input() if name == STANDARD_INPUT else _state(Path(name))
    if there is not None and not stat.S_ISDIR(there.st_mode):
        yield there
        return
    folders = [] if there is None else [str(name)]
    seen: set[tuple[int, int]] = set()
    while folders and len(seen) < _MOST_FILES:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                state = _state(Path(entry.path))
                if state is None or (state.st_dev, state.st_ino) in seen:
                    continue
                seen.add((state.st_dev, state.st_ino))
                if stat.S_ISDIR(state.st_mode):
                    folders.append(entry.path)
                else:
                    yield state


def _state(path: Path) -> os.stat_result | None:
    """What is there, links followed; None if there is nothing."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _standard_input() -> os.stat_result | None:
    try:
        return os.fstat(0)
    except OSError:  # it is closed
        return None

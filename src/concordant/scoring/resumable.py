"""A file of lines that appears once complete; until then a `.part` that `--resume` continues.

Lines go to `FILE.part`. Next to it, `FILE.part.json` records the request and is locked while a run
writes, so that a second run is refused. At the end the part takes the file's name. After any
interruption the complete lines of the part are kept, and a run that continues gives the same file,
to the last byte. A part of another request is refused, and so is a file of the user's own that
happens to have the part's name.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from concordant.errors import ConcordantError
from concordant.file_locks import open_locked, remove_locked
from concordant.output_files import put_in_place, words_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType

    from concordant.output_files import OutputPlace

CHUNK = 1 << 20
_AUTHOR = {"written by": "concordant score"}
_MARK = json.dumps(_AUTHOR, indent=2).removesuffix("\n}").encode()


class ResumableFile:
    """An open file of lines; `lines` says how many of them were there already."""

    def __init__(
        self,
        place: OutputPlace,
        request: Mapping[str, Any],
        *,
        resume: bool,
        join: Callable[[Path, Path], None] | None = None,
    ) -> None:
        """Open the part; `join` makes the file of it, in a second path, once it is complete."""
        self.place = place
        self._join = join
        self.part = place.path.with_name(f"{place.path.name}.part")
        self.lines = 0
        self._about = place.path.with_name(f"{place.path.name}.part.json")
        self._kept = True
        with words_for(place.asked):
            self._lock = self._take_lock()
            try:
                self._begin(json.loads(json.dumps({**_AUTHOR, **request})), resume=resume)
            except BaseException:
                self._release()
                raise

    def write(self, text: str) -> None:
        """Add whole lines."""
        with self._words():
            self._stream.write(text)

    def discard(self) -> None:
        """Delete the part when the file is closed: it must not be continued."""
        self._kept = False

    def __enter__(self) -> ResumableFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None and self._kept:
                self._finish()
        finally:
            with suppress(OSError):  # what is wrong has been said
                self._stream.close()
            if not self._kept:
                self.part.unlink(missing_ok=True)
            self._release()

    def _finish(self) -> None:
        with self._words():
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._stream.close()
            if self._join is None:
                put_in_place(self.part, self.place.path)
                return
            whole = self.part.with_name(f"{self.part.name}.whole")
            try:
                self._join(self.part, whole)
                put_in_place(whole, self.place.path)
            finally:
                whole.unlink(missing_ok=True)
            self.part.unlink()

    def _words(self) -> AbstractContextManager[None]:
        return words_for(
            self.place.asked, f"; finished lines are in {self.part}; continue with --resume"
        )

    def _take_lock(self) -> IO[bytes]:
        """The record of the request, locked; refuses files that no run of ours has written."""
        lock = open_locked(self._about)
        if lock is None:
            raise ConcordantError(
                f"another run is writing {self.place.asked}; wait for it, or name another file"
            )
        text = lock.read()
        foreign = self.part.is_symlink() or (self.part.exists() and not self.part.is_file())
        for path, there in ((self._about, bool(text)), (self.part, os.path.lexists(self.part))):
            if there and (not text.startswith(_MARK) or (path == self.part and foreign)):
                _let_go(self._about, lock, keep=bool(text))
                raise ConcordantError(
                    f"{path} is in the way: it is not from an interrupted run; move it "
                    "elsewhere, or write to another file"
                )
        return lock

    def _release(self) -> None:
        """Release the lock; the record of the request stays as long as there is a part."""
        _let_go(self._about, self._lock, keep=self.part.exists())

    def _begin(self, wanted: Mapping[str, Any], *, resume: bool) -> None:
        """Open the part, and count the lines of it that are kept."""
        if resume and self.part.exists():
            self.lines = _cut_to_whole_lines(self.part)
        if self.lines:
            self._check(wanted)
        else:
            self._record(wanted)
        self._stream = self.part.open(
            "a" if self.lines else "w", encoding="utf-8", errors="backslashreplace", newline=""
        )

    def _record(self, wanted: Mapping[str, Any]) -> None:
        """Record the request; a part of an older one is emptied first, so that none outlives it."""
        if self.part.exists():
            os.truncate(self.part, 0)
        text = json.dumps(wanted, indent=2).encode()
        self._lock.seek(0)
        self._lock.write(text)
        self._lock.truncate()
        self._lock.flush()

    def _check(self, wanted: Mapping[str, Any]) -> None:
        self._lock.seek(0)
        try:
            begun = json.loads(self._lock.read())
        except ValueError:
            begun = {}
        differ = [name for name, value in wanted.items() if begun.get(name) != value]
        if differ:
            raise ConcordantError(
                f"{self.part} was started with other {', '.join(differ)}; repeat that command, or "
                "leave out --resume to start over"
            )


def _let_go(path: Path, lock: IO[bytes], *, keep: bool) -> None:
    if keep:
        lock.close()
    else:
        remove_locked(path, lock)


def _cut_to_whole_lines(path: Path) -> int:
    """Cut off what follows the last line feed; the number of lines that are left."""
    lines = kept = position = 0
    with path.open("rb+") as stream:
        while chunk := stream.read(CHUNK):
            last = chunk.rfind(b"\n")
            if last >= 0:
                lines += chunk.count(b"\n")
                kept = position + last + 1
            position += len(chunk)
        stream.truncate(kept)
    return lines

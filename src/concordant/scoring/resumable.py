"""A file of lines that is written whole, or kept as a part that can be gone on with.

Lines go to `FILE.part`; beside it, `FILE.part.json` says what was asked for. At the end the part
takes the file's place. After an interruption, of whatever kind, the complete lines of the part are
kept, and what follows is the same as if nothing had happened. A part of another request is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

CHUNK = 1 << 20


class ResumableFile:
    """An open file of lines; `lines` says how many of them were there already."""

    def __init__(self, path: str | Path, request: Mapping[str, Any], *, resume: bool) -> None:
        self.path = Path(path)
        self.part = self.path.with_name(f"{self.path.name}.part")
        self._about = self.path.with_name(f"{self.path.name}.part.json")
        if self.path.is_dir():
            raise ConcordantError(f"{path} is a folder; name a file to write to")
        if not self.path.parent.is_dir():
            raise ConcordantError(f"{self.path.parent} is no folder; make it first")
        self.lines = 0
        wanted = json.loads(json.dumps(request))
        if resume and self.part.exists():
            self._check(wanted)
            self.lines = _cut_to_whole_lines(self.part)
        else:
            self.part.unlink(missing_ok=True)
            self._about.write_text(json.dumps(wanted, indent=2), encoding="utf-8")
        self._stream = self.part.open("a", encoding="utf-8", newline="")

    def write(self, text: str) -> None:
        """Add whole lines."""
        self._stream.write(text)

    def __enter__(self) -> ResumableFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._stream.close()
        if kind is None:
            self.part.replace(self.path)
            self._about.unlink(missing_ok=True)

    def _check(self, wanted: Mapping[str, Any]) -> None:
        try:
            begun = json.loads(self._about.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            begun = {}
        differ = [name for name, value in wanted.items() if begun.get(name) != value]
        if differ:
            raise ConcordantError(
                f"{self.part} was begun with other {', '.join(differ)}; ask for the same again, or "
                "leave out --resume to begin anew"
            )


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

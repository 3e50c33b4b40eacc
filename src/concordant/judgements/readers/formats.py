"""What a format is: a name, a way to recognise it with a reason, and a reader into records.

Every format is a `Format(...)` in a module of this folder; `detection` has the table of them. A
format is of one file, or of a whole folder (`folder=True`); `claims` then tells which files below
the folder it accounts for; the others are left to their own formats.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.files import read_text
from concordant.judgements.campaign_schema import is_campaign
from concordant.judgements.files import choose_delimiter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from concordant.records import Collection

HEAD_LINES = 20
HEAD_BYTES = 1 << 18
CAMPAIGN = "a campaign"  # what stands for the first line of a campaign, which is no text


@dataclass(frozen=True)
class Head:
    """The beginning of a file: its path and its first lines. For a folder the lines are empty."""

    path: Path
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        """The file's name without `.gz`."""
        return self.path.name.removesuffix(".gz")

    def columns(self, delimiter: str | None) -> list[str]:
        """The fields of the first line, split at the delimiter (None: at white space)."""
        header = self.lines[0] if self.lines else ""
        fields = header.split(choose_delimiter(header, delimiter))
        return [name.strip().strip('"') for name in fields]


@dataclass(frozen=True)
class Format:
    """One format: `looks_like` gives the reason to take a file as this format, or None.

    `companion` tells whether a file is read together with another one beside it.
    """

    name: str
    title: str
    example: str
    looks_like: Callable[[Head], str | None]
    read: Callable[[Path], Collection]
    folder: bool = False
    claims: Callable[[Path], set[Path]] | None = None
    companion: Callable[[Path], bool] | None = None


def head_of(path: Path) -> Head:
    """The first lines of a file, read as every reader would read it, but no further."""
    if path.is_dir():
        return Head(path, ())
    if is_campaign(path):
        return Head(path, (CAMPAIGN,))
    lines = read_text(path, HEAD_BYTES).split("\n", HEAD_LINES)
    return Head(
        path, tuple(line.removesuffix("\r") for line in itertools.islice(lines, HEAD_LINES))
    )


def known_by(
    *headers: tuple[str, ...],
    delimiter: str | None = ",",
    unlike: tuple[set[str], ...] = (),
    words: str = "",
) -> Callable[[Head], str | None]:
    """Recognises a table whose header has all columns of one of these tuples.

    A header that also has all of a set in `unlike` belongs to another format. `words` name the
    columns in the reason, where there are too many to list.

    >>> from pathlib import Path
    >>> known_by(("system", "score"))(Head(Path("x.csv"), ("segment,system,score",)))
    'its header has system and score'
    """

    def looks_like(head: Head) -> str | None:
        columns = set(head.columns(delimiter))
        for header in headers:
            if set(header) <= columns and not any(other <= columns for other in unlike):
                return "its header has " + (words or f"{', '.join(header[:-1])} and {header[-1]}")
        return None

    return looks_like

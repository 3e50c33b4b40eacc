"""Parallel text files read together, block by block, in constant memory.

Line i of every file is segment i. Files of different length are an error before any score is
written; where a length cannot be known beforehand (standard input), at the line where one ends.
"""

from __future__ import annotations

import itertools
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import DataError, Fault, SpecError
from concordant.files import LONGEST_LINE, STANDARD_INPUT, count_lines
from concordant.files import read_plain_lines as read_lines
from concordant.metrics.scorer import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["STANDARD_INPUT", "Block", "TextFiles", "check_lengths", "count_lines", "read_lines"]

BLOCK = 1000
ROWS_LOOKED_AT = 100


@dataclass(frozen=True)
class Block:
    """Consecutive segments; `first` is the line number of the first of them."""

    first: int
    batch: Batch


@dataclass(frozen=True)
class TextFiles:
    """What translations are scored against: files of references and, if given, of sources.

    Every line of a file of references holds `texts_each` of them, separated by tabs. No line has
    more than `longest` characters.
    """

    references: tuple[str, ...]
    source: str | None = None
    texts_each: int = 1
    longest: int = LONGEST_LINE

    @property
    def names(self) -> list[str]:
        """All files, the references first."""
        return [*self.references, *([] if self.source is None else [self.source])]

    @property
    def count(self) -> int:
        """How many references a segment has."""
        return len(self.references) * self.texts_each

    def lines(self, name: str) -> Iterator[str]:
        """The lines of one of these files, or of one that belongs to them."""
        return read_lines(name, self.longest)

    def all_lines(self, name: str) -> list[str]:
        """The lines of such a file at once."""
        return list(self.lines(name))

    def blocks(
        self, translation: str, *, size: int | None = None, skip: int = 0
    ) -> Iterator[Block]:
        """The segments of a file of translations, with all of their texts, from line `skip` + 1."""
        names = [translation, *self.names]
        streams = [itertools.islice(self.lines(name), skip, None) for name in names]
        first, size = skip + 1, BLOCK if size is None else size
        while True:
            parts = [list(itertools.islice(stream, size)) for stream in streams]
            lengths = [len(part) for part in parts]
            if len(set(lengths)) > 1:
                raise DataError(_different(names, [first - 1 + length for length in lengths]))
            if lengths[0] == 0:
                if first == 1:
                    raise DataError.at(translation, None, "is empty")
                return
            sources = None if self.source is None else parts.pop()
            yield Block(first, Batch(parts[0], self._by_segment(parts[1:], first), sources))
            first += lengths[0]

    def all_references(self, reader: str, *, again: bool = True) -> list[list[str]]:
        """The references of every segment at once, for what must know them all before it scores.

        `again` says that they are read a second time.
        """
        once = [name for name in self.references if not can_be_read_again(name)]
        if again and once:
            raise SpecError(
                f"{reader} reads the references twice; {once[0]} must be a file, not standard "
                "input or a pipe"
            )
        return self._by_segment([self.all_lines(name) for name in self.references], 1)

    def check(self, translations: Sequence[str]) -> int | None:
        """The number of lines, the same in all files; None if only standard input knows it.

        Several references per line where one is expected are an error.
        """
        counts = check_lengths([*self.names, *translations], self.longest)
        for name in self.references if self.texts_each == 1 else ():
            if can_be_read_again(name) and (texts := _texts_in_rows(self.lines(name))):
                raise DataError.at(
                    name,
                    None,
                    f"has {texts} texts in every line, separated by tabs; use --num-refs {texts} "
                    "if they are references, or replace the tabs by spaces",
                )
        return counts

    def _by_segment(self, columns: Sequence[list[str]], first: int) -> list[list[str]]:
        """For each segment its references: those of a line, file by file."""
        if self.texts_each == 1:
            return [list(texts) for texts in zip(*columns, strict=True)]
        rows = [[line.split("\t") for line in lines] for lines in columns]
        for name, cut in zip(self.references, rows, strict=True):
            for line, texts in enumerate(cut, first):
                if len(texts) != self.texts_each:
                    raise DataError.at(
                        name,
                        line,
                        f"has {len(texts)} tab-separated texts; --num-refs says {self.texts_each}",
                    )
        return [list(itertools.chain(*texts)) for texts in zip(*rows, strict=True)]


def _texts_in_rows(lines: Iterator[str]) -> int:
    """How many texts every one of the first lines holds, separated by tabs; 0 if it is not so."""
    tabs = {line.count("\t") for line in itertools.islice(lines, ROWS_LOOKED_AT)}
    return 0 if len(tabs) != 1 or tabs == {0} else tabs.pop() + 1


def check_lengths(names: Sequence[str], longest: int = LONGEST_LINE) -> int | None:
    """The number of lines of all files; refuses different ones, each file named with its own.

    None where there are only standard input and pipes, which have not been read yet.
    """
    known = [name for name in dict.fromkeys(names) if can_be_read_again(name)]
    counts = [count_lines(name, longest) for name in known]
    if len(set(counts)) > 1:
        for name in known:  # a table has a heading: that is what is wrong, and not a length
            next(read_lines(name, longest), None)
        raise DataError([
            Fault(name, None, f"has {_count_words(count)}; all files must have the same number")
            for name, count in zip(known, counts, strict=True)
        ])
    if counts and counts[0] == 0:
        raise DataError.at(known[0], None, "is empty")
    return counts[0] if counts else None


def _count_words(lines: int) -> str:
    return "1 line" if lines == 1 else f"{lines} lines"


def can_be_read_again(name: str) -> bool:
    """Whether reading it beforehand leaves it as it is; not standard input, a pipe or a device."""
    if name == STANDARD_INPUT:
        return False
    try:
        mode = Path(name).stat().st_mode
    except (OSError, ValueError):
        return True  # reading it will say what is wrong
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _different(names: Sequence[str], counts: Sequence[int]) -> list[Fault]:
    most = max(counts)
    return [
        Fault(name, count or None, f"ends after {count} lines; another file has {most}")
        for name, count in zip(names, counts, strict=True)
        if count < most
    ]

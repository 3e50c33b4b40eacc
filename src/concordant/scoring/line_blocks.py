"""Parallel text files read in step, block by block, so that memory stays flat.

Line i of every file speaks of segment i. Files of different length are refused before any score is
written; where a length cannot be known beforehand (standard input), at the line where one ends.
"""

from __future__ import annotations

import gzip
import io
import itertools
import sys
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import DataError, Fault, SpecError
from concordant.judgements.files import BYTE_ORDER_MARK, BYTE_ORDER_MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STANDARD_INPUT = "-"
BLOCK = 1000
CHUNK = 1 << 20
ROWS_LOOKED_AT = 100


@dataclass(frozen=True)
class Block:
    """Consecutive segments; `first` is the line number of the first of them."""

    first: int
    hypotheses: list[str]
    references: list[list[str]]
    sources: list[str] | None


@dataclass(frozen=True)
class TextFiles:
    """What outputs are scored against: files of references and, where there is one, of sources.

    Every line of a file of references holds `texts_each` of them, parted by tabs.
    """

    references: tuple[str, ...]
    source: str | None = None
    texts_each: int = 1

    @property
    def names(self) -> list[str]:
        """All files, the references first."""
        return [*self.references, *([] if self.source is None else [self.source])]

    @property
    def count(self) -> int:
        """How many references a segment has."""
        return len(self.references) * self.texts_each

    def blocks(self, hypothesis: str, *, size: int | None = None, skip: int = 0) -> Iterator[Block]:
        """The segments of a file of outputs with all that belongs to them, from line `skip` + 1."""
        names = [hypothesis, *self.names]
        streams = [itertools.islice(read_lines(name), skip, None) for name in names]
        first, size = skip + 1, BLOCK if size is None else size
        while True:
            parts = [list(itertools.islice(stream, size)) for stream in streams]
            lengths = [len(part) for part in parts]
            if len(set(lengths)) > 1:
                raise DataError(_different(names, [first - 1 + length for length in lengths]))
            if lengths[0] == 0:
                if first == 1:
                    raise DataError.at(hypothesis, None, "is empty")
                return
            sources = None if self.source is None else parts.pop()
            yield Block(first, parts[0], self._by_segment(parts[1:], first), sources)
            first += lengths[0]

    def all_references(self, reader: str) -> list[list[str]]:
        """The references of every segment at once, for what must know them all before it scores."""
        if STANDARD_INPUT in self.references:
            raise SpecError(f"{reader} reads the references twice; they cannot be standard input")
        return self._by_segment([list(read_lines(name)) for name in self.references], 1)

    def check(self, translations: Sequence[str]) -> int | None:
        """The number of lines, the same in all files; None if only standard input knows it.

        Refuses references given row by row where one a line is expected.
        """
        counts = check_lengths([*self.names, *translations])
        for name in self.references if self.texts_each == 1 else ():
            if can_be_read_again(name) and (texts := _texts_in_rows(name)):
                raise DataError.at(
                    name,
                    None,
                    f"has {texts} texts in every line, parted by tabs; say --num-refs {texts} if "
                    "they are references, or change the tabs to blanks",
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
                        f"has {len(texts)} texts parted by tabs; --num-refs says {self.texts_each}",
                    )
        return [list(itertools.chain(*texts)) for texts in zip(*rows, strict=True)]


def _texts_in_rows(name: str) -> int:
    """How many texts every one of a file's first lines holds, if tabs part them; 0 if none do."""
    tabs = {line.count("\t") for line in itertools.islice(read_lines(name), ROWS_LOOKED_AT)}
    return 0 if len(tabs) != 1 or tabs == {0} else tabs.pop() + 1


def check_lengths(names: Sequence[str]) -> int | None:
    """The number of lines of all files; refuses different ones, each file named with its own.

    None where there are only standard input and pipes, which have not been read yet.
    """
    known = [name for name in dict.fromkeys(names) if can_be_read_again(name)]
    counts = [count_lines(name) for name in known]
    if len(set(counts)) > 1:
        raise DataError([
            Fault(name, None, f"has {count} lines; all files must have the same number of them")
            for name, count in zip(known, counts, strict=True)
        ])
    if counts and counts[0] == 0:
        raise DataError.at(known[0], None, "is empty")
    return counts[0] if counts else None


def can_be_read_again(name: str) -> bool:
    """Whether reading it beforehand leaves it as it is; not standard input, nor a pipe."""
    return name != STANDARD_INPUT and not Path(name).is_fifo()


def count_lines(name: str) -> int:
    """The number of lines of a file, a last one without an end included."""
    count, last = 0, b"\n"
    with _unpacking(name), _open_bytes(name) as stream:
        if _encoding(stream)[1] != "utf-8":  # where the byte of a line feed is also part of others
            return sum(1 for _ in read_lines(name))
        while chunk := stream.read(CHUNK):
            count += chunk.count(b"\n")
            last = chunk[-1:]
    return count + (last != b"\n")


def read_lines(name: str) -> Iterator[str]:
    """The lines of a file (or `-`, standard input) one by one, cut at line feeds only."""
    with _unpacking(name), _open_bytes(name) as raw:
        mark, encoding = _encoding(raw)
        raw.read(len(mark))
        number = 1
        with io.TextIOWrapper(raw, encoding=encoding, newline="\n") as text:
            try:
                for number, line in enumerate(text, start=1):  # noqa: B007 - used in the message
                    yield line.removesuffix("\n").removesuffix("\r").removeprefix(BYTE_ORDER_MARK)
            except UnicodeDecodeError as error:
                raise DataError.at(
                    name,
                    number + 1 if number > 1 else 1,
                    f"a byte near here is not {encoding.upper()} ({error.reason}); "
                    "convert the file first, e.g. iconv -f latin1 -t utf-8",
                ) from None


def _encoding(raw: io.BufferedReader) -> tuple[bytes, str]:
    """The byte-order mark that is about to be read, if any, and the encoding."""
    start = raw.peek(4)[:4]
    return next(((m, e) for m, e in BYTE_ORDER_MARKS if start.startswith(m)), (b"", "utf-8"))


@contextmanager
def _unpacking(name: str) -> Iterator[None]:
    """Say in words that a gzipped file is damaged or cut off."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise DataError.at(
            name, None, f"is a damaged gzip file ({fault}); copy or pack it again"
        ) from None


@contextmanager
def _open_bytes(name: str) -> Iterator[io.BufferedReader]:
    """The bytes of a file, unpacked if it is gzip (by its first bytes, not by its name)."""
    with _opened(name) as raw:
        if raw.peek(2)[:2] != b"\x1f\x8b":
            yield raw
        else:
            with gzip.GzipFile(fileobj=raw) as packed:
                yield io.BufferedReader(packed)


def _opened(name: str) -> io.BufferedReader:
    try:
        if name == STANDARD_INPUT:
            return io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False))
        return io.BufferedReader(io.FileIO(str(Path(name))))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise DataError.at(name, None, "there is no such file; check the path") from None
    except IsADirectoryError:
        raise DataError.at(name, None, "is a folder; name a file in it") from None
    except PermissionError:
        raise DataError.at(name, None, "may not be read; ask its owner for read access") from None


def _different(names: Sequence[str], counts: Sequence[int]) -> list[Fault]:
    most = max(counts)
    return [
        Fault(name, count or None, f"ends after {count} lines; another file goes on to line {most}")
        for name, count in zip(names, counts, strict=True)
        if count < most
    ]

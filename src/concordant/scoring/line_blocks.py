"""Parallel text files read in step, block by block, so that memory stays flat.

Line i of every file speaks of segment i. Files of different length are refused before any score is
written; where a length cannot be known beforehand (standard input), at the line where one ends.
"""

from __future__ import annotations

import gzip
import io
import itertools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import DataError, Fault
from concordant.judgements.files import BYTE_ORDER_MARK, BYTE_ORDER_MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STANDARD_INPUT = "-"
BLOCK = 1000
CHUNK = 1 << 20


@dataclass(frozen=True)
class Block:
    """Consecutive segments; `first` is the line number of the first of them."""

    first: int
    hypotheses: list[str]
    references: list[list[str]]


def blocks(hypothesis: str, references: Sequence[str], *, size: int = BLOCK) -> Iterator[Block]:
    """The segments of a hypothesis file with their references, in blocks."""
    names = [hypothesis, *references]
    streams = [read_lines(name) for name in names]
    first = 1
    while True:
        parts = [list(itertools.islice(stream, size)) for stream in streams]
        lengths = [len(part) for part in parts]
        if len(set(lengths)) > 1:
            raise DataError(_different(names, [first - 1 + length for length in lengths]))
        if lengths[0] == 0:
            if first == 1:
                raise DataError.at(hypothesis, None, "is empty")
            return
        hypotheses, *given = parts
        yield Block(first, hypotheses, [list(texts) for texts in zip(*given, strict=True)])
        first += lengths[0]


def check_lengths(names: Sequence[str]) -> None:
    """Refuse files that do not have the same number of lines, all of them named with theirs."""
    known = [name for name in dict.fromkeys(names) if name != STANDARD_INPUT]
    counts = [count_lines(name) for name in known]
    if len(set(counts)) > 1:
        raise DataError([
            Fault(name, None, f"has {count} lines; all files must have the same number of them")
            for name, count in zip(known, counts, strict=True)
        ])
    if counts and counts[0] == 0:
        raise DataError.at(known[0], None, "is empty")


def count_lines(name: str) -> int:
    """The number of lines of a file, a last one without an end included."""
    count, last = 0, b"\n"
    with _open_bytes(name) as stream:
        while chunk := stream.read(CHUNK):
            count += chunk.count(b"\n")
            last = chunk[-1:]
    return count + (last != b"\n")


def read_lines(name: str) -> Iterator[str]:
    """The lines of a file (or `-`, standard input) one by one, cut at line feeds only."""
    with _open_bytes(name) as raw:
        start = raw.peek(4)[:4]
        mark, encoding = next(
            ((m, e) for m, e in BYTE_ORDER_MARKS if start.startswith(m)), (b"", "utf-8")
        )
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


def _open_bytes(name: str) -> io.BufferedReader:
    raw: io.BufferedReader
    try:
        if name == STANDARD_INPUT:
            raw = io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False))
        else:
            raw = io.BufferedReader(io.FileIO(str(Path(name))))
        if raw.peek(2)[:2] != b"\x1f\x8b":
            return raw
        if name == STANDARD_INPUT:
            return io.BufferedReader(gzip.GzipFile(fileobj=raw))
        raw.close()
        return io.BufferedReader(gzip.GzipFile(name))
    except FileNotFoundError:
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

"""Files as text, whole or line by line: the one reader that everything uses.

Gzip, bzip2, xz and zstd are recognised by their first bytes, not their names. Text is UTF-8, or
UTF-16/32 if a byte-order mark says so. Anything else is an error, with its line where there is one.

Lines end at a line feed (a carriage return before it goes too) and nowhere else: U+2028 or U+0085
inside a translation must not shift every line below it.

Everything is bounded: the characters of a line, and the size of what is unpacked relative to the
file, so that neither an endless line nor a few crafted bytes can fill the memory.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import itertools
import lzma
import sys
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, DataError
from concordant.file_kinds import LINES_LOOKED_AT, binary_kind, packed_kind, structured_kind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

STANDARD_INPUT = "-"
CHUNK = 1 << 18
# A whole book in one line has some 500,000 characters; a segment has hundreds.
LONGEST_LINE = 1_000_000
# Judgements as WMT publishes them unpack to 27 times their size; a bomb to 1,000 times.
MOST_UNPACKED = 1 << 28
MOST_TIMES_PACKED = 50
COST_OF_A_LINE = 32  # bytes of memory beside its text
FIRST_BYTES = 16
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
BYTE_ORDER_MARK = "\ufeff"
BINARY = "has a NUL byte: it is binary, or UTF-16 without a byte-order mark; convert it to UTF-8"
RAISED = "split it, or raise the limit with --max-line"


def read_text(path: str | Path, limit: int = -1) -> str:
    """The text of a file; with a limit, of its first bytes only."""
    with open_bytes(path) as stream:
        mark, encoding = _encoding(stream)
        data = stream.read(limit)[len(mark) :]
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data, final=limit < 0)
    except UnicodeDecodeError as error:
        raise _undecodable(path, error, 0) from None
    if "\0" in text:
        raise DataError.at(path, text.count("\n", 0, text.index("\0")) + 1, BINARY)
    return text


def read_lines(
    path: str | Path, longest: int = LONGEST_LINE, *, remedy: str = RAISED
) -> Iterator[str]:
    """The lines of a file (or `-`, standard input) one by one, without their ends.

    A byte-order mark at the start of a line (from joined files) is removed. `remedy` says what to
    do about a line of more than `longest` characters.
    """
    number, pieces, length = 1, list[str](), 0
    for text in _decode(path):
        *whole, rest = text.split("\n")
        for line in whole:
            if length + len(line) > longest:
                raise _too_long(path, number, longest, remedy)
            yield without_marks("".join([*pieces, line]) if pieces else line)
            number, length = number + 1, 0
            pieces.clear()
        if rest:
            pieces.append(rest)
            length += len(rest)
        if length > longest:
            raise _too_long(path, number, longest, remedy)
    if pieces:
        yield without_marks("".join(pieces))


def read_plain_lines(
    path: str | Path, longest: int = LONGEST_LINE, *, remedy: str = RAISED
) -> Iterator[str]:
    """The lines of a file of texts, one per line; JSON, tables and markup are errors."""
    lines = read_lines(path, longest, remedy=remedy)
    first = list(itertools.islice(lines, LINES_LOOKED_AT))
    if (kind := structured_kind(first)) is not None:
        raise DataError.at(path, None, kind)
    yield from first
    yield from lines


def count_lines(path: str | Path, longest: int = LONGEST_LINE) -> int:
    """The number of lines of a file, including a last one without a line feed."""
    count, behind = 0, 0  # how many bytes follow the last line feed
    with open_bytes(path) as stream:
        if _encoding(stream)[1] != "utf-8":  # where the byte of a line feed is also part of others
            return sum(1 for _ in read_lines(path, longest))
        while chunk := stream.read1(CHUNK):
            if b"\0" in chunk:
                before = chunk.count(b"\n", 0, chunk.index(b"\0"))
                raise DataError.at(path, count + before + 1, BINARY)
            last = chunk.rfind(b"\n")
            behind = behind + len(chunk) if last < 0 else len(chunk) - last - 1
            count += chunk.count(b"\n")
            if behind > 4 * longest:  # a character has at most four bytes
                raise _too_long(path, count + 1, longest)
    return count + (behind > 0)


@contextmanager
def open_bytes(path: str | Path) -> Iterator[io.BufferedReader]:
    """The bytes of a file, or of `-`, unpacked if they are packed; errors are `DataError`s."""
    with _in_words(path), _source(path) as source:
        stream: io.BufferedReader = io.BufferedReader(source, CHUNK)
        packed = packed_kind(stream.peek(FIRST_BYTES))
        if packed is not None:
            stream = io.BufferedReader(_Unpacked(path, *packed, stream, source), CHUNK)
            if packed_kind(stream.peek(FIRST_BYTES)) is not None:
                raise DataError.at(path, None, f"is packed twice; unpack it first: {packed[1]}")
        kind = binary_kind(stream.peek(FIRST_BYTES))
        if kind is not None:
            raise DataError.at(path, None, kind)
        yield stream


class _Source(io.FileIO):
    """A file that counts the bytes taken from it, and gives enough of them at first."""

    taken = 0

    def readinto(self, buffer: Any) -> int:
        got = super().readinto(buffer) or 0
        while self.taken == 0 and 0 < got < FIRST_BYTES:  # from a pipe they may come one by one
            more = super().readinto(memoryview(buffer)[got:]) or 0
            if not more:
                break
            got += more
        self.taken += got
        return got


class _Unpacked(io.RawIOBase):
    """The bytes in a packed file, up to a bound on what they need in memory."""

    def __init__(
        self, path: str | Path, kind: str, remedy: str, packed: io.BufferedReader, source: _Source
    ) -> None:
        self._path, self._source, self._kind, self._remedy = path, source, kind, remedy
        self._stream = _unpacking(path, kind, remedy, packed)
        self._cost = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._read(len(buffer))
        buffer[: len(data)] = data
        self._cost += len(data) + COST_OF_A_LINE * data.count(b"\n")
        if self._cost > max(MOST_UNPACKED, MOST_TIMES_PACKED * self._source.taken):
            raise DataError.at(
                self._path,
                None,
                f"unpacks to more than {MOST_UNPACKED >> 20} MB, and more than {MOST_TIMES_PACKED} "
                "times its size; if that is intended, unpack it first: {self._remedy}",
            )
        return len(data)

    def _read(self, most: int) -> bytes:
        try:
            return bytes(self._stream.read(most))
        except (EOFError, zlib.error, lzma.LZMAError, OSError) as fault:
            if getattr(fault, "errno", None) is not None:  # the disk's, not the file's
                raise
            message = f"is a damaged {self._kind} file ({fault}); copy or pack it again"
            raise DataError.at(self._path, None, message) from None


def _unpacking(path: str | Path, kind: str, remedy: str, packed: io.BufferedReader) -> Any:
    """What reads the unpacked bytes."""
    if kind == "gzip":
        return gzip.GzipFile(fileobj=packed)
    if kind == "xz":
        return lzma.LZMAFile(packed)
    if kind == "bzip2":
        return bz2.BZ2File(packed)
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise ConcordantError(
            f"{path}: reading zstd needs pyarrow; install it: pip install "
            f'"concordant[tables]", or unpack the file first: {remedy}'
        ) from None
    return pa.CompressedInputStream(pa.PythonFile(packed, mode="r"), "zstd")


def _source(path: str | Path) -> _Source:
    if path != STANDARD_INPUT:
        return _Source(str(Path(path)))
    if sys.stdin is None:
        raise DataError.at(path, None, "standard input is closed; name a file")
    return _Source(sys.stdin.fileno(), closefd=False)


@contextmanager
def _in_words(path: str | Path) -> Iterator[None]:
    """Turn errors of the operating system into readable `DataError`s."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise DataError.at(path, None, "there is no such file; check the path") from None
    except IsADirectoryError:
        raise DataError.at(path, None, "is a folder; name a file in it") from None
    except PermissionError:
        raise DataError.at(path, None, "permission denied; ask its owner for read access") from None
    except OSError as error:
        raise DataError.at(path, None, f"cannot be read: {error.strerror or error}") from None
    except MemoryError:
        raise DataError.at(path, None, "is too large for this computer's memory") from None
    except ValueError as error:  # a NUL character in the path
        if "null" not in str(error):
            raise
        raise DataError.at(path, None, "there is no such file; check the path") from None


def _encoding(stream: io.BufferedReader) -> tuple[bytes, str]:
    """The byte-order mark that is about to be read, if any, and the encoding."""
    start = stream.peek(FIRST_BYTES)[:FIRST_BYTES]
    return next(((m, e) for m, e in BYTE_ORDER_MARKS if start.startswith(m)), (b"", "utf-8"))


def _decode(path: str | Path) -> Iterator[str]:
    """The text of a file in pieces."""
    above = 0
    with open_bytes(path) as stream:
        mark, encoding = _encoding(stream)
        stream.read(len(mark))
        decoder = codecs.getincrementaldecoder(encoding)()
        more = True
        while more:
            chunk = stream.read1(CHUNK)
            more = bool(chunk)
            try:
                text = decoder.decode(chunk, final=not more)
            except UnicodeDecodeError as error:
                raise _undecodable(path, error, above) from None
            if "\0" in text:
                raise DataError.at(path, above + text.count("\n", 0, text.index("\0")) + 1, BINARY)
            yield text
            above += text.count("\n")


def _undecodable(path: str | Path, error: UnicodeDecodeError, above: int) -> DataError:
    """The error for bytes that are invalid in the encoding, `above` lines below the start."""
    if b"\0" in error.object and error.encoding == "utf-8":  # no Latin-1 either
        return DataError.at(path, above + _lines_before(error.object, b"\0") + 1, BINARY)
    before = error.object[: error.start].decode(error.encoding, "replace")
    return DataError.at(
        path,
        above + before.count("\n") + 1,
        f"byte 0x{error.object[error.start]:02x} is not {error.encoding.upper()}; "
        "convert the file first, e.g. iconv -f latin1 -t utf-8",
    )


def _lines_before(data: bytes, sign: bytes) -> int:
    return data.count(b"\n", 0, data.index(sign))


def without_marks(line: str) -> str:
    """A line without a carriage return at its end and a byte-order mark at its head."""
    return line.removesuffix("\r").removeprefix(BYTE_ORDER_MARK)


def _too_long(path: str | Path, number: int, longest: int, remedy: str = RAISED) -> DataError:
    message = f"has more than {longest:,} characters, the longest line allowed"
    return DataError.at(path, number, f"{message}; {remedy}")

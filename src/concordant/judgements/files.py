"""Opening files as text, whatever they are: gzip, byte-order marks, bad bytes, no permission.

Lines end at a line feed (a carriage return before it goes too) and nowhere else: U+2028 or U+0085
inside a translation must not shift every line below it.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from concordant.errors import DataError, Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
BYTE_ORDER_MARK = "\ufeff"
BINARY = "has a NUL byte: it is binary, or UTF-16 without a byte-order mark; UTF-8 is needed"


def read_bytes(path: str | Path, limit: int = -1) -> bytes:
    """The contents of a file, unpacked if it is gzip (by its first bytes, not by its name).

    With a limit, no more than that many bytes from its beginning.
    """
    try:
        with Path(path).open("rb") as stream:
            packed = stream.read(2) == b"\x1f\x8b"
            stream.seek(0)
            data = gzip.GzipFile(fileobj=stream).read(limit) if packed else stream.read(limit)
    except FileNotFoundError:
        raise DataError.at(path, None, "there is no such file; check the path") from None
    except IsADirectoryError:
        raise DataError.at(path, None, "is a folder; name a file in it") from None
    except PermissionError:
        raise DataError.at(path, None, "may not be read; ask its owner for read access") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError.at(path, None, f"is damaged gzip ({error}); fetch it again") from None
    except OSError as error:
        raise DataError.at(path, None, f"cannot be read: {error.strerror or error}") from None
    return data


def read_text(path: str | Path, limit: int = -1) -> str:
    """The contents of a file as text: UTF-8, or UTF-16/32 where a byte-order mark says so.

    With a limit, the text of that many bytes from its beginning.
    """
    data = read_bytes(path, limit)
    encoding = "utf-8"
    for mark, name in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            data, encoding = data[len(mark) :], name
            break
    if encoding == "utf-8" and b"\0" in data:
        # An image is no Latin-1, whatever its first bad byte suggests.
        raise DataError.at(path, data.count(b"\n", 0, data.index(b"\0")) + 1, BINARY)
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data, final=limit < 0)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError.at(
            path,
            line,
            f"byte 0x{data[error.start]:02x} is not {encoding.upper()}; "
            "convert the file first, e.g. iconv -f latin1 -t utf-8",
        ) from None
    if "\0" in text:
        raise DataError.at(path, text.count("\n", 0, text.index("\0")) + 1, BINARY)
    return text


def read_lines(path: str | Path) -> list[str]:
    """The lines of a file without their ends; a last line without an end counts, an empty one not.

    A byte-order mark left at the head of a line (files joined from several) is taken off.
    """
    text = read_text(path)
    if not text:
        return []
    lines = text.removesuffix("\n").split("\n")
    return [line.removesuffix("\r").removeprefix(BYTE_ORDER_MARK) for line in lines]


def read_nonempty_lines(path: str | Path) -> list[str]:
    """The lines of a file that must have some; an empty file is an error."""
    lines = read_lines(path)
    if not any(line.strip() for line in lines):
        raise DataError.at(path, None, "is empty")
    return lines


def check_header(path: str | Path, header: Sequence[str], required: Sequence[str]) -> None:
    """Raise unless every required column is there, and no column twice."""
    missing = [name for name in required if name not in header]
    if missing:
        message = f"no column {', '.join(missing)}; the header has {', '.join(header)}"
        raise DataError.at(path, 1, message)
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        message = f"column {', '.join(repeated)} appears more than once; rename or remove one"
        raise DataError.at(path, 1, message)


def read_table(
    path: str | Path, *, delimiter: str, required: Sequence[str] = (), quoted: bool = True
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table with a header, each as (line number, column → value).

    A row with more or fewer fields than the header, and a required column that is not there, are
    faults; all rows are checked before the first one is given out.
    """
    text = read_text(path).removeprefix(BYTE_ORDER_MARK)
    if not text.strip():
        raise DataError.at(path, None, "is empty")
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    lines = (line + "\n" for line in text.removesuffix("\n").split("\n"))
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    rows, faults = [], []
    try:
        header = [name.strip() for name in next(reader)]
        check_header(path, header, required)
        begin = reader.line_num + 1
        for fields in reader:
            if len(fields) == len(header):
                rows.append((begin, dict(zip(header, fields, strict=True))))
            elif fields:
                faults.append(
                    Fault(str(path), begin, f"{len(fields)} fields where {len(header)} are needed")
                )
            begin = reader.line_num + 1
    except csv.Error as error:
        faults.append(Fault(str(path), reader.line_num, f"cannot be read as a table: {error}"))
    if faults:
        raise DataError(faults)
    if not rows:
        raise DataError.at(path, None, "has a header but no rows")
    return iter(rows)

"""Whole files of judgements and texts: their lines, or the rows of a table.

`concordant.files` turns bytes into text.
"""

from __future__ import annotations

import csv
from collections import Counter
from typing import TYPE_CHECKING, Literal

from concordant.errors import DataError, Fault
from concordant.file_kinds import structured_kind
from concordant.files import (
    BYTE_ORDER_MARK,
    check_line_lengths,
    opened,
    read_text,
    without_marks,
)
from concordant.judgements.readers.fields import MOST_FAULTS, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["BYTE_ORDER_MARK", "read_text"]

TOO_LONG = (
    f"a cell has more than {csv.field_size_limit():,} characters, the longest allowed; "
    "is a quotation mark not closed?"
)


def read_bytes(path: str | Path) -> bytes:
    """The contents of a file, unpacked if it is gzip."""
    with opened(path) as stream:
        return stream.read()


def read_lines(path: str | Path) -> list[str]:
    """The lines of a file without their ends; a last line without an end counts, an empty one not.

    A byte-order mark at the start of a line (from joined files) is removed.
    """
    text = read_text(path)
    if not text:
        return []
    lines = [without_marks(line) for line in text.removesuffix("\n").split("\n")]
    check_line_lengths(path, lines)
    return lines


def read_nonempty_lines(path: str | Path) -> list[str]:
    """The lines of a file that must have some; an empty file is an error."""
    lines = read_lines(path)
    if not any(line.strip() for line in lines):
        raise DataError.at(path, None, "is empty")
    return lines


def read_plain_lines(path: str | Path) -> list[str]:
    """The lines of a file of texts, one per line; JSON, tables and markup are errors."""
    lines = read_lines(path)
    if (kind := structured_kind(lines)) is not None:
        raise DataError.at(path, None, kind)
    return lines


def check_header(path: str | Path, header: Sequence[str], required: Sequence[str]) -> None:
    """Raise unless every required column is there, and no column twice."""
    counts = Counter(header)
    missing = [name for name in required if name not in counts]
    if missing:
        message = f"no column {', '.join(missing)}; the header has {listed(header)}"
        raise DataError.at(path, 1, message)
    repeated = sorted(name for name, count in counts.items() if count > 1)
    if repeated:
        message = f"column {listed(repeated)} appears more than once; rename or remove one"
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
    begin = 1
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    rows: list[tuple[int, dict[str, str]]] = []
    faults: list[Fault] = []
    try:
        header = [name.strip() for name in next(reader)]
        check_header(path, header, required)
        begin = reader.line_num + 1
        for fields in reader:
            if len(fields) == len(header):
                rows.append((begin, dict(zip(header, fields, strict=True))))
            elif fields:
                words = f"{len(fields)} fields, but {len(header)} are needed"
                faults.append(Fault(str(path), begin, words))
                if len(faults) == MOST_FAULTS:
                    break
            begin = reader.line_num + 1
    except csv.Error as error:
        too_long = "field larger" in str(error)  # where it ends says nothing of where it began
        line = begin if too_long else reader.line_num
        words = TOO_LONG if too_long else f"cannot be read as a table: {error}"
        faults.append(Fault(str(path), line, words))
    if faults:
        raise DataError(faults, stopped=len(faults) == MOST_FAULTS)
    if not rows:
        raise DataError.at(path, None, "has a header but no rows")
    return iter(rows)

"""Whole files of judgements and texts: their lines, or the rows of a table.

`concordant.files` turns bytes into text.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING, Literal, TypeAlias

from concordant import files
from concordant.errors import DataError
from concordant.files import BYTE_ORDER_MARK, open_bytes, read_text
from concordant.judgements.readers.fields import build_each, list_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    Cells: TypeAlias = list[str] | ValueError  # of a row; the error that made it unreadable

REMEDY = "split it"  # for a line that is too long
CSV_OR_TSV = ",\t"  # a delimiter that the header decides
TOO_LONG = (
    f"a cell has more than {csv.field_size_limit():,} characters, the longest allowed; "
    "is a quotation mark not closed?"
)


def read_bytes(path: str | Path) -> bytes:
    """The contents of a file, unpacked if it is gzip."""
    with open_bytes(path) as stream:
        return stream.read()


def read_lines(path: str | Path) -> list[str]:
    """The lines of a file without their ends; a last line without an end counts, an empty one not.

    A byte-order mark at the start of a line (from joined files) is removed.
    """
    return list(files.read_lines(path, remedy=REMEDY))


def read_nonempty_lines(path: str | Path) -> list[str]:
    """The lines of a file that must have some; an empty file is an error."""
    lines = read_lines(path)
    if not any(line.strip() for line in lines):
        raise DataError.at(path, None, "is empty")
    return lines


def read_plain_lines(path: str | Path) -> list[str]:
    """The lines of a file of texts, one per line; JSON, tables and markup are errors."""
    return list(files.read_plain_lines(path, remedy=REMEDY))


def check_header(path: str | Path, header: Sequence[str], required: Sequence[str]) -> None:
    """Raise unless every required column is there, and no column twice."""
    counts = Counter(header)
    missing = [name for name in required if name not in counts]
    if missing:
        message = f"no column {', '.join(missing)}; the header has {list_words(header)}"
        raise DataError.at(path, 1, message)
    repeated = sorted(name for name, count in counts.items() if count > 1)
    if repeated:
        message = f"column {list_words(repeated)} appears more than once; rename or remove one"
        raise DataError.at(path, 1, message)


def read_table(
    path: str | Path, *, delimiter: str | None, required: Sequence[str] = (), quoted: bool = True
) -> list[tuple[int, dict[str, str]]]:
    """The rows of a table with a header, each as (line number, column → value).

    `delimiter` None is any white space, CSV_OR_TSV what the header has. With `quoted` False, cells
    between tabs are never quoted. A row with more or fewer fields than the header, and a required
    column that is not there, are faults.
    """
    text = read_text(path).removeprefix(BYTE_ORDER_MARK)
    if not text.strip():
        raise DataError.at(path, None, "is empty")
    delimiter = choose_delimiter(text.partition("\n")[0], delimiter)
    lines = text.removesuffix("\n").split("\n")
    rows = _split_spaced(lines) if delimiter is None else _split_delimited(lines, delimiter, quoted)
    header = [name.strip() for name in build_each(path, itertools.islice(rows, 1), _whole)[0]]
    check_header(path, header, required)

    def row_of(line: int, cells: Cells) -> tuple[int, dict[str, str]]:
        values = _whole(line, cells)
        if len(values) != len(header):
            raise ValueError(f"{len(values)} fields, but {len(header)} are needed")
        return line, dict(zip(header, values, strict=True))

    found = build_each(path, rows, row_of)
    if not found:
        raise DataError.at(path, None, "has a header but no rows")
    return found


def choose_delimiter(header: str, delimiter: str | None) -> str | None:
    """The delimiter of a table with this header: of a csv or tsv, a tab if it has one."""
    if delimiter == CSV_OR_TSV:
        return "\t" if "\t" in header else ","
    return delimiter


def _whole(_line: int, cells: Cells) -> list[str]:
    """The cells of a row; what made it unreadable is raised."""
    if isinstance(cells, ValueError):
        raise cells
    return cells


def _split_delimited(lines: list[str], delimiter: str, quoted: bool) -> Iterator[tuple[int, Cells]]:
    """The rows of a csv or tsv; the last one is an error if the rest cannot be read."""
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted or delimiter == "," else csv.QUOTE_NONE
    with_ends = (line + "\n" for line in lines)
    reader = csv.reader(with_ends, delimiter=delimiter, quoting=quoting, strict=True)
    begin = 1
    try:
        for fields in reader:
            if fields:
                yield begin, fields
            begin = reader.line_num + 1
    except csv.Error as error:
        if "field larger" in str(error):  # the line where it ends is not where it began
            yield begin, ValueError(TOO_LONG)
        else:
            yield reader.line_num, ValueError(f"cannot be read as a table: {error}")


def _split_spaced(lines: list[str]) -> Iterator[tuple[int, Cells]]:
    """The rows of a table that WMT's scripts print, with spaces, tabs or both between cells.

    If single tabs separate the header, they separate the rows too, and cells may be empty; else any
    run of spaces and tabs separates two cells. Blank lines are skipped.
    """
    separator = "\t" if set(re.findall(r"\s+", lines[0].strip())) == {"\t"} else None
    for number, line in enumerate(lines, start=1):
        if line.strip():
            cells = line.removesuffix("\r").removeprefix(BYTE_ORDER_MARK).split(separator)
            yield number, [cell.strip() for cell in cells]

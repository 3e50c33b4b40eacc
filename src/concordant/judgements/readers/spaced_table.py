"""Tables with columns separated by spaces, tabs or both, as WMT's result scripts print them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from concordant.errors import DataError
from concordant.judgements.files import check_header, read_nonempty_lines
from concordant.judgements.readers.fields import build_each

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def read_spaced_table(
    path: Path, *, required: Sequence[str] = ()
) -> list[tuple[int, dict[str, str]]]:
    """The rows of a table with a header, each as (line number, column → value).

    If single tabs separate the header, they separate the rows too, and cells may be empty; else any
    run of spaces and tabs separates two cells. Blank lines are skipped.
    """
    lines = read_nonempty_lines(path)
    gaps = set(re.findall(r"\s+", lines[0].strip()))
    separator = "\t" if gaps == {"\t"} else None
    header = _cells(lines[0], separator)
    check_header(path, header, required)

    def row_of(line: int, text: str) -> tuple[int, dict[str, str]]:
        cells = _cells(text, separator)
        if len(cells) != len(header):
            raise ValueError(f"{len(cells)} fields, but {len(header)} are needed")
        return line, dict(zip(header, cells, strict=True))

    written = ((i, text) for i, text in enumerate(lines[1:], start=2) if text.strip())
    rows = build_each(path, written, row_of)
    if not rows:
        raise DataError.at(path, None, "has a header but no rows")
    return rows


def _cells(text: str, separator: str | None) -> list[str]:
    return [part.strip() for part in text.split(separator)]

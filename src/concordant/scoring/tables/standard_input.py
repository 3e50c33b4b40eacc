"""A table from standard input, kept in a file while it is read: tables are read more than once."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

PARQUET = b"PAR1"
LOOKED_AT = 1 << 16  # bytes, to tell the kind of table by
NAME = "standard-input"


def keep_standard_input(folder: Path, stream: BinaryIO | None = None) -> Path:
    """The file in `folder` that holds standard input; its ending is the kind of table."""
    stream = sys.stdin.buffer if stream is None else stream
    start = stream.read(LOOKED_AT)
    if not start.strip():
        raise ConcordantError("standard input is empty; a table has a heading and rows")
    path = folder / f"{NAME}.{kind_of_table(start)}"
    with path.open("wb") as file:
        file.write(start)
        shutil.copyfileobj(stream, file)
    return path


def kind_of_table(start: bytes) -> str:
    r"""The kind of table that begins like this.

    >>> kind_of_table(b'{"mt": "a"}'), kind_of_table(b"mt\tref"), kind_of_table(b"mt,ref")
    ('jsonl', 'tsv', 'csv')
    """
    if start.startswith(PARQUET):
        return "parquet"
    if start.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"{"):
        return "jsonl"
    return "tsv" if b"\t" in start.partition(b"\n")[0] else "csv"

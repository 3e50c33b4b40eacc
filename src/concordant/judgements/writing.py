"""Writing judgements so that an interruption leaves the old file or the new one, never half."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import DataError
from concordant.judgements.jsonl import write_jsonl

if TYPE_CHECKING:
    from concordant.records import Collection


def write_text(collection: Collection, path: str | None) -> None:
    """Write a collection's judgements as jsonl to a file, or to stdout where path is None."""
    stream = io.StringIO()
    write_jsonl(collection, stream)
    if path is None:
        sys.stdout.write(stream.getvalue())
        return
    replace_file(Path(path), stream.getvalue())


def replace_file(path: Path, text: str) -> None:
    """Put text in place of a file at once: written beside it first, then renamed over it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            Path(beside).replace(path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise DataError.at(path, None, f"cannot be written: {error.strerror or error}") from None

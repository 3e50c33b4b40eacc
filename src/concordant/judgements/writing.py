"""Writing judgements so that an interruption leaves the old file or the new one, never half."""

from __future__ import annotations

import errno
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
        if sys.stdout is None:  # closed by whoever started us
            raise DataError.at("stdout", None, "is closed; name a file with -o")
        sys.stdout.write(stream.getvalue())
        return
    replace_file(Path(path), stream.getvalue())


def replace_file(path: Path, text: str) -> None:
    """Put text in place of a file at once: written beside it first, then renamed over it.

    A link stays a link: the file that it points to is replaced. What is no file, such as a pipe or
    /dev/stdout, is written to as it is; a rename would put a file in the device's place.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_text(text, encoding="utf-8", newline="\n")
        else:
            _rename_over(path.resolve(), text)
    except (FileExistsError, NotADirectoryError):
        message = "cannot be written: a part of its path is a file, not a folder"
        raise DataError.at(path, None, message) from None
    except OSError as error:
        raise DataError.at(path, None, f"cannot be written: {error.strerror or error}") from None


def _rename_over(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder; name a file in it")
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        Path(beside).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """The permissions that new files go without; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask

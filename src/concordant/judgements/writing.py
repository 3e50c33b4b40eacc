"""Judgements as jsonl, written to a file or to standard output."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError
from concordant.judgements.readers.jsonl import write_jsonl
from concordant.output_files import write_whole

if TYPE_CHECKING:
    from concordant.output_files import OutputPlace
    from concordant.records import Collection


def write_judgements(collection: Collection, place: OutputPlace | None) -> None:
    """Write a collection's judgements as jsonl; to standard output where there is no place."""
    stream = io.StringIO()
    write_jsonl(collection, stream)
    if place is not None:
        write_whole(place, stream.getvalue())
    elif sys.stdout is None:  # closed by whoever started us
        raise ConcordantError("standard output is closed; name a file with -o")
    else:
        sys.stdout.write(stream.getvalue())

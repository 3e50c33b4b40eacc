"""Texts as a table: segment, system and text, separated by tabs and never quoted.

The system `_source` is the source, `_reference` (`_reference2`, …) a reference. The table need not
be full: WMT15 and WMT16 publish only judged translations. A text may be empty, but a row
must have its three fields.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from concordant.errors import DataError, Fault
from concordant.files import BYTE_ORDER_MARK
from concordant.judgements.files import read_nonempty_lines
from concordant.judgements.names import SystemName, pair_in, split_system, testset_of
from concordant.judgements.readers.fields import build_each, line_number
from concordant.judgements.readers.formats import Format, Head
from concordant.records import Collection, TestSet

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

HEADER = ["segment", "system", "text"]
SOURCE = "_source"
_REFERENCE = re.compile(r"_reference\d*")


def looks_like(head: Head) -> str | None:
    """Why this is a table of texts, or None."""
    if head.columns("\t") == HEADER:
        return "its header is segment, system, text, separated by tabs"
    return None


def read(path: Path) -> Collection:
    """The texts of a table as one test set."""
    lines = read_nonempty_lines(path)
    if lines[0].split("\t") != HEADER:
        raise DataError.at(path, 1, "the header must be segment, system, text, separated by tabs")
    texts: dict[str, dict[int, str]] = {}
    rows = [(number, line) for number, line in enumerate(lines[1:], start=2) if line]
    if not rows:
        raise DataError.at(path, None, "has a header but no rows")
    spellings = dict.fromkeys(line.split("\t")[1] for _, line in rows if "\t" in line)
    names = {raw: split_system(raw) for raw in spellings}
    testsets = sorted({name.testset for name in names.values() if name.testset})
    pairs = sorted({name.pair for name in names.values() if name.certain})
    pair = pairs[0] if pairs else pair_in(path.name) or _only_pair(names)
    systems = {
        raw: name.system if name.certain or name.pair == pair else name.whole
        for raw, name in names.items()
    }
    build_each(path, rows, lambda _, line: _add_row(line, systems, texts))
    faults = []
    for what, found in (("test set", testsets), ("language pair", pairs)):
        if len(found) > 1:
            message = f"the systems name more than one {what}: {', '.join(found)}"
            faults.append(Fault(str(path), None, f"{message}; give each its own file"))
    if faults:
        raise DataError(faults)
    testset = TestSet(
        testsets[0] if testsets else testset_of(path),
        pair,
        source=texts.get(SOURCE, {}),
        references={n.removeprefix("_"): t for n, t in texts.items() if _REFERENCE.fullmatch(n)},
        translations={name: text for name, text in texts.items() if not name.startswith("_")},
    )
    return Collection(testsets=(testset,))


def _only_pair(names: Mapping[str, SystemName]) -> str:
    """The pair that every system's name begins with, or "": one of several is part of its name."""
    pairs = {name.pair for raw, name in names.items() if not raw.startswith("_")}
    return pairs.pop() if len(pairs) == 1 else ""


def _fields(line: str) -> tuple[str, str, str]:
    """Segment, system and text of a row."""
    fields = line.split("\t")
    if len(fields) != len(HEADER):
        raise ValueError(f"{len(fields)} fields, but 3 are needed: segment, system and text")
    segment, raw, text = fields
    if raw.startswith("_") and raw != SOURCE and not _REFERENCE.fullmatch(raw):
        raise ValueError(f'"{raw}" is not {SOURCE}, _reference, _reference2, …, nor a system')
    if not raw.strip():
        raise ValueError("the system has no name")
    return segment, raw, text.removeprefix(BYTE_ORDER_MARK)


def _add_row(line: str, systems: Mapping[str, str], texts: dict[str, dict[int, str]]) -> None:
    """Put a row's text in its place; `systems` says what each spelling of a system means."""
    segment, raw, text = _fields(line)
    mine = texts.setdefault(systems[raw], {})
    if mine.setdefault(line_number(segment, "segment"), text) != text:
        raise ValueError(f'segment {segment} of "{raw}" was given before with another text')


FORMAT = Format(
    name="text-table",
    title="texts as a table",
    example="segment<TAB>system<TAB>text",
    looks_like=looks_like,
    read=read,
)

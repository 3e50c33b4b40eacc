"""WMT's line-aligned direct assessment of segments (2015 and 2016), one file for each kind of text.

`DAseg.newstest2016.human.cs-en` has a line per judged translation, the mean of its standardised
scores; `source`, `reference` and `mt-system` beside it have the texts on the same lines. `details`
(2016) names the system and the segment of the test set that a line comes from.

In the release of 2016 the details of every pair are a copy of those of cs-en. Details of another
pair say nothing about these lines: they are left out, and a note says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.errors import DataError, Fault
from concordant.judgements.files import read_nonempty_lines
from concordant.judgements.origin import system_name
from concordant.judgements.readers.fields import build_each, line_number, name, number
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.tables import JudgementTable
from concordant.records import Collection, Rating, TestSet

if TYPE_CHECKING:
    from pathlib import Path

_NAME = re.compile(
    r"DAseg\.(?P<testset>[^.]+)\.(?P<part>human|source|reference|mt-system|details)"
    r"\.(?P<pair>[a-z]{2,3}-[a-z]{2,3})"
)
TEXTS = ("source", "reference", "mt-system")
ANY_SYSTEM = "mt-system"


@dataclass(frozen=True)
class _Detail:
    """Where a line comes from: the system and its segment in the whole test set."""

    pair: str
    system: str
    original_segment: int


def looks_like(head: Head) -> str | None:
    """Why this is the file of scores of a DAseg set, or None."""
    match = _NAME.fullmatch(head.name)
    if match is None or match["part"] != "human":
        return None
    return "its name is DAseg.….human.…"


def is_companion(path: Path) -> bool:
    """Whether this file belongs to a DAseg file of scores beside it, and is read with that."""
    match = _NAME.fullmatch(path.name.removesuffix(".gz"))
    return match is not None and match["part"] != "human" and _sibling(path, "human") is not None


def read(path: Path) -> Collection:
    """The ratings of a file, one per line, with the texts of the files next to it."""
    match = _NAME.fullmatch(path.name.removesuffix(".gz"))
    if match is None:
        raise DataError.at(path, None, "is not named like DAseg.newstest2016.human.cs-en")
    testset, pair = f"DAseg-{match['testset']}", match["pair"]
    lines = read_nonempty_lines(path)
    texts, missing = _texts(path, len(lines))
    details, left_out = _details(path, pair, len(lines))

    def rating(line: int, text: str) -> Rating:
        score = number(text, "score")
        detail = details[line - 1] if details else None
        system = ANY_SYSTEM if detail is None else detail.system
        extra = () if detail is None else (("original_segment", str(detail.original_segment)),)
        return Rating(testset, pair, system, line, score, extra=extra, file=str(path), line=line)

    ratings = build_each(path, enumerate(lines, start=1), rating)
    translations: dict[str, dict[int, str]] = {}
    for each, text in zip(ratings, texts.get("mt-system", {}).values(), strict=False):
        translations.setdefault(each.system, {})[each.line] = text
    references = {"reference": texts["reference"]} if "reference" in texts else {}
    texts_read = TestSet(testset, pair, texts.get("source", {}), references, translations)
    return Collection((texts_read,), ratings=tuple(ratings), notes=(*missing, *left_out))


def _sibling(path: Path, part: str) -> Path | None:
    """The file of the same set with other contents, packed or not; None if there is none."""
    names = path.name.removesuffix(".gz").split(".")
    plain = path.with_name(".".join([*names[:2], part, *names[3:]]))
    packed = plain.with_name(plain.name + ".gz")
    return next((file for file in (plain, packed) if file.is_file()), None)


def _texts(path: Path, expected: int) -> tuple[dict[str, dict[int, str]], list[str]]:
    """The lines of the text files by their numbers, and a note for each file that is not there."""
    texts: dict[str, dict[int, str]] = {}
    notes, faults = [], []
    for part in TEXTS:
        sibling = _sibling(path, part)
        if sibling is None:
            notes.append(f"{path}: there is no {part} file next to it")
            continue
        lines = read_nonempty_lines(sibling)
        if len(lines) != expected:
            message = f"has {len(lines)} lines where {path.name} has {expected}"
            faults.append(Fault(str(sibling), None, message))
        texts[part] = dict(enumerate(lines, start=1))
    if faults:
        raise DataError(faults)
    return texts, notes


def _details(path: Path, pair: str, expected: int) -> tuple[list[_Detail], list[str]]:
    """What the file of details says of each line; if it is of another pair, only a note."""
    sibling = _sibling(path, "details")
    if sibling is None:
        return [], []
    table = JudgementTable.read(sibling, "LP", "THIS.SID", "ORIG.SID", "SYSTEM", delimiter=None)
    if len(table.rows) != expected:
        message = f"has details of {len(table.rows)} lines where {path.name} has {expected}"
        raise DataError.at(sibling, None, message)
    details = table.build(_detail)
    others = sorted({detail.pair for detail in details} - {pair})
    if others:
        reason = f"it is of {', '.join(others)}, not of {pair}"
        return [], [f"{sibling}: left out because {reason}; the systems are unknown"]
    return details, []


def _detail(line: int, row: dict[str, str]) -> _Detail:
    number_here = line_number(row["THIS.SID"], "THIS.SID")
    if number_here != line - 1:
        raise ValueError(f"THIS.SID is {number_here} where line {line - 1} of the set is due")
    pair = name(row["LP"], "LP")
    system = system_name(row["SYSTEM"], "SYSTEM").within(pair)
    return _Detail(pair, system, line_number(row["ORIG.SID"], "ORIG.SID"))


FORMAT = Format(
    name="da-seg",
    title="WMT direct assessment of segments, line by line",
    example="DAseg.newstest2016.human.cs-en with source, reference and mt-system beside it",
    looks_like=looks_like,
    read=read,
    companion=is_companion,
)

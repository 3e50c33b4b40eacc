"""Scores of segments as lines: tsv or jsonl, block by block, as they come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from concordant.scoring.explanations import ExplainedBlock
    from concordant.scoring.scores import ScoredBlock


def heading(columns: Sequence[str], last: str) -> str:
    """The first line of a tsv."""
    return "\t".join(["system", "segment", *columns, last])


def streamed(blocks: Iterable[Sequence[str]], form: str) -> Iterator[str]:
    """Blocks of lines as text, one after the other; as json they make one list.

    >>> list(streamed([["1", "2"], ["3"]], "jsonl"))[1].strip()
    '3'
    """
    if form != "json":
        yield from ("\n".join(lines) + "\n" for lines in blocks)
        return
    before = "["
    for lines in blocks:
        yield before + ",\n".join(lines)
        before = ",\n"
    yield "]\n"


def scored_tsv(system: str, block: ScoredBlock) -> list[str]:
    """A line for each segment: scores with all digits, then flags parted by commas."""
    return [
        "\t".join([system, str(line), *map(repr, values), ",".join(found)])
        for line, values, found in _rows(block)
    ]


def scored_jsonl(system: str, block: ScoredBlock, names: Sequence[str]) -> list[str]:
    """An object for each segment."""
    return [
        _object({
            "system": system, "segment": line, **dict(zip(names, values, strict=True)),
            "flags": list(found),
        })
        for line, values, found in _rows(block)
    ]  # fmt: skip


def explained_tsv(system: str, block: ExplainedBlock, parts: Sequence[str]) -> list[str]:
    """A line for each segment: its score, and the parts that moved it most, in words."""
    from concordant.report.explanations import moved_words  # noqa: PLC0415 - rarely needed

    return [
        f"{system}\t{line}\t{score!r}\t{moved_words(parts, moved)}"
        for line, (score, moved) in enumerate(
            zip(block.scores.tolist(), block.parts, strict=True), start=block.first
        )
    ]


def explained_jsonl(
    system: str, block: ExplainedBlock, name: str, parts: Sequence[str]
) -> list[str]:
    """An object for each segment, with all parts of its score."""
    return [
        _object({
            "system": system, "segment": line, name: score,
            "moved_by": dict(zip(parts, moved, strict=True)),
        })
        for line, (score, moved) in enumerate(
            zip(block.scores.tolist(), block.parts.tolist(), strict=True), start=block.first
        )
    ]  # fmt: skip


def _rows(block: ScoredBlock) -> list[tuple[int, list[float], tuple[str, ...]]]:
    lines = range(block.first, block.first + len(block.flags))
    return list(zip(lines, block.segments.tolist(), block.flags, strict=True))


def _object(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False)

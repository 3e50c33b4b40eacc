"""Segment scores as lines of tsv or jsonl, block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.safe_text import json_text, tsv_field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from concordant.metrics.lexical.texts import Floats
    from concordant.scoring.explanations import ExplainedBlock
    from concordant.scoring.scores import ScoredBlock


def heading(columns: Sequence[str], last: str) -> str:
    """The header line of a tsv."""
    return "\t".join(["system", "segment", *map(tsv_field, columns), last])


def stream_lines(blocks: Iterable[Sequence[str]], form: str) -> Iterator[str]:
    """Blocks of lines as text, one after the other; with json, one list of all.

    >>> list(stream_lines([["1", "2"], ["3"]], "jsonl"))[1].strip()
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
    """A line for each segment: scores in full precision, then comma-separated flags."""
    name = tsv_field(system)
    return [
        "\t".join([name, str(line), *map(repr, values), ",".join(found)])
        for line, values, found in _rows(block)
    ]


def scored_jsonl(system: str, block: ScoredBlock, names: Sequence[str]) -> list[str]:
    """An object for each segment."""
    return [
        json_text({
            "system": system, "segment": line, **dict(zip(names, values, strict=True)),
            "flags": list(found),
        })
        for line, values, found in _rows(block)
    ]  # fmt: skip


EXPLAINED_COLUMNS = ("raw total", "constant")


def explained_tsv(system: str, block: ExplainedBlock, parts: Sequence[str]) -> list[str]:
    """A line for each segment: score, raw total, constant and the largest contributions."""
    from concordant.report.explanations import moved_words  # noqa: PLC0415 - rarely needed

    name = tsv_field(system)
    return [
        "\t".join([name, str(line), repr(score), repr(total), repr(block.constant),
                   moved_words(parts, moved)])
        for line, score, total, moved in _explained(block)
    ]  # fmt: skip


def explained_jsonl(
    system: str, block: ExplainedBlock, name: str, parts: Sequence[str], scale: str
) -> list[str]:
    """An object for each segment, with all parts of its raw total."""
    return [
        json_text({
            "system": system, "segment": line, name: score, "raw_total": total,
            "constant": block.constant, "scale": scale,
            "moved_by": dict(zip(parts, moved.tolist(), strict=True)),
        })
        for line, score, total, moved in _explained(block)
    ]  # fmt: skip


def _explained(block: ExplainedBlock) -> Iterator[tuple[int, float, float, Floats]]:
    """The line, the score, the raw total and the parts of each segment."""
    lines = range(block.first, block.first + len(block.scores))
    yield from zip(lines, block.scores.tolist(), block.totals.tolist(), block.parts, strict=True)


def _rows(block: ScoredBlock) -> list[tuple[int, list[float], tuple[str, ...]]]:
    lines = range(block.first, block.first + len(block.flags))
    return list(zip(lines, block.segments.tolist(), block.flags, strict=True))

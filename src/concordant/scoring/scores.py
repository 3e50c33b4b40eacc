"""Scores of systems by several measures in one pass over the texts.

Each block is counted once; its rows give the segment scores, their sum the system score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.lexical.flags import flags
from concordant.records import Scores
from concordant.scoring.line_blocks import STANDARD_INPUT, blocks, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from concordant.lexical.measures import Measure
    from concordant.lexical.texts import Floats


@dataclass(frozen=True)
class ScoredBlock:
    """Segment scores of consecutive lines, one column a measure, and the counts behind them."""

    first: int
    segments: Floats
    counts: tuple[Floats, ...]


def score_file(
    hypothesis: str, references: Sequence[str], measures: Sequence[Measure], *, threads: int = 1
) -> Iterator[ScoredBlock]:
    """The segment scores of a file of outputs, block by block."""
    prepared = [_prepared(measure, references) for measure in measures]
    for block in blocks(hypothesis, references):
        counts = tuple(
            measure.counts(block.hypotheses, block.references, threads=threads, **ready)
            for measure, ready in zip(measures, prepared, strict=True)
        )
        scores = [m.segment_scores(c) for m, c in zip(measures, counts, strict=True)]
        yield ScoredBlock(block.first, np.stack(scores, axis=-1), counts)


def system_scores(scored: Iterator[ScoredBlock], measures: Sequence[Measure]) -> list[float]:
    """The system score by each measure, from the sums of the counts."""
    sums: list[Floats] | None = None
    for block in scored:
        parts = [counts.sum(axis=0) for counts in block.counts]
        sums = parts if sums is None else [a + b for a, b in zip(sums, parts, strict=True)]
    if sums is None:
        return []
    return [float(m.corpus_scores(total)) for m, total in zip(measures, sums, strict=True)]


def score_texts(
    measure: Measure,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None = None,
    *,
    threads: int = 1,
) -> Scores:
    """The scores of texts in memory: per segment, with flags, and for the whole."""
    ready = measure.prepare(references)
    counts = measure.counts(hypotheses, references, threads=threads, **ready)
    return Scores(
        measure.segment_scores(counts),
        float(measure.corpus_scores(counts.sum(axis=0))),
        measure.signature(level="segment"),
        tuple(flags(hypotheses, references, sources)),
    )


def _prepared(measure: Measure, references: Sequence[str]) -> Mapping[str, object]:
    """What a measure must know of all references before the first segment (NIST's weights)."""
    if measure.steps.prepare is None:
        return {}
    if STANDARD_INPUT in references:
        raise SpecError(f"{measure.name} reads the references twice; they cannot be standard input")
    streams = [read_lines(name) for name in references]
    return measure.prepare([list(texts) for texts in zip(*streams, strict=True)])

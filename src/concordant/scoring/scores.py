"""Scores of systems by several measures in one pass over the texts.

Each block is counted once; its rows give the segment scores, their sum the system score. A segment
gets the same score in whatever block it stands.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import SpecError
from concordant.lexical.flags import flags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from concordant.lexical.measures import Measure
    from concordant.lexical.texts import Floats
    from concordant.scoring.line_blocks import Block, TextFiles


@dataclass(frozen=True)
class ScoredBlock:
    """Segment scores of consecutive lines, one column a measure, and the counts behind them."""

    first: int
    segments: Floats
    counts: tuple[Floats, ...]
    flags: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SystemScores:
    """A system's score by each measure, its number of segments, and how many have which flag."""

    values: tuple[float, ...]
    segments: int
    flagged: int
    flags: Mapping[str, int]


def score_file(
    hypothesis: str,
    files: TextFiles,
    measures: Sequence[Measure],
    *,
    threads: int = 1,
    size: int | None = None,
    skip: int = 0,
    language: str | None = None,
    beside: Sequence[str] = (),
) -> Iterator[ScoredBlock]:
    """The segment scores of a file of outputs, block by block, after `skip` lines of it.

    `beside` are files of other systems that will be scored next against the same references. Where
    a network encodes them, each block of theirs is encoded together with that of the file, and each
    reference once.
    """
    for measure in measures:
        if measure.steps.sources and files.source is None:
            raise SpecError(f"{measure.name} compares with the source; give it with -s")
    prepared = [_prepared(measure, files) for measure in measures]
    others = beside if any(measure.steps.together for measure in measures) else ()
    blocks = [files.blocks(name, size=size, skip=skip) for name in (hypothesis, *others)]
    for block, *more in zip(*blocks, strict=True):
        counts = tuple(
            _counts(measure, block, more if measure.steps.together else [], threads, ready)
            for measure, ready in zip(measures, prepared, strict=True)
        )
        scores = [m.segment_scores(c) for m, c in zip(measures, counts, strict=True)]
        found = flags(block.hypotheses, block.references, block.sources, language=language)
        yield ScoredBlock(block.first, np.stack(scores, axis=-1), counts, tuple(found))


def system_scores(scored: Iterable[ScoredBlock], measures: Sequence[Measure]) -> SystemScores:
    """The system score by each measure, from the sums of the counts."""
    sums: list[Floats] = []
    segments, flagged, found = 0, 0, Counter[str]()
    for block in scored:
        sums = sums or [np.zeros(counts.shape[1]) for counts in block.counts]
        sums = [_added(total, rows) for total, rows in zip(sums, block.counts, strict=True)]
        segments += len(block.flags)
        flagged += sum(map(bool, block.flags))
        found.update(chain.from_iterable(block.flags))
    values = [float(m.corpus_scores(total)) for m, total in zip(measures, sums, strict=True)]
    return SystemScores(tuple(values), segments, flagged, dict(found))


def _counts(
    measure: Measure, block: Block, more: Sequence[Block], threads: int, ready: Mapping[str, Any]
) -> Floats:
    """The counts of a block; those of `more` are only remembered by what counts them."""
    together = [block, *more]
    hypotheses = [text for each in together for text in each.hypotheses]
    given = {"sources": None if block.sources is None else block.sources * len(together)}
    counts = measure.counts(
        hypotheses,
        block.references * len(together),
        threads=threads,
        **ready,
        **(given if measure.steps.sources else {}),
    )
    return counts[: len(block.hypotheses)]


def _added(total: Floats, rows: Floats) -> Floats:
    """The total with the rows added one after the other: the same sum in whatever blocks."""
    return np.asarray(np.cumsum(np.vstack([total, rows]), axis=0)[-1])


def _prepared(measure: Measure, files: TextFiles) -> Mapping[str, object]:
    """What a measure must know of all references before the first segment (NIST's weights)."""
    if measure.steps.prepare is None:
        return {}
    return measure.prepare(files.all_references(measure.name))

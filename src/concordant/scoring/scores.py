"""Scores of systems by several metrics in one pass over the texts.

Each block is counted once; its rows give the segment scores, their sum the system score. A segment
gets the same score in any block.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import SpecError
from concordant.metrics.flags.flags import flags
from concordant.metrics.lexical.scope import (
    LOOKED_AT,
    Signs,
    empty_warnings,
    scope_warnings,
    segment_warnings,
    signs_of,
    tie_warnings,
)
from concordant.scoring.line_blocks import can_be_read_again

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from concordant.metrics.lexical.measure import Measure
    from concordant.metrics.lexical.scope import Scope
    from concordant.metrics.lexical.texts import Floats
    from concordant.scoring.line_blocks import Block, TextFiles


@dataclass(frozen=True)
class ScoredBlock:
    """Segment scores of consecutive lines, one column a measure, and the counts behind them."""

    first: int
    segments: Floats
    counts: tuple[Floats, ...]
    flags: tuple[tuple[str, ...], ...]
    references: Sequence[Sequence[str]]


@dataclass(frozen=True)
class SystemScores:
    """A system's score by each measure, its number of segments, and how many have which flag.

    `spans` are the lowest and the highest segment score by each measure, `seen` what the references
    show of their language.
    """

    values: tuple[float, ...]
    segments: int
    flagged: int
    flags: Mapping[str, int]
    spans: tuple[tuple[float, float], ...]
    seen: Signs


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
    """The segment scores of a file of translations, block by block, after `skip` lines of it.

    `beside` are files of other systems that will be scored next against the same references. Where
    a network encodes them, each block of theirs is encoded together with that of the file, and each
    reference once.
    """
    for measure in measures:
        if measure.steps.sources and files.source is None:
            raise SpecError(f"{measure.name} needs the source; give it with -s")
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
        yield ScoredBlock(
            block.first, np.stack(scores, axis=-1), counts, tuple(found), block.references
        )


@dataclass
class SystemTally:
    """What is known of a system after some of its blocks."""

    sums: list[Floats] = field(default_factory=list)
    low: Floats | None = None
    high: Floats | None = None
    references: list[Sequence[str]] = field(default_factory=list)  # the first ones
    segments: int = 0
    flagged: int = 0
    flags: Counter[str] = field(default_factory=Counter)

    def add(self, block: ScoredBlock) -> None:
        """Count one more block."""
        sums = self.sums or [np.zeros(counts.shape[1]) for counts in block.counts]
        self.sums = [_added(total, rows) for total, rows in zip(sums, block.counts, strict=True)]
        low, high = block.segments.min(axis=0), block.segments.max(axis=0)
        self.low = low if self.low is None else np.minimum(self.low, low)
        self.high = high if self.high is None else np.maximum(self.high, high)
        self.references += block.references[: LOOKED_AT - len(self.references)]
        self.segments += len(block.flags)
        self.flagged += sum(map(bool, block.flags))
        self.flags.update(chain.from_iterable(block.flags))

    def scores(self, measures: Sequence[Measure]) -> SystemScores:
        """The system's scores by each measure, from the sums of the counts."""
        values = [float(m.corpus_scores(each)) for m, each in zip(measures, self.sums, strict=True)]
        low = [] if self.low is None else self.low.tolist()
        high = [] if self.high is None else self.high.tolist()
        return SystemScores(
            tuple(values),
            self.segments,
            self.flagged,
            dict(self.flags),
            tuple(zip(low, high, strict=True)),
            signs_of(self.references),
        )


def system_scores(scored: Iterable[ScoredBlock], measures: Sequence[Measure]) -> SystemScores:
    """The system score by each measure, from the sums of the counts."""
    tally = SystemTally()
    for block in scored:
        tally.add(block)
    return tally.scores(measures)


def score_warnings(
    scored: Mapping[str, SystemScores], measures: Sequence[Measure], language: str | None = None
) -> dict[str, tuple[str, ...]]:
    """The warnings on each measure's scores by its name, and under "" those on the texts."""
    one = len(scored) == 1
    rows = list(scored.items())
    found = {}
    for i, measure in enumerate(measures):
        found[measure.name] = (
            *scope_warnings(measure.name, measure.steps.scope, rows[0][1].seen, language),
            *(words for name, row in rows for words in segment_warnings(
                measure.name, row.segments, *row.spans[i], "" if one else name)),
            *tie_warnings(measure.name, [row.values[i] for _, row in rows]),
        )  # fmt: skip
    found[""] = tuple(
        words
        for name, row in rows
        for words in empty_warnings(row.flags.get("empty-output", 0), row.segments, name)
    )
    return found


def reference_warnings(
    files: TextFiles, name: str, scope: Scope, language: str | None
) -> tuple[str, ...]:
    """The warnings on a metric from the first references alone, where they can be read again."""
    first = files.references[0]
    lines = list(islice(files.lines(first), LOOKED_AT)) if can_be_read_again(first) else []
    return scope_warnings(name, scope, signs_of([line] for line in lines), language)


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

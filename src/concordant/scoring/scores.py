"""Scores of systems by several metrics in one pass over the texts.

Each block is counted once; its rows give the segment scores, their sum the system score. A segment
gets the same score in any block.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.metrics.flags.flags import flags
from concordant.metrics.scope import (
    empty_warnings,
    scope_warnings,
    segment_warnings,
    tie_warnings,
)
from concordant.metrics.scorer import NOTHING, sum_rows
from concordant.metrics.signs import (
    LOOKED_AT,
    NAMED,
    Signs,
    foreign_lines,
    foreign_warnings,
    language_warnings,
    signs_of,
)
from concordant.scoring.intervals import CountUnits, system_intervals
from concordant.scoring.line_blocks import can_be_read_again

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scorer import Batch, Prepared, Scorer
    from concordant.scoring.intervals import Interval
    from concordant.scoring.line_blocks import TextFiles


@dataclass(frozen=True)
class ScoredBlock:
    """Segment scores of consecutive lines, one column a metric, and the counts behind them."""

    first: int
    segments: Floats
    counts: tuple[Floats, ...]
    flags: tuple[tuple[str, ...], ...]
    references: Sequence[Sequence[str]]
    numbers: Sequence[int] = ()

    @property
    def lines(self) -> Sequence[int]:
        """The number of each line; `numbers` where they are not consecutive."""
        return self.numbers or range(self.first, self.first + len(self.flags))


@dataclass(frozen=True)
class SystemScores:
    """A system's score by each metric, its number of segments, and how many have which flag.

    `spans` are the lowest and the highest segment score by each metric, `seen` what the references
    show of their language. `foreign` are the first lines whose translations are flagged as in
    another language or script, `foreign_count` how many there are. `sums` are the summed counts of
    each metric. `intervals` are empty where none were asked for; `unit` is how many segments were
    resampled together, and `units` are their counts by each metric.
    """

    values: tuple[float, ...]
    segments: int
    flagged: int
    flags: Mapping[str, int]
    spans: tuple[tuple[float, float], ...]
    seen: Signs
    foreign: tuple[int, ...] = ()
    foreign_count: int = 0
    sums: tuple[Floats, ...] = ()
    intervals: tuple[Interval | None, ...] = ()
    unit: int = 1
    units: tuple[Floats, ...] = field(default=(), repr=False)


def score_file(
    translation: str,
    files: TextFiles,
    metrics: Sequence[Scorer],
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
    for metric in metrics:
        if metric.needs.sources and files.source is None:
            raise SpecError(f"{metric.name} needs the source; give it with -s")
        if metric.needs.references and not files.references:
            raise SpecError(
                f"{metric.name} compares with references; give them with -r, or use qe, which "
                "compares with the sources"
            )
    prepared = [prepare(metric, files) for metric in metrics]
    others = beside if any(metric.needs.network for metric in metrics) else ()
    blocks = [files.blocks(name, size=size, skip=skip) for name in (translation, *others)]
    for block, *more in zip(*blocks, strict=True):
        # Of the other systems only what a network encodes is remembered.
        beside_it = [each.batch for each in more]
        yield score_batch(
            block.first, block.batch, metrics, prepared, threads, language, beside=beside_it
        )


def score_batch(
    first: int,
    batch: Batch,
    metrics: Sequence[Scorer],
    prepared: Sequence[Prepared],
    threads: int,
    language: str | None,
    *,
    beside: Sequence[Batch] = (),
) -> ScoredBlock:
    """The scores of a batch whose first line is `first`; networks encode those `beside` it too."""
    together = batch.joined(*beside) if beside else batch
    counts = tuple(
        metric.counts(together if metric.needs.network else batch, threads=threads, prepared=ready)[
            : len(batch)
        ]
        for metric, ready in zip(metrics, prepared, strict=True)
    )
    scores = [m.segment_scores(c) for m, c in zip(metrics, counts, strict=True)]
    found = flags(batch.translations, batch.references, batch.sources, language=language)
    return ScoredBlock(first, np.stack(scores, axis=-1), counts, tuple(found), batch.references)


@dataclass
class SystemTally:
    """What is known of a system after some of its blocks; `units` are kept for intervals."""

    units: list[CountUnits] | None = None
    sums: list[Floats] = field(default_factory=list)
    low: Floats | None = None
    high: Floats | None = None
    references: list[Sequence[str]] = field(default_factory=list)  # the first ones
    foreign: list[int] = field(default_factory=list)  # the first lines in another language
    foreign_count: int = 0
    segments: int = 0
    flagged: int = 0
    flags: Counter[str] = field(default_factory=Counter)

    def add(self, block: ScoredBlock) -> None:
        """Count one more block."""
        sums = self.sums or [np.zeros(counts.shape[1]) for counts in block.counts]
        self.sums = [sum_rows(rows, total) for total, rows in zip(sums, block.counts, strict=True)]
        if self.units is not None:
            self.units += [CountUnits() for _ in block.counts[len(self.units) :]]
            for units, rows in zip(self.units, block.counts, strict=True):
                units.add(rows)
        low, high = block.segments.min(axis=0), block.segments.max(axis=0)
        self.low = low if self.low is None else np.minimum(self.low, low)
        self.high = high if self.high is None else np.maximum(self.high, high)
        self.references += block.references[: LOOKED_AT - len(self.references)]
        foreign = foreign_lines(block.flags, block.lines)
        self.foreign += foreign[: NAMED - len(self.foreign)]
        self.foreign_count += len(foreign)
        self.segments += len(block.flags)
        self.flagged += sum(map(bool, block.flags))
        self.flags.update(chain.from_iterable(block.flags))

    def scores(self, metrics: Sequence[Scorer]) -> SystemScores:
        """The system's scores by each metric, from the sums of the counts."""
        values = [float(m.system_scores(each)) for m, each in zip(metrics, self.sums, strict=True)]
        low = [] if self.low is None else self.low.tolist()
        high = [] if self.high is None else self.high.tolist()
        units = self.units or []
        counts = tuple(each.counts for each in units)
        return SystemScores(
            tuple(values),
            self.segments,
            self.flagged,
            dict(self.flags),
            tuple(zip(low, high, strict=True)),
            signs_of(self.references),
            tuple(self.foreign),
            self.foreign_count,
            tuple(self.sums),
            system_intervals(counts, metrics) if units else (),
            units[0].size if units else 1,
            counts,
        )


def system_scores(
    scored: Iterable[ScoredBlock], metrics: Sequence[Scorer], *, intervals: bool = False
) -> SystemScores:
    """The system score by each metric, from the sums of the counts; with its interval if asked."""
    tally = SystemTally([] if intervals else None)
    for block in scored:
        tally.add(block)
    return tally.scores(metrics)


def score_warnings(
    scored: Mapping[str, SystemScores],
    metrics: Sequence[Scorer],
    language: str | None = None,
    chosen: Sequence[str] = (),
) -> dict[str, tuple[str, ...]]:
    """The warnings on each metric's scores by its name, and under "" those on the texts.

    `chosen` are those on the choice of the default metric.
    """
    one = len(scored) == 1
    rows = list(scored.items())
    found = {}
    for i, metric in enumerate(metrics):
        found[metric.name] = (
            *scope_warnings(metric.name, metric.scope, rows[0][1].seen, language),
            *(words for name, row in rows for words in segment_warnings(
                metric.name, row.segments, *row.spans[i], "" if one else name)),
            *tie_warnings(metric.name, [row.values[i] for _, row in rows]),
        )  # fmt: skip
    found[""] = (
        *chosen,
        *language_warnings(rows[0][1].seen, language),
        *(words for name, row in rows for words in _text_warnings(name, row)),
    )
    return found


def _text_warnings(name: str, row: SystemScores) -> Iterator[str]:
    """The warnings on a system's translations."""
    yield from empty_warnings(row.flags.get("empty-output", 0), row.segments, name)
    yield from foreign_warnings(row.foreign, row.foreign_count, row.segments, name)


def reference_warnings(files: TextFiles, metric: Scorer, language: str | None) -> tuple[str, ...]:
    """The warnings on a metric from the first references alone, where they can be read again."""
    return scope_warnings(metric.name, metric.scope, signs_of_files(files), language)


def signs_of_files(files: TextFiles) -> Signs:
    """What the first references show, where they can be read again; else nothing."""
    names = [name for name in files.references[:1] if can_be_read_again(name)]
    lines = (line for name in names for line in islice(files.lines(name), LOOKED_AT))
    return signs_of([line.partition("\t")[0] if files.texts_each > 1 else line] for line in lines)


def prepare(metric: Scorer, files: TextFiles) -> Prepared:
    """What a metric must know of all references before the first segment (NIST's weights)."""
    return metric.prepare(files.all_references(metric.name)) if metric.needs.test_set else NOTHING

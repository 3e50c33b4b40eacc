"""A table scored block by block: the scores of its rows, and of its systems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import DataError, SpecError
from concordant.metrics.scorer import NOTHING
from concordant.scoring.line_blocks import BLOCK
from concordant.scoring.scores import ScoredBlock, SystemTally, score_batch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from concordant.metrics.scorer import Prepared, Scorer
    from concordant.scoring.scores import SystemScores
    from concordant.scoring.tables.columns import Columns
    from concordant.scoring.tables.row_texts import TableTexts, TextBlock


@dataclass(frozen=True)
class TableBlock:
    """Scored rows: the texts, and the scores of each column of translations."""

    texts: TextBlock
    scored: Mapping[str, ScoredBlock]


def score_rows(
    texts: TableTexts,
    metrics: Sequence[Scorer],
    *,
    threads: int = 1,
    size: int | None = None,
    skip: int = 0,
) -> Iterator[TableBlock]:
    """The scores of all rows after the first `skip`."""
    check_sources(metrics, texts.columns)
    prepared = [_prepare(metric, texts) for metric in metrics]
    first = skip + 1
    for block in texts.blocks(BLOCK if size is None else size, skip):
        yield score_texts(block, first, metrics, prepared, threads, texts.language)
        first += len(block.rows)
    if first == 1:
        raise DataError.at(texts.table.path, None, "has no rows")


def score_texts(
    block: TextBlock,
    first: int,
    metrics: Sequence[Scorer],
    prepared: Sequence[Prepared],
    threads: int,
    language: str | None,
) -> TableBlock:
    """The scores of some rows, of which the first is row `first`."""
    return TableBlock(block, {
        name: score_batch(first, batch, metrics, prepared, threads, language)
        for name, batch in block.batches.items()
    })  # fmt: skip


def check_sources(metrics: Sequence[Scorer], columns: Columns) -> None:
    """Raise if a metric needs the source and there is no column of it."""
    for metric in metrics:
        if metric.needs.sources and columns.source is None:
            raise SpecError(f"{metric.name} needs the source; name its column: --columns src=NAME")


def _prepare(metric: Scorer, texts: TableTexts) -> Prepared:
    """What a metric must know of all references; those of several systems' rows count each time."""
    if not metric.needs.test_set:
        return NOTHING
    return metric.prepare([
        given
        for block in texts.blocks(BLOCK)
        for given in next(iter(block.batches.values())).references
    ])


class TableTally:
    """The systems' scores after some blocks, in the order in which the systems appear."""

    def __init__(self, name: str, *, intervals: bool = False) -> None:
        self._name, self._intervals = name, intervals
        self._tallies: dict[str, SystemTally] = {}

    def add(self, block: TableBlock) -> None:
        """Count the rows of one more block."""
        names = np.array(block.texts.names, dtype=object)
        for column, scored in block.scored.items():
            if not len(names):
                self._of(column or self._name).add(scored)
                continue
            for name in dict.fromkeys(block.texts.names):
                self._of(name).add(_some(scored, np.flatnonzero(names == name)))

    def scores(self, metrics: Sequence[Scorer]) -> dict[str, SystemScores]:
        """The scores of each system."""
        return {name: tally.scores(metrics) for name, tally in self._tallies.items()}

    def uneven(self) -> list[str]:
        """A warning where systems have different numbers of rows; usually none."""
        counts = {name: tally.segments for name, tally in self._tallies.items()}
        if len(set(counts.values())) < 2:
            return []
        shown = ", ".join(f"{name} {count:,}" for name, count in counts.items())
        return [f"the systems have different numbers of rows ({shown}): do not compare the scores."]

    def _of(self, name: str) -> SystemTally:
        if name not in self._tallies:
            self._tallies[name] = SystemTally([] if self._intervals else None)
        return self._tallies[name]


def _some(block: ScoredBlock, rows: np.typing.NDArray[np.intp]) -> ScoredBlock:
    """Some rows of a block."""
    return replace(
        block,
        segments=block.segments[rows],
        counts=tuple(counts[rows] for counts in block.counts),
        flags=tuple(block.flags[i] for i in rows),
        references=[block.references[i] for i in rows],
        numbers=[block.lines[i] for i in rows],
    )

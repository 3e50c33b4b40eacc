"""By how much a metric scored one judged system above another, on samples of 50 segments and more.

Each pair of systems of a test is scored on the segments that both translated, in an order drawn
once: on the first 50 of them, the first 100, and so on. What people said of the pair stays the
same, so that the smaller samples show how much less a difference on few segments says.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.find import in_language, load
from concordant.metrics.scorer import Batch
from concordant.scoring.past_campaigns import core_signature

if TYPE_CHECKING:
    from judged_tests import JudgedTest

    from concordant.metrics.scorer import Scorer
    from concordant.stats.arrays import Floats

SIZES = (50, 100, 200, 400, 800, 1600)
BLOCKS = 20  # of equal numbers of segments, to see how much a difference varies
FIELDS = (
    "difference", "segments", "agreed", "sure", "weight", "whole", "spread", "preferred", "ties"
)  # fmt: skip


@dataclass(frozen=True)
class PastDifferences:
    """One row for each pair and size of a test, the better-scored system first.

    `agreed` is 1 where people preferred that system too, 0 where the other, 1/2 where neither;
    `sure` how often they would if the judged segments were drawn again; `preferred` and `ties` as
    of `JudgedTest`. `weight` sums to the number of systems less 1: as many differences are
    independent. `whole` is 1 where all segments are in, `spread` the standard deviation of the
    difference of one segment (of a sum of many, times the root of their number).
    """

    year: int
    test: str
    pair: str
    signature: str
    rows: Floats  # (rows, FIELDS)

    def __getitem__(self, name: str) -> Floats:
        return self.rows[:, FIELDS.index(name)]


def differences_of(metric: str, test: JudgedTest, most: int, threads: int) -> PastDifferences:
    """The differences of a test by a metric, which scores at most `most` segments of a system."""
    target = test.pair.partition("-")[2]
    scorer = load(in_language(metric, target))
    order = _drawn_order(test, most)
    counts = _counts(scorer, test, order, threads)
    rows = [
        row
        for one, other in combinations(range(len(test.systems)), 2)
        for row in _pair_rows(scorer, test, counts, one, other)
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, len(FIELDS))
    return PastDifferences(test.year, test.name, test.pair, core_signature(scorer), table)


def _drawn_order(test: JudgedTest, most: int) -> list[int]:
    """The segments with a reference in a random order that is always the same."""
    references = next(iter(test.texts.references.values()))
    found = np.array(sorted(references))
    return np.random.default_rng(len(found)).permutation(found)[:most].tolist()


def _counts(scorer: Scorer, test: JudgedTest, order: list[int], threads: int) -> list[Floats]:
    """Each system's counts in this order; NaN where it has no translation of a segment."""
    references = next(iter(test.texts.references.values()))
    known = [[s for s in order if s in test.texts.translations[each]] for each in test.systems]
    batch = Batch(
        [test.texts.translations[name][s] for name, mine in zip(test.systems, known, strict=True)
         for s in mine],
        [[references[s]] for mine in known for s in mine],
        [test.texts.source.get(s, "") for mine in known for s in mine],
    )  # fmt: skip
    distinct, rows = batch.distinct()
    counted = scorer.counts(distinct, threads=threads)[rows]
    place = {segment: i for i, segment in enumerate(order)}
    tables, begin = [], 0
    for mine in known:
        table = np.full((len(order), counted.shape[1]), np.nan)
        table[[place[s] for s in mine]] = counted[begin : begin + len(mine)]
        tables.append(table)
        begin += len(mine)
    return tables


def _pair_rows(
    scorer: Scorer, test: JudgedTest, counts: list[Floats], one: int, other: int
) -> list[tuple[float, ...]]:
    """The rows of a pair; none if fewer than two segments have translations of both."""
    both = ~np.isnan(counts[one][:, 0] + counts[other][:, 0])
    whole = int(both.sum())
    if whole < 2 * BLOCKS:
        return []
    sizes = [size for size in SIZES if size < whole] + [whole]
    sums = [np.cumsum(counts[i][both], axis=0)[np.array(sizes) - 1] for i in (one, other)]
    gaps = _gaps(scorer, *sums)
    spread = _spread(scorer, counts[one][both], counts[other][both])
    rows = []
    for size, gap in zip(sizes, gaps.tolist(), strict=True):
        up, down = (one, other) if gap > 0 else (other, one)
        said = float(np.sign(test.human[up] - test.human[down]))
        rows.append((
            abs(gap), size, (1 + said) / 2 if gap else 0.5, test.sure[up, down],
            2 / len(test.systems) / len(sizes), size == whole, spread,
            test.preferred[up, down], test.ties,
        ))  # fmt: skip
    return rows


def _gaps(scorer: Scorer, one: Floats, other: Floats) -> Floats:
    """How much higher the first system scores by each sum of counts."""
    return np.asarray(scorer.sign * (scorer.system_scores(one) - scorer.system_scores(other)))


def _spread(scorer: Scorer, one: Floats, other: Floats) -> float:
    """The standard deviation of the difference on one segment, from blocks of segments."""
    size = len(one) // BLOCKS
    sums = [each[: size * BLOCKS].reshape(BLOCKS, size, -1).sum(axis=1) for each in (one, other)]
    return float(_gaps(scorer, *sums).std(ddof=1) * np.sqrt(size))

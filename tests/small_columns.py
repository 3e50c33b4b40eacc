"""Small columns of judgements, and a metric with given numbers, for tests of statistics."""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from concordant.evaluation.system_scores import mean_tally
from concordant.judgements.judged_columns import Column, Pairs
from concordant.records import Place


@dataclass(frozen=True)
class Fixed:
    """A metric that has a number for each place of a column."""

    values: np.ndarray
    name: str = "fixed"

    def signature(self, _level):
        return "fixed"

    def scores(self, _column):
        return self.values

    def tally(self, column):
        return mean_tally(column, self.values)


def rated(ratings, segment=None, system=None):
    """A column of ratings; a matrix is (segments, systems), its NaN are places not judged."""
    ratings = np.asarray(ratings, dtype=np.float64)
    if ratings.ndim == 2:
        segment, system = np.nonzero(~np.isnan(ratings))
        ratings = ratings[segment, system]
    segment, system = (np.asarray(each, dtype=np.int64) for each in (segment, system))
    return Column(
        "test", "de-en", "ratings",
        places=tuple(
            Place("test", "de-en", f"s{y}", int(x) + 1)
            for x, y in zip(segment, system, strict=True)
        ),
        segments=tuple(range(1, int(segment.max(initial=-1)) + 2)),
        systems=tuple(f"s{y}" for y in range(int(system.max(initial=-1)) + 1)),
        segment=segment, system=system, ratings=ratings,
    )  # fmt: skip


def rated_systems(ratings):
    """A column of ratings of whole systems."""
    number = np.arange(len(ratings))
    return Column(
        "test", "de-en", "system ratings",
        places=tuple(Place("test", "de-en", f"s{y}", None) for y in number),
        segments=(), systems=tuple(f"s{y}" for y in number),
        segment=number, system=number, ratings=np.asarray(ratings, dtype=np.float64),
    )  # fmt: skip


def compared(column, pairs):
    """The column with judged pairs (better, worse, tie, count) of places instead of ratings."""
    better, worse, tie, count = zip(*pairs, strict=True)
    return replace(
        column,
        kind="preferences",
        ratings=None,
        pairs=Pairs(
            np.array(better),
            np.array(worse),
            np.array(tie),
            np.array(count, dtype=float),
            np.array(count, dtype=float),
        ),
    )


def paired_by_ratings(column):
    """The column with every two translations of a segment compared, as its ratings order them."""
    human, pairs = column.ratings, []
    for i, j in combinations(range(len(human)), 2):
        if column.segment[i] == column.segment[j]:
            better, worse = (i, j) if human[i] >= human[j] else (j, i)
            times = 1 + (human[i] + human[j]) // 25 % 2
            pairs.append((better, worse, human[i] == human[j], times))
    return compared(column, pairs)


def of_first_segment(column, values):
    """The values of the systems' places for the first segment, in the order of the systems."""
    there = np.flatnonzero(column.segment == 0)
    return values[there[np.argsort(column.system[there])]]


def reordered(column, order, segments=None, systems=None):
    """Outputs in another order, segments and systems under other numbers (ratings only)."""
    segments = np.arange(len(column.segments)) if segments is None else segments
    systems = np.arange(len(column.systems)) if systems is None else systems
    renamed = rated(
        column.ratings[order], segments[column.segment[order]], systems[column.system[order]]
    )
    return replace(renamed, segments=column.segments)  # the last one may have no places


def repeated(column, values, weights):
    """Column and values with every segment there `weights` times, each copy a new segment."""
    segment, chosen = [], []
    new = 0
    for old, copies in enumerate(weights):
        members = np.flatnonzero(column.segment == old)
        for _ in range(int(copies)):
            chosen += members.tolist()
            segment += [new] * len(members)
            new += 1
    return rated(column.ratings[chosen], segment, column.system[chosen]), values[chosen]


@st.composite
def rated_columns(draw, *, metrics=1, holes=True, least=2):
    """A small column full of ties, and the integer values of some metrics for its places."""
    shape = draw(st.tuples(st.integers(least, 5), st.integers(least, 4)))
    whole = st.integers(0, 4).map(float)
    human = 25 * draw(arrays(np.float64, shape, elements=whole))
    if holes:
        missing = draw(arrays(np.bool_, shape, elements=st.integers(0, 4).map(lambda n: n == 0)))
        missing[0] = missing[-1, 0] = False  # every system has an place, and the last segment
        human[missing] = np.nan
    column = rated(human)
    size = len(column.places)
    return column, *(
        draw(arrays(np.float64, size, elements=st.integers(-3, 3).map(float)))
        for _ in range(metrics)
    )


def unit_weights(column):
    """How often each segment is drawn, in three resamples."""
    shape = (3, len(column.segments))
    return arrays(np.float64, shape, elements=st.integers(0, 3).map(float))

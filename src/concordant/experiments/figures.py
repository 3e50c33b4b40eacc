"""What an experiment yields: figures, each beside the one that was published."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.records import Estimate
from concordant.stats.resampling import estimate_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from concordant.evaluation.comparisons import Draws
    from concordant.evaluation.evaluation import Row
    from concordant.stats.arrays import Floats


@dataclass(frozen=True)
class Figure:
    """One number of a published table and ours; `tolerance` is how far apart they may be.

    A figure with neither a tolerance nor a `least` is shown beside the published one and not
    checked; `least` is what ours must reach. `low` and `high` bound our interval.
    """

    row: str
    column: str
    published: float | None
    ours: float
    tolerance: float | None = None
    low: float | None = None
    high: float | None = None
    least: float | None = None

    @property
    def holds(self) -> bool | None:
        """Whether ours is what it should be; None where nothing is asked of it."""
        if self.least is not None:
            return self.ours >= self.least
        if self.published is None or self.tolerance is None:
            return None
        return abs(self.ours - self.published) <= self.tolerance


@dataclass(frozen=True)
class Experiment:
    """A published table: where it stands, what of the data it needs, and how to compute it.

    `against` says what ours is held against: what was "published", or what is "expected". Where
    there are several `tables`, `run` also takes those wanted and a progress bar; where
    `takes_encoders`, also a user's own encoders by name. Rows that need one of the `parts` are left
    out where it is not installed.
    """

    name: str
    title: str
    source: str
    needs: tuple[str, ...]
    run: Callable[..., list[Figure]]
    note: str = ""
    against: str = "published"
    tables: Mapping[int, str] = field(default_factory=dict)
    takes_encoders: bool = False
    parts: tuple[str, ...] = ()


def chosen_tables(wanted: Sequence[int] | None, known: Mapping[int, str]) -> list[int]:
    """The tables asked for, in order; all of them, if none is.

    >>> chosen_tables([2, 1], {1: "rankings", 2: "ratings", 3: "both"})
    [1, 2]
    """
    unknown = [table for table in wanted or () if table not in known]
    if unknown:
        raise SpecError(f"table {unknown[0]} is not one of {', '.join(map(str, known))}")
    return sorted(set(wanted or known))


@dataclass(frozen=True)
class Resampled:
    """A measured number, its values on resampled judgements, and how many judgements there are."""

    value: float
    resampled: Floats
    n: int


def mean_of(found: Iterable[Resampled | Draws]) -> Resampled:
    """The mean of several numbers, resample by resample."""
    each = list(found)
    return Resampled(
        float(np.mean([one.value for one in each])),
        np.mean([one.resampled for one in each], axis=0),
        sum(one.n for one in each),
    )


def difference_of(first: Resampled, second: Resampled) -> Resampled:
    """How much larger the first is, on the same resamples."""
    gap = first.resampled - second.resampled
    return Resampled(first.value - second.value, gap, first.n)


def figure(
    row: str,
    column: str,
    published: float | None,
    ours: Estimate | Resampled | Draws,
    tolerance: float | None = None,
    *,
    scale: float = 1.0,
    least: float | None = None,
) -> Figure:
    """A figure with its interval; `scale` is 100 where a paper prints percent."""
    if not isinstance(ours, Estimate):
        ours = estimate_from(ours.value, ours.resampled, ours.n)
    low = None if ours.low is None else scale * ours.low
    high = None if ours.high is None else scale * ours.high
    return Figure(row, column, published, scale * ours.value, tolerance, low, high, least)


def row_figures(
    row: str,
    found: Mapping[str, Resampled | Draws],
    published: Mapping[str, float | None],
    *,
    mean: str = "average",
    over: Sequence[str] | None = None,
    tolerance: float | None = None,
    least: float | None = None,
) -> list[Figure]:
    """A row of a table: its columns, and their mean, which alone is checked.

    `mean` is the name of that column, `over` the columns it is the mean of (default: all).
    """
    figures = [figure(row, column, published.get(column), each) for column, each in found.items()]
    whole = mean_of(found[column] for column in over or found)
    return [*figures, figure(row, mean, published.get(mean), whole, tolerance, least=least)]


def evaluation_figures(
    row: Row,
    published: Mapping[str, float],
    tolerance: float | None = None,
    *,
    name: str = "",
    scale: float = 1.0,
) -> list[Figure]:
    """A metric's row of an evaluation, under its own name or another, by language pair."""
    pairs = {column.rpartition(" ")[2]: ours for column, ours in row.estimates.items()}
    return [
        figure(name or row.metric, pair, published.get(pair), ours, tolerance, scale=scale)
        for pair, ours in pairs.items()
        if ours is not None
    ]

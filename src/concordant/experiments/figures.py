"""What an experiment yields: figures, each beside the one that was published."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from concordant.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.records import Estimate


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
    tolerance: float | None
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


def figure(
    row: str,
    column: str,
    published: float | None,
    ours: Estimate,
    tolerance: float | None,
    *,
    scale: float = 1.0,
    least: float | None = None,
) -> Figure:
    """A figure from an estimate, with its interval; `scale` 100 where a paper prints percent."""
    low = None if ours.low is None else scale * ours.low
    high = None if ours.high is None else scale * ours.high
    return Figure(row, column, published, scale * ours.value, tolerance, low, high, least)

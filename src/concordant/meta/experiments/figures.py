"""What an experiment yields: figures, each beside the one that was published."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
    there are several `tables`, `run` also takes those wanted and a progress bar.
    """

    name: str
    title: str
    source: str
    needs: tuple[str, ...]
    run: Callable[..., list[Figure]]
    note: str = ""
    against: str = "published"
    tables: Mapping[int, str] = field(default_factory=dict)


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

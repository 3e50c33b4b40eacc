"""What an experiment yields: figures, each beside the one that was published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from concordant.records import Estimate


@dataclass(frozen=True)
class Figure:
    """One number of a published table and ours; `tolerance` is how far apart they may be.

    A figure without a tolerance is shown beside the published one and not checked; `at_least`
    figures need only reach it. `low` and `high` bound our interval.
    """

    row: str
    column: str
    published: float | None
    ours: float
    tolerance: float | None
    low: float | None = None
    high: float | None = None
    at_least: bool = False

    @property
    def holds(self) -> bool | None:
        """Whether ours is what it should be; None where nothing is asked of it."""
        if self.published is None or self.tolerance is None:
            return None
        if self.at_least:
            return self.ours >= self.published
        return abs(self.ours - self.published) <= self.tolerance


@dataclass(frozen=True)
class Experiment:
    """A published table: where it stands, what of the data it needs, and how to compute it.

    `against` says what ours is held against: what was "published", or what is "expected".
    """

    name: str
    title: str
    source: str
    needs: tuple[str, ...]
    run: Callable[[Path], list[Figure]]
    note: str = ""
    against: str = "published"


def figure(
    row: str,
    column: str,
    published: float | None,
    ours: Estimate,
    tolerance: float | None,
    *,
    scale: float = 1.0,
) -> Figure:
    """A figure from an estimate, with its interval; `scale` 100 where a paper prints percent."""
    low = None if ours.low is None else scale * ours.low
    high = None if ours.high is None else scale * ours.high
    return Figure(row, column, published, scale * ours.value, tolerance, low, high)

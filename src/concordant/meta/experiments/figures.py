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

    `at_least` figures need only reach the published one. `low` and `high` bound our interval.
    """

    row: str
    column: str
    published: float | None
    ours: float
    tolerance: float
    low: float | None = None
    high: float | None = None
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether ours is what it should be."""
        if self.published is None:
            return True
        if self.at_least:
            return self.ours >= self.published
        return abs(self.ours - self.published) <= self.tolerance


@dataclass(frozen=True)
class Experiment:
    """A published table: where it stands, what of the data it needs, and how to compute it."""

    name: str
    title: str
    source: str
    needs: tuple[str, ...]
    run: Callable[[Path], list[Figure]]
    note: str = ""


def figure(
    row: str, column: str, published: float | None, ours: Estimate, tolerance: float
) -> Figure:
    """A figure from an estimate, with its interval."""
    return Figure(row, column, published, ours.value, tolerance, ours.low, ours.high)

"""The papers' tables beside our documented figures: what is printed, what we measured, and why not.

Each paper has two files in `papers/`. NAME.tsv has a line for every figure: the paper's, ours as
documented, its interval, how far apart the two may be where the same tool is measured (`within`),
and a key for why ours falls short. NAME.toml has these reasons, the columns that decide a row, and
`drift`: how far a figure may move before it is no longer as documented. The page of figures is
generated from these files, and `concordant reproduce` holds what it measures against them.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.toml_text import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from concordant.experiments.figures import Figure

FOLDER = Path(__file__).parent / "papers"
REACHED, BEYOND, NOT_REACHED = "reached", "beyond", "not reached"
VERDICTS = (BEYOND, REACHED, NOT_REACHED)


@dataclass(frozen=True)
class Reason:
    """Why a figure is not reached, and where the experiment that shows it is described."""

    text: str
    see: str


@dataclass(frozen=True)
class Cell:
    """A documented figure; numbers are kept as they are printed, and "" is none."""

    row: str
    column: str
    paper: str
    ours: str
    low: str
    high: str
    within: str
    why: str

    @property
    def tolerance(self) -> float | None:
        """How far ours may be from the paper's, where both measure the same tool."""
        return float(self.within) if self.within else None

    @property
    def table(self) -> str:
        """The table of the paper that the row is in, as in 1a."""
        return self.row.partition(" ")[0]

    @property
    def label(self) -> str:
        """The row without its table."""
        return self.row.partition(" ")[2]

    @property
    def covers_paper(self) -> bool:
        """Whether the paper's figure is within our interval: a difference may be chance."""
        return bool(self.low) and float(self.low) <= float(self.paper) <= float(self.high)

    def verdict(self, ours: float | None = None, low: float | None = None) -> str:
        """What a figure of ours (default: the documented one) is beside the paper's.

        "beyond" if the paper's is below our interval, "reached" if ours is not below the paper's to
        the digits that it prints, else "not reached". Where the same tool is measured, reached is
        what is close enough.

        >>> cell = Cell("1 m", "average", "0.50", "0.52", "0.51", "0.53", "", "")
        >>> cell.verdict(), cell.verdict(0.502, 0.49), cell.verdict(0.48, 0.47)
        ('beyond', 'reached', 'not reached')
        """
        if ours is None:
            if not self.ours:
                return NOT_REACHED
            ours, low = float(self.ours), float(self.low) if self.low else None
        paper = float(self.paper)
        if self.tolerance is not None:
            return REACHED if abs(ours - paper) <= self.tolerance + 1e-9 else NOT_REACHED
        if low is not None and low > paper:
            return BEYOND
        return REACHED if ours >= paper - 0.5 * unit(self.paper) - 1e-9 else NOT_REACHED


@dataclass(frozen=True)
class PaperTables:
    """All documented figures of one paper, by row and column."""

    name: str
    title: str
    judged: tuple[str, ...]
    drift: float
    reasons: Mapping[str, Reason]
    cells: Mapping[tuple[str, str], Cell]

    def published(self, row: str) -> dict[str, float]:
        """What the paper prints in a row, by column; empty for rows of our own."""
        return {
            column: float(cell.paper)
            for (name, column), cell in self.cells.items()
            if name == row and cell.paper
        }

    def rows(self, table: str) -> list[str]:
        """The rows of a table, in the order of the page."""
        return list(dict.fromkeys(c.row for c in self.cells.values() if c.table == table))

    def judged_cells(self) -> Iterator[Cell]:
        """The figures that say whether a row of the paper is reached."""
        return (c for c in self.cells.values() if c.paper and c.column in self.judged)

    def verdict(self, figure: Figure) -> str | None:
        """The verdict on a measured figure, None where no row is judged by it."""
        cell = self.cells.get((figure.row, figure.column))
        if cell is None or not cell.paper or cell.column not in self.judged:
            return None
        return cell.verdict(figure.ours, figure.low)

    def documented(self, figure: Figure) -> str:
        """Our figure as it is documented, "" where it is not."""
        cell = self.cells.get((figure.row, figure.column))
        return cell.ours if cell is not None else ""

    def moved(self, figure: Figure) -> bool:
        """Whether a measured figure is not what is documented, rounding and drift aside."""
        known = self.documented(figure)
        if not known:
            return False
        return abs(figure.ours - float(known)) > self.drift + 0.5 * unit(known) + 1e-9

    def reason(self, row: str, column: str) -> Reason | None:
        """Why a figure is documented as not reached, None where it is reached."""
        return self.reasons.get(self.cells[row, column].why)


def unit(number: str) -> float:
    """The worth of a number's last printed digit.

    >>> unit("29.70"), unit("28")
    (0.01, 1.0)
    """
    return float(10 ** -len(number.partition(".")[2]))


def papers() -> list[str]:
    """The names of the papers with documented figures."""
    return [path.stem for path in sorted(FOLDER.glob("*.tsv"))]


@lru_cache
def paper_tables(name: str) -> PaperTables:
    """The documented figures of a paper."""
    about = read_toml(FOLDER / f"{name}.toml")
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        cells = [Cell(**line) for line in csv.DictReader(file, delimiter="\t")]
    return PaperTables(
        name,
        about["title"],
        tuple(about["judged"]),
        float(about["drift"]),
        {key: Reason(**value) for key, value in about["why"].items()},
        {(cell.row, cell.column): cell for cell in cells},
    )

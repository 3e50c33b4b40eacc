"""Published figures beside ours, one row each."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from concordant._version import __version__
from concordant.report.tables import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.experiments.figures import Experiment, Figure


def experiment_table(experiment: Experiment, figures: Sequence[Figure]) -> Table:
    """The figures of an experiment, and how many of them were reproduced."""
    checked = [figure for figure in figures if figure.holds is not None]
    held = sum(bool(figure.holds) for figure in checked)
    signature = f"experiment:{experiment.name}|seed:0|concordant:{__version__}"
    return Table(
        header=["row", "column", experiment.against, "ours", "interval", "difference", "holds"],
        cells=[_cells(figure) for figure in figures],
        records=[{**asdict(figure), "holds": figure.holds} for figure in figures],
        title=experiment.title,
        text_columns=2,
        footer=[
            f"{experiment.against}: {experiment.source}",
            *([experiment.note] if experiment.note else []),
            f"{held} of {len(checked)} checked figures reproduced",
            signature,
        ],
        document={"experiment": experiment.name, "source": experiment.source, "held": held},
    )


def _cells(figure: Figure) -> list[str]:
    bounds = "–" if figure.low is None else f"[{figure.low:.3f}, {figure.high:.3f}]"
    published = [] if figure.published is None else [f"{figure.published:.4f}"]
    least = [] if figure.least is None else [f"≥ {figure.least:.4f}"]
    gap = "–" if figure.published is None else _gap(figure.ours - figure.published)
    return [
        figure.row,
        figure.column,
        ", ".join([*published, *least]) or "–",
        f"{figure.ours:.4f}",
        bounds,
        gap,
        {True: "yes", False: "NO", None: "–"}[figure.holds],
    ]


def _gap(difference: float) -> str:
    """A difference as text: tiny ones in scientific notation.

    >>> _gap(-0.25), _gap(2e-16)
    ('-0.250', '+2.0e-16')
    """
    return f"{difference:+.3f}" if abs(difference) >= 0.001 else f"{difference:+.1e}"

"""Published figures beside ours, one row each."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from concordant._version import __version__
from concordant.report.tables import Table, columns_of, interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.experiments.figures import Experiment, Figure


def experiment_table(experiment: Experiment, figures: Sequence[Figure]) -> Table:
    """The figures of an experiment, and how many of them were reproduced."""
    checked = [figure for figure in figures if figure.holds is not None]
    held = sum(bool(figure.holds) for figure in checked)
    signature = f"experiment:{experiment.name}|seed:0|concordant:{__version__}"
    return Table(
        *columns_of(
            figures,
            {
                "row": lambda each: each.row,
                "column": lambda each: each.column,
                experiment.against: _wanted,
                "ours": lambda each: f"{each.ours:.4f}",
                "interval": lambda each: interval(each.low, each.high),
                "difference": _gap,
                "holds": lambda each: {True: "yes", False: "NO", None: "–"}[each.holds],
            },
        ),
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


def _wanted(figure: Figure) -> str:
    published = [] if figure.published is None else [f"{figure.published:.4f}"]
    least = [] if figure.least is None else [f"≥ {figure.least:.4f}"]
    return ", ".join([*published, *least]) or "–"


def _gap(figure: Figure) -> str:
    """Ours minus the published figure; tiny differences in scientific notation."""
    if figure.published is None:
        return "–"
    difference = figure.ours - figure.published
    return f"{difference:+.3f}" if abs(difference) >= 0.001 else f"{difference:+.1e}"

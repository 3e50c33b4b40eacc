"""Published figures beside ours, one row each."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from concordant._version import __version__
from concordant.experiments.paper_tables import NOT_REACHED, VERDICTS, paper_tables, papers
from concordant.report.tables import Table, columns_of, interval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from concordant.experiments.figures import Experiment, Figure
    from concordant.experiments.paper_tables import PaperTables

HOLDS = {True: "yes", False: "NO", None: "–"}


def experiment_table(experiment: Experiment, figures: Sequence[Figure]) -> Table:
    """The figures of an experiment, how many were reproduced, and for a paper the verdicts."""
    paper = paper_tables(experiment.name) if experiment.name in papers() else None
    columns: dict[str, Callable[[Figure], str]] = {
        "row": lambda each: each.row,
        "column": lambda each: each.column,
        experiment.against: _wanted,
        "ours": lambda each: f"{each.ours:.4f}",
        "interval": lambda each: interval(each.low, each.high),
        "difference": _gap,
        **(_holding() if paper is None else _judging(paper)),
    }
    held = sum(bool(figure.holds) for figure in figures)
    signature = f"experiment:{experiment.name}|seed:0|concordant:{__version__}"
    return Table(
        *columns_of(figures, columns),
        records=[{**asdict(each), "holds": each.holds, **_record(paper, each)} for each in figures],
        title=experiment.title,
        text_columns=2,
        footer=[
            f"{experiment.against}: {experiment.source}",
            *([experiment.note] if experiment.note else []),
            *(_counts(figures) if paper is None else _verdicts(paper, figures)),
            signature,
        ],
        document={"experiment": experiment.name, "source": experiment.source, "held": held},
    )


def failures(experiment: Experiment, figures: Sequence[Figure]) -> list[Figure]:
    """The figures that are not as they should be.

    Those of a paper are where they are documented to be, reached or not; a figure that is not
    documented must hold.
    """
    if experiment.name not in papers():
        return [each for each in figures if each.holds is False]
    paper = paper_tables(experiment.name)
    return [
        each
        for each in figures
        if paper.moved(each) or (not paper.documented(each) and each.holds is False)
    ]


def _holding() -> Mapping[str, Callable[[Figure], str]]:
    return {"holds": lambda each: HOLDS[each.holds]}


def _judging(paper: PaperTables) -> Mapping[str, Callable[[Figure], str]]:
    return {
        "documented": lambda each: _documented(paper, each),
        "verdict": lambda each: paper.verdict(each) or HOLDS[each.holds],
    }


def _documented(paper: PaperTables, figure: Figure) -> str:
    known = paper.documented(figure)
    return f"{known} MOVED" if paper.moved(figure) else known or "–"


def _record(paper: PaperTables | None, figure: Figure) -> dict[str, Any]:
    if paper is None:
        return {}
    known = paper.documented(figure)
    return {
        "documented": float(known) if known else None,
        "moved": paper.moved(figure),
        "verdict": paper.verdict(figure),
    }


def _counts(figures: Sequence[Figure]) -> list[str]:
    checked = [figure for figure in figures if figure.holds is not None]
    held = sum(bool(figure.holds) for figure in checked)
    return [f"{held} of {len(checked)} checked figures reproduced"]


def _verdicts(paper: PaperTables, figures: Sequence[Figure]) -> list[str]:
    """How many rows are reached, why others are not, and how many figures moved."""
    verdicts = {(each.row, each.column): paper.verdict(each) for each in figures}
    counts = Counter(verdicts.values())
    lines = []
    for (row, column), verdict in verdicts.items():
        if verdict == NOT_REACHED:
            lines.append(f"not reached: {row}, {column}: {_why(paper, row, column)}")
    known = sum(bool(paper.documented(each)) for each in figures)
    moved = sum(paper.moved(each) for each in figures)
    return [
        *lines,
        "of the paper's rows: " + ", ".join(f"{counts[each]} {each}" for each in VERDICTS),
        f"{known - moved} of {known} figures as documented (within {paper.drift:g})",
    ]


def _why(paper: PaperTables, row: str, column: str) -> str:
    """The documented reason; a figure that is documented as reached has none."""
    reason = paper.reason(row, column)
    if reason is None:
        return f"documented as reached with {paper.cells[row, column].ours}"
    return f"{reason.text} (docs/{reason.see})"


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

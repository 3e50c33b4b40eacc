"""`concordant score` at system level: a table with intervals, or the bare numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from concordant.cli.output import notes, say, show, warn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.cli.score_run import ScoreRun
    from concordant.metrics.scorer import Scorer
    from concordant.scoring.baseline import BaselineChange
    from concordant.scoring.scores import SystemScores


@dataclass(frozen=True)
class SystemView:
    """What is shown of systems' scores: intervals, `details` of a score, decimals, only numbers.

    With a `baseline`, the other systems are tested against that one.
    """

    intervals: bool = True
    details: bool = False
    bare: bool = False
    width: int | None = None
    form: str = "table"
    baseline: str | None = None


def show_systems(run: ScoreRun, view: SystemView) -> None:
    """Score every system as a whole, and print the scores."""
    from concordant.scoring.scores import score_warnings, system_scores

    names = list(run.systems)
    rows = {
        name: system_scores(
            run.scored(name, beside=names[1:] if i == 0 else ()),
            run.metrics,
            intervals=(view.intervals and not view.bare) or view.baseline is not None,
        )
        for i, name in enumerate(names)
    }
    warnings = score_warnings(rows, run.metrics, run.how["language"], run.chosen)
    changes = _changes(rows, run, view)
    if not view.intervals:
        rows = {name: replace(row, intervals=()) for name, row in rows.items()}
    show_rows(rows, run.metrics, run.files.count, warnings, view, changes)
    notes((note for name, row in rows.items() for note in flag_note(name, row)),
          quiet=run.quiet)  # fmt: skip


def _changes(
    rows: Mapping[str, SystemScores], run: ScoreRun, view: SystemView
) -> list[BaselineChange]:
    """The tests against the baseline, if there is one."""
    if view.baseline is None:
        return []
    from concordant.scoring.baseline import baseline_changes

    return baseline_changes(rows, run.metrics, view.baseline, run.files.count, run.how["language"])


def flag_note(name: str, row: SystemScores) -> list[str]:
    """A note on a system's flags; none if there are none."""
    words = ", ".join(f"{count:,} {flag}" for flag, count in sorted(row.flags.items()))
    shown = f"{name}: {row.flagged:,} of {row.segments:,} segments flagged: {words}"
    return [shown] if row.flagged else []


def show_rows(
    rows: Mapping[str, SystemScores],
    metrics: Sequence[Scorer],
    references: int,
    warnings: Mapping[str, Sequence[str]],
    view: SystemView,
    changes: Sequence[BaselineChange] = (),
) -> None:
    """Print systems' scores with their warnings, and the tests against a baseline."""
    from concordant.report.scores import bare_lines, change_table, score_table

    if view.bare:
        for line in bare_lines(rows, view.width):
            say(line)
        warn(words for found in warnings.values() for words in found)
        return
    table = score_table(rows, metrics, references, warnings, width=view.width, details=view.details)
    if changes and view.form == "json":
        records = [each.record() for each in changes]
        table = replace(table, document={**table.document, "baseline": records})
    show(table, view.form)
    if not changes or view.form == "json":
        return
    if view.form != "jsonl":
        say("")
    show(change_table(changes), view.form)

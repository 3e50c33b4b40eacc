"""What a training reached, as tables and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.report.tables import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.records import Estimate
    from concordant.training.loop import Progress
    from concordant.training.training import Trained


def epoch_line(progress: Progress) -> str:
    """One epoch in a line."""
    last = progress.history[-1]
    best = " (best so far)" if progress.best_epoch[last.run] == last.epoch else ""
    return (
        f"epoch {last.epoch}, {last.stage}: cost {last.cost:.4f}, "
        f"validation tau {last.score:.4f}{best}, {last.seconds:.1f} s"
    )


def trained_table(trained: Trained, place: str) -> Table:
    """The agreement that a metric reached on held-out segments."""
    rows = {
        "decisions between two outputs": trained.agreement,
        "scores of single outputs": trained.absolute,
    }
    records = [
        {"what": what, "tau": e.value, "low": e.low, "high": e.high, "pairs": e.n}
        for what, e in rows.items()
    ]
    chosen = " (which also chose the epoch)" if trained.held_out != "test" else ""
    return Table(
        header=["what", "strict tau", "interval", "pairs"],
        cells=[[what, f"{e.value:.4f}", _interval(e), str(e.n)] for what, e in rows.items()],
        records=records,
        title=f"{trained.metric.name}: agreement on {trained.held_out} segments{chosen}",
        text_columns=1,
        footer=[f"saved in {place}", trained.metric.signature()],
        document={"metric": trained.metric.name, "signature": trained.metric.signature()},
    )


def curve_table(points: Sequence[tuple[float, int, Estimate]]) -> Table:
    """Agreement by the share of the judgements that was trained on."""
    return Table(
        header=["share", "pairs", "strict tau", "interval"],
        cells=[[f"{s:.0%}", str(n), f"{e.value:.4f}", _interval(e)] for s, n, e in points],
        records=[
            {"share": s, "pairs": n, "tau": e.value, "low": e.low, "high": e.high}
            for s, n, e in points
        ],
        title="Learning curve: agreement on held-out segments by judgements trained on",
        text_columns=0,
        footer=[],
        document={},
    )


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"[{estimate.low:.4f}, {estimate.high:.4f}]"

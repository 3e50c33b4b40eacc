"""Results of a training as tables and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from concordant.models.pairwise.objectives import PAIR_OBJECTIVES
from concordant.report.tables import Table, interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.models.loop import Progress
    from concordant.records import Estimate
    from concordant.training.held_out import Reached
    from concordant.training.training import Trained

_SCORES = dict.fromkeys(PAIR_OBJECTIVES, "tau")  # other objectives say "score"


def epoch_line(progress: Progress) -> str:
    """A line about one epoch."""
    last = progress.history[-1]
    best = " (best so far)" if progress.best_epoch[last.run] == last.epoch else ""
    score = _SCORES.get(last.stage, "score")
    return (
        f"epoch {last.epoch}, {last.stage}: cost {last.cost:.4f}, "
        f"validation {score} {last.score:.4f}{best}, {last.seconds:.1f} s"
    )


def trained_table(
    trained: Trained, place: str, curve: Sequence[tuple[float, int, Estimate]] = ()
) -> Table:
    """A metric's agreement on held-out segments; `records` also hold the learning curve."""
    found = trained.reached
    rows = dict(found.estimates)
    if trained.before is not None:
        rows[f"before, {next(iter(found.estimates))}"] = trained.before.first
    records = curve_records(curve, found)
    trained_on = trained.record[f"training_{found.things.replace(' ', '_')}"]
    records += [_record(what, 1.0, trained_on, e, found) for what, e in rows.items()]
    chosen = " (also used to choose the model)" if trained.held_out != "test" else ""
    return Table(
        header=["what", found.statistic, "interval", found.things],
        cells=[
            [what, f"{e.value:.4f}", interval(e.low, e.high, 4), str(e.n)]
            for what, e in rows.items()
        ],
        records=records,
        title=f"{trained.metric.name}: agreement on {trained.held_out} segments{chosen}",
        text_columns=1,
        footer=[*_systems(trained), f"saved in {place}", trained.metric.signature()],
        document={"metric": trained.metric.name, "signature": trained.metric.signature()},
    )


def _systems(trained: Trained) -> list[str]:
    words = "Pearson's r of system scores with people's"
    return [] if trained.systems is None else [f"{words}: {trained.systems}"]


def curve_table(points: Sequence[tuple[float, int, Estimate]], found: Reached) -> Table:
    """Agreement by the share of judgements used for training; `found` names the statistic."""
    return Table(
        header=["share", found.things, found.statistic, "interval"],
        cells=[
            [f"{s:.0%}", str(n), f"{e.value:.4f}", interval(e.low, e.high, 4)] for s, n, e in points
        ],
        records=curve_records(points, found),
        title="Learning curve: agreement on held-out segments by number of training judgements",
        text_columns=0,
    )


def curve_records(
    points: Sequence[tuple[float, int, Estimate]], found: Reached
) -> list[dict[str, Any]]:
    """The points of a learning curve, one record each."""
    what = f"learning curve: {next(iter(found.estimates))}"
    return [_record(what, *point, found) for point in points]


def _record(
    what: str, share: float, trained_on: int, e: Estimate, found: Reached
) -> dict[str, Any]:
    return {
        "what": what, "share": share, "trained_on": trained_on,
        found.short: e.value, "low": e.low, "high": e.high, found.things: e.n,
    }  # fmt: skip

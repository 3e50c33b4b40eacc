"""A training as one self-contained HTML page: agreement, learning curve, epochs, reliability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.report.charts import (
    ChartAxis,
    ChartPoint,
    Series,
    chart,
    height_scale,
    ordinal_axis,
)
from concordant.report.html import PageFacts, render
from concordant.report.plots import axis, dot_and_line, key, scale_of
from concordant.stats.binned import binned

if TYPE_CHECKING:
    from markupsafe import Markup

    from concordant.records import Estimate
    from concordant.training.course import Course
    from concordant.training.held_out import Outcomes

    Values = dict[str, Any]

STYLES = ("base.css", "comparison.css", "results.css")
NO_FACTS = PageFacts()
MOST_BINS, ENOUGH = 10, 20  # bins, and judgements in each


def training_page(course: Course, facts: PageFacts = NO_FACTS) -> str:
    """The page as HTML; it has a learning curve and epochs where there were any."""
    trained, reached = course.trained, course.trained.reached
    rows = dict(reached.estimates)
    if trained.before is not None:
        rows[f"before, {next(iter(reached.estimates))}"] = trained.before.first
    values = {
        "facts": facts,
        "name": course.metric.name,
        "headline": (
            f"{course.metric.name} agrees with people to {trained.agreement.value:.3f} "
            f"({reached.statistic}) on {trained.held_out} segments."
        ),
        "chosen": trained.held_out != "test",
        "held_out": trained.held_out,
        "told": _told(course, facts),
        "statistic": reached.statistic,
        "things": reached.things,
        **_agreement(rows),
        "curve": _curve(course),
        "epochs": _epochs(course),
        "reliability": _reliability(reached.outcomes),
        "chances": reached.outcomes.chances,
        "record": [(k.replace("_", " "), v) for k, v in trained.record.items() if k != "recipe"],
        "recipe": trained.record["recipe"],
        "signature": course.metric.signature(),
    }
    return render("training.html", values, styles=STYLES)


def _told(course: Course, facts: PageFacts) -> list[tuple[str, str]]:
    record, things = course.trained.record, course.trained.reached.things
    kind = things.replace(" ", "_")
    systems = course.trained.systems
    rows = [
        ("Judgements from", facts.test_set),
        ("Date", facts.date),
        ("Model", course.metric.kind),
        ("Language pairs", ", ".join(record["language_pairs"])),
        (f"Training {things}", f"{record[f'training_{kind}']:,}"),
        (f"Held-out {things}", f"{course.trained.agreement.n:,}"),
        ("r of system scores", "" if systems is None else str(systems)),
    ]
    return [(name, value) for name, value in rows if value]


def _agreement(estimates: dict[str, Estimate]) -> Values:
    """The lines of the agreement, and their axis."""
    ends = [v for e in estimates.values() for v in (e.value, e.low, e.high) if v is not None]
    scale = scale_of(min(ends), max(ends))
    rows = [
        {
            "what": what, "key": key(i), "value": _number(e.value), "interval": _interval(e),
            "plot": dot_and_line(e.value, e.low, e.high, scale, i), "n": f"{e.n:,}",
        }
        for i, (what, e) in enumerate(estimates.items())
    ]  # fmt: skip
    return {"rows": rows, "axis": axis(scale)}


def _number(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")


def _interval(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return "no interval"
    return f"{_number(found.low)} to {_number(found.high)}"


def _curve(course: Course) -> Values | None:
    """Agreement by the number of training judgements."""
    if not course.curve:
        return None
    reached = course.trained.reached
    points = tuple(
        ChartPoint(float(k), e.value, e.low, e.high) for k, (_, _, e) in enumerate(course.curve)
    )
    series = [Series(reached.statistic, 0, points)]
    labels = [f"{count:,}" for _, count, _ in course.curve]
    across = ordinal_axis(f"training {reached.things}", labels)
    title = f"{reached.statistic} by training {reached.things}."
    return {
        "plot": chart(series, across, ChartAxis(reached.statistic, height_scale(series)), title),
        "rows": [
            (f"{share:.0%}".replace("%", " %"), f"{n:,}", _number(e.value), _interval(e))
            for share, n, e in course.curve
        ],
    }


def _epochs(course: Course) -> Markup | None:
    """The validation score of each epoch, a line for each run."""
    progress = course.trained.progress
    if progress is None or not progress.history:
        return None
    runs = sorted({each.run for each in progress.history})
    series = [
        Series(
            f"run {run + 1}",
            run,
            tuple(
                ChartPoint(each.epoch, each.score) for each in progress.history if each.run == run
            ),
        )
        for run in runs
    ]
    last = max(each.epoch for each in progress.history)
    across = ChartAxis("epoch", scale_of(0.0, float(last), room=0.02))
    upwards = ChartAxis("validation score", height_scale(series))
    return chart(series, across, upwards, "Validation score by epoch.")


def _reliability(outcomes: Outcomes) -> Markup | None:
    """What was said against what came true; None where a model says only yes or no."""
    if len(np.unique(outcomes.said)) <= 2:
        return None
    most = max(2, min(MOST_BINS, len(outcomes.said) // ENOUGH))
    bins = binned(outcomes.said, outcomes.true, most, shares=outcomes.chances)
    points = tuple(ChartPoint(each.said, each.true, each.low, each.high) for each in bins)
    series = [Series("held-out judgements", 0, points)]
    low, high = min(each.said for each in bins), max(each.said for each in bins)
    across = scale_of(low, high)
    words = (
        ("stated chance", "share of pairs in which people agree")
        if outcomes.chances
        else ("score", "mean rating")
    )
    ends = (across.low, across.high) if outcomes.chances else ()
    upwards = ChartAxis(words[1], height_scale(series, *ends))
    title = f"{words[1]} by {words[0]}."
    return chart(series, ChartAxis(words[0], across), upwards, title, diagonal=outcomes.chances)

"""An evaluation as one self-contained HTML page: agreement with intervals, and what is behind it.

It has no data for scripts: all plots are drawn when the page is written, and a script only chooses
the language pair that is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.report.charts import ChartAxis, ChartPoint, Series, chart, height_scale
from concordant.report.evaluation import evaluation_table, significance_marks
from concordant.report.html import PageFacts, render
from concordant.report.plots import axis, dot_and_line, key, scale_of
from concordant.stats.binned import binned

if TYPE_CHECKING:
    from concordant.evaluation.evaluation import Evaluation
    from concordant.evaluation.score_points import ScorePoints

    Values = dict[str, Any]

STYLES = ("base.css", "comparison.css", "results.css")
MOST_POINTS = 600  # of a plot; more are drawn at random, with a fixed seed
NO_FACTS = PageFacts()


def evaluation_page(evaluation: Evaluation, facts: PageFacts = NO_FACTS) -> str:
    """The page as HTML; it has plots of the scores if the evaluation kept its points."""
    footer = evaluation_table(evaluation).footer
    values = {
        "facts": facts,
        "evaluation": evaluation,
        "headline": _headline(evaluation),
        "told": _told(evaluation, facts),
        "columns": list(evaluation.rows[0].estimates),
        "rows": _rows(evaluation),
        "axis": axis(_scale(evaluation)),
        "tests": _tests(evaluation),
        "plots": [(each.name, _plots(evaluation, each.name)) for each in evaluation.headings]
        if evaluation.points
        else [],
        "footer": footer,
        "legend": next((line for line in footer if line.startswith(("†", "*"))), ""),
    }  # fmt: skip
    return render("evaluation.html", values, styles=STYLES, scripts=("choice.js",))


def _headline(evaluation: Evaluation) -> str:
    """Which metric agrees most with people, on average or in the only column."""
    column = list(evaluation.rows[0].estimates)[-1]
    found = [(row.estimates[column], row.metric) for row in evaluation.rows]
    known = [(each.value, name) for each, name in found if each is not None]
    if not known:
        return f"Agreement of {len(evaluation.rows)} metrics with people"
    value, best = max(known)
    where = "on average" if column.startswith("average") else f"in {column}"
    if len(evaluation.rows) == 1:
        return f"{best} agrees with people to {value:.3f} ({evaluation.statistic}) {where}."
    close = [name for name, mark in significance_marks(evaluation, column).items() if mark == "†"]
    rest = len([name for name in close if name != best])
    sure = f"; {rest} of the others {'is' if rest == 1 else 'are'} not significantly worse"
    return (
        f"{best} agrees most with people {where}: {value:.3f} ({evaluation.statistic})"
        f"{sure if rest and evaluation.options.baseline is None else ''}."
    )


def _told(evaluation: Evaluation, facts: PageFacts) -> list[tuple[str, str]]:
    headings = evaluation.headings
    rows = [
        ("Judgements from", facts.test_set),
        ("Date", facts.date),
        ("Statistic", f"{evaluation.statistic}, {evaluation.options.level} level"),
        ("Metrics", str(len(evaluation.rows))),
        ("Language pairs", str(len(headings))),
        ("Judgements", f"{sum(each.judgements for each in headings):,}"),
        ("Segments", f"{sum(each.segments for each in headings):,}"),
    ]
    return [(name, value) for name, value in rows if value]


def _scale(evaluation: Evaluation) -> Any:
    found = [each for row in evaluation.rows for each in row.estimates.values() if each is not None]
    ends = [v for each in found for v in (each.value, each.low, each.high) if v is not None]
    return scale_of(min(ends, default=0.0), max(ends, default=1.0))


def _rows(evaluation: Evaluation) -> list[Values]:
    """A line for each metric, with a cell for each column; all have one scale."""
    scale = _scale(evaluation)
    columns = list(evaluation.rows[0].estimates)
    marks = {column: significance_marks(evaluation, column) for column in columns}
    rows = []
    for number, row in enumerate(evaluation.rows):
        cells: list[Values] = []
        for column in columns:
            each = row.estimates[column]
            if each is None:
                why = row.undefined.get(column, "")
                cells.append({
                    "value": "undefined",
                    "why": why,
                    "plot": "",
                    "interval": "",
                    "mark": "",
                })
                continue
            plot = dot_and_line(each.value, each.low, each.high, scale, number)
            interval = ""
            if each.low is not None and each.high is not None:
                interval = f"{each.low:.3f} to {each.high:.3f}".replace("-", "−")
            cells.append({
                "value": f"{each.value:.3f}".replace("-", "−"), "plot": plot,
                "interval": interval, "mark": marks[column].get(row.metric, ""), "why": "",
            })  # fmt: skip
        rows.append({"metric": row.metric, "key": key(number), "cells": cells})
    return rows


def _tests(evaluation: Evaluation) -> list[Values]:
    """The comparisons of metrics, the better one first."""
    rows = []
    for each in evaluation.comparisons:
        size = each.difference.value
        better, worse = (each.first, each.second)[:: 1 if size >= 0 else -1]
        rows.append({
            "column": each.column, "better": better, "worse": worse,
            "size": f"{abs(size):.3f}", "p": f"{each.p_holm:.4f}",
        })  # fmt: skip
    return rows


def _plots(evaluation: Evaluation, column: str) -> list[Values]:
    """The plots of one column, a metric each."""
    numbers = {row.metric: i for i, row in enumerate(evaluation.rows)}
    return [_plot(p, numbers[p.metric]) for p in evaluation.points if p.column == column]


def _plot(points: ScorePoints, number: int) -> Values:
    """A metric's scores against people's, or how often it agrees by how far it prefers."""
    bins = binned(points.scores, points.human, shares=points.pairs)
    means = Series(
        points.metric,
        number,
        tuple(ChartPoint(each.said, each.true, each.low, each.high) for each in bins),
    )
    across = scale_of(float(points.scores.min()), float(points.scores.max()), room=0.03)
    if points.pairs:
        title = f"How often {points.metric} agrees with people, by the size of its preference."
        upwards = ChartAxis("share of pairs in agreement", height_scale([means], 0.5))
        return {
            "title": points.metric, "key": key(number), "shown": "",
            "plot": chart([means], ChartAxis("size of the preference", across), upwards, title),
        }  # fmt: skip
    rows = np.arange(len(points.scores))
    if len(rows) > MOST_POINTS:
        rows = np.sort(np.random.default_rng(0).choice(rows, MOST_POINTS, replace=False))
    dots = Series(
        "",
        number,
        tuple(ChartPoint(float(points.scores[i]), float(points.human[i])) for i in rows),
        dots=True,
    )
    title = f"People's scores against those of {points.metric}; larger points are means."
    few = len(points.scores) < 2 * len(bins)
    series = [dots] if few else [dots, means]
    upwards = ChartAxis("people’s score", height_scale(series))
    shown = (
        f"{len(rows):,} of {len(points.scores):,} points" if len(rows) < len(points.scores) else ""
    )
    return {
        "title": points.metric, "key": key(number), "shown": shown,
        "plot": chart(series, ChartAxis("score, better to the right", across), upwards, title),
    }  # fmt: skip

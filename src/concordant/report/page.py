"""A comparison as one self-contained HTML page: no network, no other file.

The tables are drawn from the same records as those of the terminal, and stand in the page without
any script. Scripts draw what depends on a choice: two systems against each other, and the
segments, of which only those on the screen are drawn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.report import page_tables
from concordant.report.baseline import people_cell
from concordant.report.charts import (
    ChartAxis,
    ChartPoint,
    Series,
    chart,
    height_scale,
    ordinal_axis,
)
from concordant.report.comparison import p_of, pair_records, significance
from concordant.report.html import PageFacts, render
from concordant.report.page_data import larger_p, page_data, shown_segments
from concordant.scoring.segment_groups import length_groups
from concordant.scoring.verdict import decimals, p_words, verdict
from concordant.scoring.verdict import facts as facts_behind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.scoring.comparison_result import Comparison, MetricResult
    from concordant.scoring.explanations import ExplainedSegments

    Values = dict[str, Any]

STYLES = ("base.css", "comparison.css", "segments.css")
SCRIPTS = (
    "state.js", "elements.js", "text.js", "tables.js", "pair.js", "scatter.js", "groups.js",
    "phrases.js", "filters.js", "rows.js", "list.js", "export.js", "keys.js", "comparison.js",
)  # fmt: skip
NO_FACTS = PageFacts()


def page(
    comparison: Comparison,
    facts: PageFacts = NO_FACTS,
    *,
    explained: Mapping[str, ExplainedSegments] | None = None,
) -> str:
    """The page as HTML; `explained` has the parts of scores by metric, where they are known."""
    shown = shown_segments(comparison)
    alone, main = replace(comparison, baseline=None), comparison.metrics[0]
    values = {
        "comparison": comparison,
        "facts": facts,
        "headline": verdict(alone),
        "beside": facts_behind(alone)[0 if main.doubts else 1 :],  # the first is in the tiles
        "tiles": _tiles(comparison),
        "told": _told(comparison, facts),
        "ranking": page_tables.ranking_rows(comparison),
        "sections": [_section(comparison, each) for each in comparison.metrics],
        "systems": page_tables.names_in_order(comparison),
        "documents": page_tables.document_rows(comparison),
        "agreements": page_tables.agreement_rows(comparison),
        "plain": page_tables.plain_segments(comparison),
        "total": len(comparison.references),
        "left_out": len(comparison.references) - len(shown),
        "p_of": p_of,
        "significance": significance,
        "people_cell": people_cell,
    }
    data = page_data(comparison, {} if explained is None else explained, shown=shown)
    return render("comparison.html", values, styles=STYLES, scripts=SCRIPTS, data=data)


def _tiles(comparison: Comparison) -> list[Values]:
    """Three facts behind the verdict: the lead, the chance that people agree, what can be seen."""
    metric = comparison.metrics[0]
    first, second = metric.order[:2]
    record = metric.pairs(comparison.systems, comparison.options.alpha)[0]
    digits = decimals(metric)
    p, floor = larger_p(record)
    level = f"{100 * comparison.options.level:g} %"
    interval = f"{record['low']:.{digits}f} to {record['high']:.{digits}f}".replace("-", "−")
    people = metric.people(first, second)
    lead = "ahead of" if record["difference"] else "with the same score as"
    tiles = [
        {
            "title": f"{record['better']} {lead} {record['worse']}",
            "value": f"{record['difference']:.{digits}f}", "unit": metric.name,
            "words": f"{level} interval {interval}; {p_words(p, floor)}",
        },
        {
            "title": "Would people agree?",
            "value": page_tables.people_percent(record) or "unknown",
            "unit": "" if people.chance is None else people.short.partition("% ")[2],
            "words": people.words,
        },
    ]  # fmt: skip
    if metric.detectable is not None:
        tiles.append({
            "title": "Smallest detectable difference",
            "value": f"{metric.detectable:.{digits}f}", "unit": metric.name,
            "words": "a true difference of this size is significant on 80 % of such test sets",
        })  # fmt: skip
    return tiles


def _told(comparison: Comparison, facts: PageFacts) -> list[tuple[str, str]]:
    """What was compared, as names and values."""
    count = len(comparison.references)
    references = {len(given) for given in comparison.references}
    same = page_tables.same_everywhere(comparison)
    rows = [
        ("Test set", facts.test_set),
        ("Languages", facts.languages),
        ("Date", facts.date),
        ("Systems", str(len(comparison.systems))),
        ("Metrics", ", ".join(each.name for each in comparison.metrics)),
        ("Segments", f"{count:,}"),
        ("References", " to ".join(map(str, sorted({min(references), max(references)})))),
        ("Documents", "" if comparison.documents is None else f"{comparison.documents:,}"),
        ("Identical translations", f"{same:,} segments" if same else "none in all systems"),
    ]
    return [(name, value) for name, value in rows if value]


def _section(comparison: Comparison, metric: MetricResult) -> Values:
    """The results of one metric."""
    digits = decimals(metric)
    return {
        "name": metric.name,
        "about": metric.scale,
        "lower": metric.sign < 0,
        "warnings": metric.warnings,
        "signature": comparison.signature(metric),
        "detectable": None if metric.detectable is None else f"{metric.detectable:.{digits}f}",
        "limits": metric.past.limits,
        "axis": page_tables.ranking_axis(metric),
        "matrix": page_tables.matrix(comparison, metric),
        "pairs": pair_records(comparison, metric),
        "distributions": page_tables.distributions(comparison, metric),
        "by_length": _by_length(comparison, metric),
        "digits": digits,
    }


def _by_length(comparison: Comparison, metric: MetricResult) -> Values:
    """Mean scores of short to long segments, drawn and as numbers; bars are 1.96 errors."""
    labels, of = length_groups(np.asarray(comparison.lengths))
    scores = metric.sign * metric.segments
    sizes = np.bincount(of)
    means = np.stack([np.bincount(of, weights=row) / sizes for row in scores])
    rest = [
        np.bincount(of, weights=(row - mean[of]) ** 2)
        for row, mean in zip(scores, means, strict=True)
    ]
    halves = 1.96 * np.sqrt(np.stack(rest) / np.maximum(sizes - 1, 1) / sizes)
    count = len(comparison.systems)
    series = [
        Series(
            comparison.systems[i],
            i,
            tuple(
                ChartPoint(
                    k + 0.09 * (place - (count - 1) / 2) * min(1, 6 / count),
                    mean,
                    mean - half,
                    mean + half,
                )
                for k, (mean, half) in enumerate(
                    zip(means[i].tolist(), halves[i].tolist(), strict=True)
                )
            ),
        )
        for place, i in enumerate(metric.order)
    ]
    title = f"{metric.name} by length."
    return {
        "plot": chart(
            series,
            ordinal_axis("words in the reference", labels),
            ChartAxis(metric.name, height_scale(series)),
            title,
        ),
        "labels": [f"{own} ({size:,})" for own, size in zip(labels, sizes.tolist(), strict=True)],
        "rows": [
            (comparison.systems[i], [f"{mean:.{decimals(metric)}f}" for mean in means[i]])
            for i in metric.order
        ],
    }  # fmt: skip

"""The tables of a comparison's page, as its template reads them: complete without any script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.report.baseline import people_cell
from concordant.report.comparison import p_of, pair_records
from concordant.report.plots import axis, dot_and_line, histogram, key, scale_of
from concordant.report.tables import rank_words
from concordant.scoring.past_campaigns import percent
from concordant.scoring.verdict import decimals
from concordant.stats.quantiles import score_quantiles

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.scoring.comparison_result import Comparison, MetricResult

    Values = dict[str, Any]

BINS = 40
MOST_DOCUMENTS = 1000
PLAIN_SEGMENTS = 30  # of the page without scripts


def ranking_rows(comparison: Comparison) -> list[Values]:
    """The lines of the ranking: one for each system, with a cell for each metric."""
    columns = [_ranking_cells(each) for each in comparison.metrics]
    main = comparison.metrics[0]
    same = same_as_reference(comparison)
    return [
        {
            "system": comparison.systems[i], "key": key(i),
            "cells": [column[i] for column in columns],
            "flagged": sum(map(bool, comparison.flags[comparison.systems[i]])),
            "same": same[i],
        }
        for i in main.order
    ]  # fmt: skip


def _ranking_cells(metric: MetricResult) -> list[Values]:
    """Each system's score by one metric, with its interval as text and drawn."""
    digits = decimals(metric)
    scale = _scale(metric)
    cells = []
    for i, each in enumerate(metric.contest.standings):
        low, high = sorted((metric.shown(each.low), metric.shown(each.high)))
        score = metric.shown(each.score)
        cells.append({
            "score": f"{score:.{digits}f}", "better": each.score,
            "low": f"{low:.{digits}f}", "high": f"{high:.{digits}f}",
            "ranks": rank_words(each.best_rank, each.worst_rank), "cluster": each.cluster,
            "place": metric.order.index(i), "plot": dot_and_line(score, low, high, scale, i),
        })  # fmt: skip
    return cells


def ranking_axis(metric: MetricResult) -> Any:
    """The axis below the intervals of one metric."""
    return axis(_scale(metric))


def _scale(metric: MetricResult) -> Any:
    bounds = [metric.shown(v) for each in metric.contest.standings for v in (each.low, each.high)]
    return scale_of(min(bounds), max(bounds))


def same_as_reference(comparison: Comparison) -> list[int]:
    """How many translations of each system equal a reference of their segment."""
    given = comparison.references
    return [
        sum(text in texts for text, texts in zip(comparison.translations[name], given, strict=True))
        for name in comparison.systems
    ]


def same_everywhere(comparison: Comparison) -> int:
    """How many segments all systems translate the same."""
    rows = zip(*comparison.translations.values(), strict=True)
    return sum(len(set(texts)) == 1 for texts in rows)


def matrix(comparison: Comparison, metric: MetricResult) -> list[Values]:
    """The matrix of pairs, in the order of the ranking; positive above the diagonal."""
    known = {(r["better"], r["worse"]): r for r in pair_records(comparison, metric)}
    names = [comparison.systems[i] for i in metric.order]
    return [
        {
            "system": row, "key": key(i),
            "cells": [_cell(metric, known, row, column) for column in names],
        }
        for row, i in zip(names, metric.order, strict=True)
    ]  # fmt: skip


def _cell(
    metric: MetricResult, known: Mapping[tuple[str, str], Values], row: str, column: str
) -> Values | None:
    if row == column:
        return None
    ahead = (row, column) in known
    record = known[(row, column) if ahead else (column, row)]
    wins, losses = (record["wins"], record["losses"])[:: 1 if ahead else -1]
    sure = "significant" if record["significant"] else "not significant"
    sign = "" if not record["difference"] else "+" if ahead else "−"
    kind = ("better" if ahead else "worse") if record["significant"] else "unsure"
    return {
        "row": row,
        "column": column,
        "text": f"{sign}{record['difference']:.{decimals(metric)}f}",
        "kind": kind,
        "words": (
            f"{sure}; p: {p_of(record, 'bootstrap')} (bootstrap), "
            f"{p_of(record, 'randomisation')} (randomisation); "
            f"ahead on {wins}, behind on {losses}, equal on {record['ties']} segments; "
            f"people agree: {people_cell(record)}"
        ),
        "people": people_percent(record),
    }


def people_percent(record: Mapping[str, Any]) -> str:
    """The chance that people agree, in percent; "" if it is unknown."""
    chance = record["people_agree"]
    return "" if chance is None else f"{percent(chance)} %"


def distributions(comparison: Comparison, metric: MetricResult) -> Values:
    """A histogram of each system's segment scores on one axis, and their quartiles."""
    digits = decimals(metric)
    scores = metric.sign * metric.segments
    low, high = float(scores.min()), float(scores.max())
    high = high if high > low else low + 1.0
    counts = [np.histogram(each, bins=BINS, range=(low, high))[0] for each in scores]
    tallest = max(int(each.max()) for each in counts)
    scale = scale_of(low, high, room=0.0)
    quartiles = score_quantiles(scores, [0.0, 0.25, 0.5, 0.75, 1.0], axis=1).T
    return {
        "axis": axis(scale),
        "rows": [
            {
                "system": comparison.systems[i], "key": key(i),
                "plot": histogram(counts[i], tallest, float(np.median(scores[i])), scale, i),
                "quartiles": [f"{value:.{digits}f}" for value in quartiles[i]],
            }
            for i in metric.order
        ],
    }  # fmt: skip


def document_rows(comparison: Comparison) -> list[Values]:
    """Each document's number of segments and mean scores, as the texts have them."""
    if comparison.document_names is None:
        return []
    names, of = np.unique(np.asarray(comparison.document_names), return_inverse=True)
    first = np.unique(of, return_index=True)[1]
    sizes = np.bincount(of)
    means = [
        np.stack([np.bincount(of, weights=row) / sizes for row in metric.sign * metric.segments])
        for metric in comparison.metrics
    ]
    order = np.argsort(first)[:MOST_DOCUMENTS].tolist()
    return [
        {
            "name": str(names[k]), "segments": int(sizes[k]),
            "means": [
                [_mean(metric, found[i][k], found[:, k]) for i in comparison.metrics[0].order]
                for metric, found in zip(comparison.metrics, means, strict=True)
            ],
        }
        for k in order
    ]  # fmt: skip


def _mean(metric: MetricResult, value: float, all_of_document: Any) -> Values:
    best = (metric.sign * all_of_document).max()
    return {"text": f"{value:.{decimals(metric)}f}", "best": bool(metric.sign * value == best)}


def plain_segments(comparison: Comparison) -> list[Values]:
    """The segments where the systems differ most, for a browser without scripts."""
    metric = comparison.metrics[0]
    digits = decimals(metric)
    return [
        {
            "number": i + 1,
            "source": None if comparison.sources is None else comparison.sources[i],
            "references": comparison.references[i],
            "translations": [
                {
                    "system": comparison.systems[k], "key": key(k),
                    "score": f"{metric.shown(float(metric.segments[k, i])):.{digits}f}",
                    "text": comparison.translations[comparison.systems[k]][i],
                    "flags": comparison.flags[comparison.systems[k]][i],
                }
                for k in metric.order
            ],
        }
        for i in metric.by_spread()[:PLAIN_SEGMENTS]
    ]  # fmt: skip


def agreement_rows(comparison: Comparison) -> list[Values]:
    """How far each two metrics agree."""
    return [
        {
            "names": f"{each.first} and {each.second}",
            "same": f"{each.same_order} of {each.pairs}",
            "r": "–" if each.translations is None else f"{each.translations.value:.3f}",
            "interval": _interval(each.translations),
        }
        for each in comparison.agreements
    ]


def _interval(found: Any) -> str:
    if found is None or found.low is None:
        return ""
    return f"{found.low:.3f} to {found.high:.3f}"


def names_in_order(comparison: Comparison) -> Sequence[str]:
    """The systems from best to worst by the first metric."""
    return [comparison.systems[i] for i in comparison.metrics[0].order]

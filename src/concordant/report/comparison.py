"""A comparison of systems as tables: ranking, pairs, agreement of metrics, example segments.

In every pair the better system comes first. As json, everything is one document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from concordant.report.baseline import baseline_table, people_cell, people_words
from concordant.report.tables import Table, columns_of, interval, marked_name, rank_words
from concordant.scoring.verdict import decimals, p_cell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.scoring.comparison_result import Comparison, MetricResult

SHOWN_TEXT = 100


def comparison_tables(comparison: Comparison, *, segments: int) -> list[Table]:
    """All tables of a comparison, in reading order."""
    tables = [overview_table(comparison)] if comparison.agreements else []
    for metric in comparison.metrics:
        tests = pairs_table if comparison.baseline is None else baseline_table
        tables += [ranking_table(comparison, metric), tests(comparison, metric)]
    if comparison.agreements:
        tables.append(agreement_table(comparison))
    telling = segments_table(comparison, segments)
    return [*tables, telling] if telling.records else tables


def comparison_document(comparison: Comparison, *, segments: int) -> dict[str, Any]:
    """The whole comparison for json: the verdict, and the records of each table under its name."""
    tables = comparison_tables(comparison, segments=segments)
    tests = "pairs" if comparison.baseline is None else "baseline"
    names = ("ranking", tests, "agreement", "segments")
    records = {
        name: [
            {key: value for key, value in record.items() if key != "table"}
            for table in tables
            for record in table.records
            if record["table"] == name
        ]
        for name in names
    }
    return {
        "verdict": comparison.verdict,
        "facts": list(comparison.facts),
        "warnings": list(comparison.warnings),
        "segments_compared": len(comparison.references),
        "documents": comparison.documents,
        "level": comparison.options.level,
        "signatures": {each.name: comparison.signature(each) for each in comparison.metrics},
        "past_campaigns": {
            each.name: {"version": each.past.version, "limits": each.past.limits}
            for each in comparison.metrics
        },
        "detectable": {each.name: each.detectable for each in comparison.metrics},
        **records,
    }


def overview_table(comparison: Comparison) -> Table:
    """All metrics side by side: scores, and ranges of ranks."""
    order = comparison.metrics[0].order
    return Table(
        header=["system", *map(_heading, comparison.metrics)],
        cells=[
            [comparison.systems[i], *(_overview_cell(each, i) for each in comparison.metrics)]
            for i in order
        ],
        records=[],
        title="all metrics: score (ranks)",
    )


def text_warnings(comparison: Comparison) -> list[str]:
    """The warnings about the texts, rather than about one metric."""
    known = {words for each in comparison.metrics for words in each.warnings}
    return [words for words in comparison.warnings if words not in known]


def _overview_cell(metric: MetricResult, system: int) -> str:
    standing = metric.contest.standings[system]
    score = f"{metric.shown(standing.score):.{decimals(metric)}f}"
    return f"{score} ({rank_words(standing.best_rank, standing.worst_rank)})"


def ranking_table(comparison: Comparison, metric: MetricResult) -> Table:
    """The systems by one metric from best to worst, with intervals, rank ranges and clusters."""
    records: list[dict[str, Any]] = [
        {
            "table": "ranking",
            **row,
            "flagged": sum(map(bool, comparison.flags[row["system"]])),
        }
        for row in metric.ranking(comparison.systems)
    ]
    digits = decimals(metric)
    return Table(
        *columns_of(
            records,
            {
                "system": lambda r: r["system"],
                _heading(metric): lambda r: f"{r['score']:.{digits}f}",
                "interval": lambda r: interval(r["low"], r["high"], digits),
                "ranks": lambda r: rank_words(r["best_rank"], r["worst_rank"]),
                "cluster": lambda r: str(r["cluster"]),
                "flagged": lambda r: str(r["flagged"]),
            },
        ),
        records=records,
        title=f"{len(records)} systems on {_units(comparison)}{_by(comparison, metric)}",
        warnings=[*metric.warnings, *text_warnings(comparison)],
        footer=[*detectable_words(metric), comparison.signature(metric)],
    )


def detectable_words(metric: MetricResult) -> list[str]:
    """A line with the smallest detectable difference; none if no two systems differ."""
    if metric.detectable is None:
        return []
    size = f"{metric.detectable:.{decimals(metric)}f}"
    return [f"smallest difference this test set detects with 80 % power: {size}"]


def pairs_table(comparison: Comparison, metric: MetricResult) -> Table:
    """Every pair of systems, the better one first, with both tests and the segments' outcomes."""
    records = pair_records(comparison, metric)
    digits = decimals(metric)
    return Table(
        *columns_of(
            records,
            {
                "better": lambda r: r["better"],
                "worse": lambda r: r["worse"],
                "by": lambda r: f"{r['difference']:.{digits}f}",
                "interval": lambda r: interval(r["low"], r["high"], digits),
                "p bootstrap": lambda r: p_of(r, "bootstrap"),
                "p randomisation": lambda r: p_of(r, "randomisation"),
                "wins": lambda r: str(r["wins"]),
                "losses": lambda r: str(r["losses"]),
                "ties": lambda r: str(r["ties"]),
                "significant": significance,
                "people agree": people_cell,
            },
        ),
        records=records,
        title=f"pairs by {metric.name}",
        text_columns=2,
        footer=[
            "p: Holm-corrected for all pairs; < marks an upper bound (no draw was as extreme)",
            f"significant: both p-values below {comparison.options.alpha:.2g}",
            "wins, losses, ties: on how many segments the better system is ahead, behind, equal",
            *people_words(metric),
        ],
    )


def p_of(record: Mapping[str, Any], test: str) -> str:
    """The corrected p-value of a pair by one of the two tests, as text."""
    return p_cell(record[f"p_{test}_holm"], record[f"p_{test}_at_floor"])


def significance(record: Mapping[str, Any]) -> str:
    """Whether the systems of a pair differ significantly: yes, no, or equal scores."""
    return "yes" if record["significant"] else "no" if record["difference"] else "equal"


def pair_records(comparison: Comparison, metric: MetricResult) -> list[dict[str, Any]]:
    """One record per pair, in the order of the ranking, the better system first."""
    rows = metric.pairs(comparison.systems, comparison.options.alpha)
    return [{"table": "pairs", **row} for row in rows]


def agreement_table(comparison: Comparison) -> Table:
    """How far the metrics agree with each other."""
    records: list[dict[str, Any]] = [
        {
            "table": "agreement",
            "first": each.first,
            "second": each.second,
            "same_order": each.same_order,
            "pairs": each.pairs,
            "pearson": None if each.translations is None else each.translations.value,
            "low": None if each.translations is None else each.translations.low,
            "high": None if each.translations is None else each.translations.high,
        }
        for each in comparison.agreements
    ]
    return Table(
        header=["metric", "metric", "pairs in the same order", "Pearson's r of segments"],
        cells=[
            [
                r["first"],
                r["second"],
                f"{r['same_order']} of {r['pairs']}",
                _correlation(r),
            ]
            for r in records
        ],
        records=records,
        title="agreement of the metrics",
        text_columns=2,
    )


def _correlation(record: Mapping[str, Any]) -> str:
    if record["pearson"] is None:
        return "–"
    bounds = "" if record["low"] is None else f" {interval(record['low'], record['high'])}"
    return f"{record['pearson']:.3f}{bounds}"


def segments_table(comparison: Comparison, count: int) -> Table:
    """The segments where two systems differ most, by the first metric."""
    metric = comparison.metrics[0]
    first, second = _two_to_show(comparison, metric)
    digits = decimals(metric)
    records: list[dict[str, Any]] = [
        {
            "table": "segments",
            "segment": i + 1,
            "metric": metric.name,
            "better": comparison.systems[a],
            "worse": comparison.systems[b],
            "better_score": metric.shown(float(metric.segments[a, i])),
            "worse_score": metric.shown(float(metric.segments[b, i])),
            "better_output": comparison.translations[comparison.systems[a]][i],
            "worse_output": comparison.translations[comparison.systems[b]][i],
            "references": list(comparison.references[i]),
            **({} if comparison.references[i] else {"source": (comparison.sources or [""])[i]}),
        }
        for i in metric.most_different(first, second, count)
        for a, b in [_by_score(metric, first, second, i)]
    ]
    cells = []
    for r in records:
        beside = ("reference", r["references"][0]) if r["references"] else ("source", r["source"])
        cells.append([str(r["segment"]), beside[0], "", _short(beside[1])])
        for side in ("better", "worse"):
            score = f"{r[f'{side}_score']:.{digits}f}"
            cells.append(["", r[side], score, _short(r[f"{side}_output"])])
    return Table(
        header=["segment", "text of", metric.name, "text"],
        cells=cells,
        records=records,
        title=f"where {comparison.systems[first]} and {comparison.systems[second]} differ most",
        text_columns=4,
    )


def _two_to_show(comparison: Comparison, metric: MetricResult) -> tuple[int, int]:
    """The two best systems; with a baseline, the best other system and that."""
    if comparison.baseline is None:
        return metric.order[0], metric.order[1]
    base = comparison.systems.index(comparison.baseline)
    return next(i for i in metric.order if i != base), base


def _by_score(metric: MetricResult, first: int, second: int, segment: int) -> tuple[int, int]:
    ahead = metric.segments[first, segment] >= metric.segments[second, segment]
    return (first, second) if ahead else (second, first)


def _heading(metric: MetricResult) -> str:
    return marked_name(metric.name, metric.sign, metric.warnings)


def _units(comparison: Comparison) -> str:
    words = f"{len(comparison.references):,} segments"
    return words if comparison.documents is None else f"{words} of {comparison.documents} documents"


def _by(comparison: Comparison, metric: MetricResult) -> str:
    return f", by {metric.name}" if comparison.agreements else ""


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_TEXT else text[: SHOWN_TEXT - 1] + "…"

"""The scores of systems whose rows are in many tables, from summed counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.report.tables import Table, marked_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.engines.summary import Summary

ONE_SYSTEM = "all"


def partitions_table(
    summary: Summary,
    metrics: Sequence[Scorer],
    references: int,
    warnings: Sequence[str] = (),
    *,
    where: bool = False,
) -> Table:
    """One row a system: its rows, and its score by each metric; no row is left out by conditions.

    >>> from concordant.metrics.find import load
    >>> from concordant.scoring.engines.summary import Summary
    >>> partitions_table(Summary(), [load("chrf")], 1).header
    ['system', 'rows', 'chrf']
    """
    names = [metric.name for metric in metrics]
    rows, cells = [], []
    for system, found in summary.systems.items():
        values = found.values(metrics)
        rows.append({
            "system": system or ONE_SYSTEM,
            "rows": found.rows,
            **dict(zip(names, values, strict=True)),
        })  # fmt: skip
        shown = [f"{value:.2f}" for value in values]
        cells.append([system or ONE_SYSTEM, f"{found.rows:,}", *shown])
    headings = [marked_name(metric.name, metric.sign) for metric in metrics]
    footer = [f"nrefs:{references}|" + metric.signature(level="system") for metric in metrics]
    counts = {"rows": summary.rows, "written": summary.kept, "failed": dict(summary.failed),
              "flags": dict(summary.flags)}  # fmt: skip
    title = f"{summary.rows:,} rows"
    if where:
        title += f", {summary.kept:,} written"
    return Table(
        ["system", "rows", *headings], cells, rows, title=title, footer=footer,
        document={**counts, "signatures": footer}, warnings=warnings,
    )  # fmt: skip

"""System scores as a table: systems as rows, metrics as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.metrics.scope import best_of
from concordant.report.tables import Table, marked_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.scores import SystemScores

BEST, TIED = "*", "="


def score_table(
    scored: Mapping[str, SystemScores],
    metrics: Sequence[Scorer],
    references: int,
    warnings: Mapping[str, Sequence[str]],
) -> Table:
    """The score of every system by every metric, the best of each column marked.

    Systems that share the best score are marked as tied; if all share it, none is marked.
    """
    rows = {system: each.values for system, each in scored.items()}
    names = [metric.name for metric in metrics]
    marks = [
        _marks([metric.sign * values[i] for values in rows.values()])
        for i, metric in enumerate(metrics)
    ]
    digits = {
        name: 2 if any(abs(values[i]) > 1 for values in rows.values()) else 4
        for i, name in enumerate(names)
    }

    def cell(row: int, i: int, value: float) -> str:
        return f"{value:.{digits[names[i]]}f}{marks[i][row]}"

    used = {mark for column in marks for mark in column}
    key = {BEST: "best of the column", TIED: "tied for the best of the column"}
    signatures = [f"nrefs:{references}|{m.signature(level='system')}" for m in metrics]
    return Table(
        header=["system", *(marked_name(m.name, m.sign, warnings.get(m.name)) for m in metrics)],
        cells=[
            [system, *(cell(row, i, value) for i, value in enumerate(values))]
            for row, (system, values) in enumerate(rows.items())
        ],
        records=[
            {
                "system": system,
                **dict(zip(names, each.values, strict=True)),
                "segments": each.segments,
                "flagged": each.flagged,
            }
            for system, each in scored.items()
        ],
        warnings=[words for found in warnings.values() for words in found],
        footer=[*(f"{mark} {words}" for mark, words in key.items() if mark in used), *signatures],
        document={
            "signatures": dict(zip(names, signatures, strict=True)),
            "flags": {system: dict(each.flags) for system, each in scored.items()},
        },
    )


def _marks(scores: Sequence[float]) -> list[str]:
    """The mark of each score; a blank for most. Higher is better."""
    best = best_of(scores)
    mark = "" if len(best) == len(scores) else BEST if len(best) == 1 else TIED
    return [mark if mark and i in best else " " for i in range(len(scores))]

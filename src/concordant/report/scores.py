"""System scores as a table: systems down, measures across."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.report.tables import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.lexical.measures import Measure
    from concordant.scoring.scores import SystemScores


def score_table(
    scored: Mapping[str, SystemScores], measures: Sequence[Measure], references: int
) -> Table:
    """The score of every system by every measure, the best of each column marked."""
    rows = {system: each.values for system, each in scored.items()}
    names = [measure.name for measure in measures]
    best = [
        max((values[i] * measure.sign for values in rows.values()), default=0.0)
        for i, measure in enumerate(measures)
    ]
    digits = {
        name: 2 if any(abs(values[i]) > 1 for values in rows.values()) else 4
        for i, name in enumerate(names)
    }

    def cell(i: int, value: float) -> str:
        mark = "*" if value * measures[i].sign == best[i] and len(rows) > 1 else " "
        return f"{value:.{digits[names[i]]}f}{mark}"

    signatures = [f"nrefs:{references}|{m.signature(level='system')}" for m in measures]
    return Table(
        header=["system", *(f"{m.name} ↓" if m.sign < 0 else m.name for m in measures)],
        cells=[
            [system, *map(cell, range(len(measures)), values)] for system, values in rows.items()
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
        footer=[*(["* best of the column"] if len(rows) > 1 else []), *signatures],
        document={
            "signatures": dict(zip(names, signatures, strict=True)),
            "flags": {system: dict(each.flags) for system, each in scored.items()},
        },
    )

"""Rankings of systems and of single translations as tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from concordant.report.tables import Table, columns_of, interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.ranking import RoundRobin, Standing


def standings_table(
    rows: Sequence[Standing],
    metric: Scorer,
    segments: int,
    signature: str,
    warnings: Sequence[str] = (),
) -> Table:
    """Systems from best to worst; within a cluster not all differ significantly."""
    return Table(
        *columns_of(
            rows,
            {
                "system": lambda row: row.system,
                "cluster": lambda row: str(row.cluster),
                "ranks": lambda row: f"{row.best_rank}–{row.worst_rank}",
                "preferred": lambda row: f"{row.chance:.3f}",
                "interval": lambda row: interval(row.low, row.high),
                "strength": lambda row: f"{row.strength:+.3f}",
                "score": lambda row: f"{row.score:.4f}",
            },
        ),
        records=[asdict(row) for row in rows],
        title=f"{len(rows)} systems on {segments} segments",
        text_columns=1,
        footer=[
            "preferred: mean probability of being better than another system's translation",
            "strength: Bradley–Terry; score: mean segment score",
            signature,
        ],
        warnings=warnings,
        document={"metric": metric.name, "signature": signature, "segments": segments},
    )


def segment_ranks_table(
    games: RoundRobin, metric: Scorer, signature: str, warnings: Sequence[str] = ()
) -> Table:
    """One row per translation: its rank in the segment, mean probability and own score."""
    ranks, chance = games.segment_ranks, games.mean_chance
    records: list[dict[str, Any]] = [
        {
            "segment": segment + 1,
            "system": system,
            "rank": int(ranks[segment, i]),
            "preferred": float(chance[segment, i]),
            "score": float(games.scores[segment, i]),
        }
        for segment in range(len(ranks))
        for i, system in enumerate(games.systems)
    ]
    return Table(
        *columns_of(
            records,
            {
                "segment": lambda r: str(r["segment"]),
                "system": lambda r: r["system"],
                "rank": lambda r: str(r["rank"]),
                "preferred": lambda r: f"{r['preferred']:.3f}",
                "score": lambda r: f"{r['score']:.4f}",
            },
        ),
        records=records,
        text_columns=2,
        footer=[signature],
        warnings=warnings,
        document={"metric": metric.name, "signature": signature},
    )

"""What a folder holds, how judges agree and how people rank systems, as tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from concordant.report.tables import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.evaluation.annotators import Agreement
    from concordant.evaluation.system_ranking import HumanStanding
    from concordant.judgements.detection import Detection
    from concordant.judgements.summary import JudgementHolding

NO_INTERVAL = (
    "–: no interval or ranks: they need scores that are sums over segments (not trueskill, "
    "bradley-terry or ratings of whole systems) and enough judged segments"
)


def holdings_table(
    holdings: Sequence[JudgementHolding], found: Sequence[Detection], notes: Sequence[str]
) -> Table:
    """A row for each kind of judgement of each test set and language pair."""
    header = ["test set", "pair", "holds", "judgements", "segments", "systems", "judges"]
    return Table(
        header=[*header, "pairs", "ties", "references", "missing"],
        cells=[
            [
                each.testset or "–",
                each.pair or "–",
                each.kind,
                *(f"{getattr(each, name):,}" for name in header[3:]),
                f"{each.pairs:,}" if each.pairs else "–",
                f"{each.ties / each.pairs:.1%}" if each.pairs else "–",
                str(each.references),
                each.missing or "nothing",
            ]
            for each in holdings
        ],
        records=[asdict(each) for each in holdings],
        text_columns=3,
        document={
            "files": [
                {"path": str(each.path), "format": each.format.name, "reason": each.reason}
                for each in found
            ],
            "notes": list(notes),
        },
    )


def agreement_table(rows: Sequence[Agreement]) -> Table:
    """A row for each coefficient."""
    return Table(
        header=["test set", "pair", "judgements", "coefficient", "judges", "value", "n"],
        cells=[
            [
                each.testset or "–",
                each.pair or "–",
                each.judged,
                each.coefficient,
                str(each.judges),
                "undefined" if each.estimate is None else str(each.estimate).partition(" (")[0],
                "–" if each.estimate is None else f"{each.estimate.n:,}",
            ]
            for each in rows
        ],
        records=[
            {
                **{k: v for k, v in asdict(each).items() if k != "estimate"},
                **({} if each.estimate is None else asdict(each.estimate)),
            }
            for each in rows
        ],
        title="agreement of judges",
        text_columns=4,
        footer=[
            f"{each.testset} {each.pair} {each.judged}".strip()
            + f", {each.coefficient}: {each.undefined}"
            for each in rows
            if each.undefined
        ],
    )


def ranking_table(rows: Sequence[HumanStanding], signature: str) -> Table:
    """A row for each system, best first; systems whose ranks overlap share a cluster."""
    return Table(
        header=["test set", "pair", "system", "score", "interval", "ranks", "cluster"],
        cells=[
            [
                each.testset or "–",
                each.pair or "–",
                each.system,
                f"{each.score:.3f}",
                "–" if each.low is None else f"[{each.low:.3f}, {each.high:.3f}]",
                _ranks(each),
                "–" if each.cluster is None else str(each.cluster),
            ]
            for each in rows
        ],
        records=[asdict(each) for each in rows],
        title="human ranking of systems",
        text_columns=3,
        footer=[*([NO_INTERVAL] if any(each.low is None for each in rows) else []), signature],
        document={"signature": signature},
    )


def _ranks(standing: HumanStanding) -> str:
    if standing.rank_low is None:
        return "–"
    if standing.rank_low == standing.rank_high:
        return str(standing.rank_low)
    return f"{standing.rank_low}–{standing.rank_high}"

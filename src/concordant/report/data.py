"""What a folder holds, how judges agree and how people rank systems, as tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from concordant.report.tables import Table, columns_of, interval, rank_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    columns: dict[str, Callable[[JudgementHolding], str]] = {
        "test set": lambda each: each.testset or "–",
        "pair": lambda each: each.pair or "–",
        "holds": lambda each: each.kind,
        "judgements": lambda each: f"{each.judgements:,}",
        "segments": lambda each: f"{each.segments:,}",
        "systems": lambda each: f"{each.systems:,}",
        "judges": lambda each: f"{each.judges:,}",
        "pairs": lambda each: f"{each.pairs:,}" if each.pairs else "–",
        "ties": lambda each: f"{each.ties / each.pairs:.1%}" if each.pairs else "–",
        "references": lambda each: str(each.references),
        "missing": lambda each: each.missing or "nothing",
    }
    return Table(
        *columns_of(holdings, columns),
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
    columns: dict[str, Callable[[Agreement], str]] = {
        "test set": lambda each: each.testset or "–",
        "pair": lambda each: each.pair or "–",
        "judgements": lambda each: each.judged,
        "coefficient": lambda each: each.coefficient,
        "judges": lambda each: str(each.judges),
        "value": lambda each: str(each.estimate or "undefined").partition(" (")[0],
        "n": lambda each: "–" if each.estimate is None else f"{each.estimate.n:,}",
    }
    return Table(
        *columns_of(rows, columns),
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
    columns: dict[str, Callable[[HumanStanding], str]] = {
        "test set": lambda each: each.testset or "–",
        "pair": lambda each: each.pair or "–",
        "system": lambda each: each.system,
        "score": lambda each: f"{each.score:.3f}",
        "interval": lambda each: interval(each.low, each.high),
        "ranks": lambda each: rank_words(each.rank_low, each.rank_high),
        "cluster": lambda each: "–" if each.cluster is None else str(each.cluster),
    }
    return Table(
        *columns_of(rows, columns),
        records=[asdict(each) for each in rows],
        title="human ranking of systems",
        text_columns=3,
        footer=[*([NO_INTERVAL] if any(each.low is None for each in rows) else []), signature],
        document={"signature": signature},
    )

"""WMT's two-way csv (2015 and 2016): five-way rankings cut into pairs of translations.

Every row has two systems with the ranks that one judge gave them on one screen; `rankingID` names
the screen. Ranks are 1 (best) to 5, equal ranks are ties. -1 means that the judge left it
unranked, which leaves nothing to compare: such rows are left out and counted in a note.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from concordant.judgements.files import read_table
from concordant.judgements.names import testset_of
from concordant.judgements.origin import system_name
from concordant.judgements.readers.fields import build_each, line_number
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.wmt_rankings import pair_of, rank_of
from concordant.records import Collection, Ranking

if TYPE_CHECKING:
    from pathlib import Path

REQUIRED = (
    "srclang", "trglang", "srcIndex", "judgeID", "system1Id", "system1rank", "system2Id",
    "system2rank", "rankingID",
)  # fmt: skip


def looks_like(head: Head) -> str | None:
    """Why this is a two-way ranking file, or None."""
    columns = set(head.columns(","))
    if {"srcIndex", "system2Id", "system2rank"} <= columns and "system3Id" not in columns:
        return "its header has srcIndex and system1Id … system2rank"
    return None


def read(path: Path) -> Collection:
    """The rankings of a file, one per row; rows with an unranked one are counted in a note."""
    file, default_testset = str(path), testset_of(path)
    # Hundreds of thousands of rows name a few dozen systems.
    system_of, languages = cache(system_name), cache(pair_of)

    def ranking(line: int, row: dict[str, str]) -> Ranking | None:
        pair = languages(row["srclang"], row["trglang"])
        segment = line_number(row["srcIndex"], "srcIndex")
        first = system_of(row["system1Id"], "system1Id")
        second = system_of(row["system2Id"], "system2Id")
        ranks = rank_of(row["system1rank"]), rank_of(row["system2rank"])
        systems = first.within(pair), second.within(pair)
        if systems[0] == systems[1]:
            raise ValueError(f"system {systems[0]} is compared with itself")
        if ranks[0] is None or ranks[1] is None:
            return None
        return Ranking(
            first.testset or second.testset or default_testset,
            pair,
            segment,
            systems,
            (ranks[0], ranks[1]),
            row["judgeID"] or None,
            row["rankingID"] or None,
            file,
            line,
        )

    built = build_each(path, read_table(path, delimiter=",", required=REQUIRED), ranking)
    rankings = tuple(each for each in built if each is not None)
    unranked = len(built) - len(rankings)
    notes = (f"{path}: {unranked} rows with an unranked translation (-1) are left out",)
    return Collection(rankings=rankings, notes=notes if unranked else ())


FORMAT = Format(
    name="wmt-two-way",
    title="WMT two-way rankings",
    example="srclang,trglang,srcIndex,…,system1Id,system1rank,system2Id,system2rank,rankingID",
    looks_like=looks_like,
    read=read,
)

"""WMT's rankings: translations of a segment, ranked by one judge from 1 (best) to 5, ties allowed.

- wmt-rankings (2007 to 2014): five translations a row.
- wmt-two-way (2015 and 2016): rankings of five cut into pairs; `rankingID` names the screen.

A rank of -1 means that the judge did not rank the translation: it is left out and counted in a
note, and so is a row of two that then compares nothing. `srcIndex` is the line of the test set,
from 1.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from concordant.judgements.names import language
from concordant.judgements.origin import system_name
from concordant.judgements.readers.fields import line_number, quote
from concordant.judgements.readers.formats import Format, known_by
from concordant.judgements.readers.tables import JudgementTable
from concordant.records import Collection, Ranking

if TYPE_CHECKING:
    from pathlib import Path

SEGMENT = ("srclang", "trglang", "srcIndex")
RANKS: dict[str, int | None] = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "-1": None}


def read(path: Path) -> Collection:
    """The rankings of a file of five a row; unranked translations are counted in a note."""
    rankings = _rankings(path, 5, "judgeId")
    unranked = sum(5 - len(each.systems) for each in rankings)
    note = f"{path}: {unranked} translations shown but not ranked (-1) are left out"
    return Collection(rankings=tuple(rankings), notes=(note,) if unranked else ())


def read_two_way(path: Path) -> Collection:
    """The rankings of a file of two a row; rows with an unranked one are counted in a note."""
    every = _rankings(path, 2, "judgeID", "rankingID")
    rankings = tuple(each for each in every if len(each.systems) == 2)
    unranked = len(every) - len(rankings)
    note = f"{path}: {unranked} rows with an unranked translation (-1) are left out"
    return Collection(rankings=rankings, notes=(note,) if unranked else ())


def _rankings(path: Path, size: int, judge: str, screen: str | None = None) -> list[Ranking]:
    """The rankings of a file with so many systems a row, without those that are not ranked."""
    columns = [(f"system{i}Id", f"system{i}rank") for i in range(1, size + 1)]
    required = [*SEGMENT, judge, *([] if screen is None else [screen])]
    table = JudgementTable.read(path, *required, *(column for both in columns for column in both))
    # Hundreds of thousands of rows name a few dozen systems.
    system_of, pair_of = cache(system_name), cache(_pair_of)

    def ranking(line: int, row: dict[str, str]) -> Ranking:
        pair = pair_of(row["srclang"], row["trglang"])
        segment = line_number(row["srcIndex"], "srcIndex")
        ranks = {name: _rank_of(row[rank]) for name, rank in columns}
        ranked = [(system_of(row[name], name), rank) for name, rank in ranks.items() if rank]
        systems = tuple(name.within(pair) for name, _ in ranked)
        if len(set(systems)) != len(systems):
            twice = f"system {systems[0]} is compared with itself"
            raise ValueError(twice if size == 2 else "a system is ranked twice in one row")
        return Ranking(
            next((name.testset for name, _ in ranked if name.testset), table.origin.testset),
            pair,
            segment,
            systems,
            tuple(rank for _, rank in ranked),
            row[judge] or None,
            (screen and row[screen]) or None,
            table.origin.file,
            line,
        )

    return table.build(ranking)


def _pair_of(source: str, target: str) -> str:
    """The language pair of two languages given by English name or by code."""
    codes = language(source), language(target)
    for code, text in zip(codes, (source, target), strict=True):
        if code is None:
            raise ValueError(f"unknown language {quote(text)}")
    return f"{codes[0]}-{codes[1]}"


def _rank_of(text: str) -> int | None:
    """A rank of 1 (best) to 5, or None for -1, which means not ranked."""
    if text not in RANKS:
        raise ValueError(f"rank {quote(text)} is not one of 1, 2, 3, 4, 5 or -1 (not ranked)")
    return RANKS[text]


FORMAT = Format(
    name="wmt-rankings",
    title="WMT five-way rankings",
    example="srclang,trglang,srcIndex,…,system5Id,system1rank,…,system5rank",
    looks_like=known_by(
        ("srcIndex", "system5Id", "system5rank"), words="srcIndex and system1Id … system5rank"
    ),
    read=read,
)
FORMAT_TWO_WAY = Format(
    name="wmt-two-way",
    title="WMT two-way rankings",
    example="srclang,trglang,srcIndex,…,system1Id,system1rank,system2Id,system2rank,rankingID",
    looks_like=known_by(
        ("srcIndex", "system2Id", "system2rank"),
        unlike=({"system3Id"},),
        words="srcIndex and system1Id … system2rank",
    ),
    read=read_two_way,
)

"""WMT's five-way ranking csv (2007 to 2014): five outputs of a segment, ranked by one judge.

A rank is 1 (best) to 5, ties allowed; -1 means that the judge left the output unranked. `srcIndex`
is the line of the test set, from 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.errors import DataError, Fault
from concordant.judgements.files import read_table
from concordant.judgements.formats import Format, Head
from concordant.judgements.names import language, split_system, testset_of
from concordant.records import Collection, Ranking

if TYPE_CHECKING:
    from pathlib import Path

PLACES = range(1, 6)
REQUIRED = (
    "srclang", "trglang", "srcIndex", "judgeId",
    *(f"system{i}Id" for i in PLACES), *(f"system{i}rank" for i in PLACES),
)  # fmt: skip


def looks_like(head: Head) -> str | None:
    """Why this is a five-way ranking file, or None."""
    if {"srcIndex", "system5Id", "system5rank"} <= set(head.columns(",")):
        return "its header has srcIndex and system1Id … system5rank"
    return None


def read(path: Path) -> Collection:
    """The rankings of a file, one a row; unranked outputs are left out and counted in a note."""
    rankings: list[Ranking] = []
    faults: list[Fault] = []
    unranked = 0
    default_testset = testset_of(path)
    for line, row in read_table(path, delimiter=",", required=REQUIRED):
        try:
            ranking = _ranking(row, default_testset, str(path), line)
        except ValueError as error:
            faults.append(Fault(str(path), line, str(error)))
            continue
        unranked += len(PLACES) - len(ranking.systems)
        rankings.append(ranking)
    if faults:
        raise DataError(faults)
    notes = (f"{path}: {unranked} outputs shown but not ranked (-1) are left out",)
    return Collection(rankings=tuple(rankings), notes=notes if unranked else ())


def _ranking(row: dict[str, str], testset: str, file: str, line: int) -> Ranking:
    source, target = language(row["srclang"]), language(row["trglang"])
    if source is None or target is None:
        raise ValueError(f'unknown language "{row["srclang"]}" or "{row["trglang"]}"')
    segment = row["srcIndex"]
    if not segment.isdecimal() or int(segment) == 0:
        raise ValueError(f'srcIndex "{segment}" is not a line number from 1')
    systems, ranks = [], []
    for i in PLACES:
        rank = _rank(row[f"system{i}rank"])
        if rank is None:
            continue
        name = split_system(row[f"system{i}Id"])
        if not name.system:
            raise ValueError(f"system{i}Id is empty but ranked")
        testset = name.testset or testset
        systems.append(name.system)
        ranks.append(rank)
    if len(set(systems)) != len(systems):
        raise ValueError("a system is ranked twice in one row")
    pair = f"{source}-{target}"
    judge = row["judgeId"] or None
    return Ranking(
        testset, pair, int(segment), tuple(systems), tuple(ranks), judge, file=file, line=line
    )


def _rank(text: str) -> int | None:
    """A rank of 1 to 5, or None for -1; anything else is an error."""
    if text == "-1":
        return None
    if text not in {"1", "2", "3", "4", "5"}:
        raise ValueError(f'rank "{text}" is not one of 1, 2, 3, 4, 5 or -1 (not ranked)')
    return int(text)


FORMAT = Format(
    name="wmt-rankings",
    title="WMT five-way rankings",
    example="srclang,trglang,srcIndex,…,system5Id,system1rank,…,system5rank",
    looks_like=looks_like,
    read=read,
)

"""WMT's five-way ranking csv (2007 to 2014): five translations of a segment, ranked by one judge.

A rank is 1 (best) to 5, ties allowed; -1 means that the judge did not rank it. `srcIndex`
is the line of the test set, from 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.judgements.files import read_table
from concordant.judgements.names import language, testset_of
from concordant.judgements.origin import system_name
from concordant.judgements.readers.fields import build_each, line_number, quote
from concordant.judgements.readers.formats import Format, Head
from concordant.records import Collection, Ranking

if TYPE_CHECKING:
    from pathlib import Path

PLACES = range(1, 6)
RANKS: dict[str, int | None] = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "-1": None}
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
    """The rankings of a file, one per row; unranked translations are counted in a note."""
    file, default_testset = str(path), testset_of(path)
    rankings = build_each(
        path,
        read_table(path, delimiter=",", required=REQUIRED),
        lambda line, row: _ranking(row, default_testset, file, line),
    )
    unranked = sum(len(PLACES) - len(ranking.systems) for ranking in rankings)
    notes = (f"{path}: {unranked} translations shown but not ranked (-1) are left out",)
    return Collection(rankings=tuple(rankings), notes=notes if unranked else ())


def _ranking(row: dict[str, str], testset: str, file: str, line: int) -> Ranking:
    pair = pair_of(row["srclang"], row["trglang"])
    segment = line_number(row["srcIndex"], "srcIndex")
    systems, ranks = [], []
    for i in PLACES:
        rank = rank_of(row[f"system{i}rank"])
        if rank is None:
            continue
        name = system_name(row[f"system{i}Id"], f"system{i}Id")
        testset = name.testset or testset
        systems.append(name.within(pair))
        ranks.append(rank)
    if len(set(systems)) != len(systems):
        raise ValueError("a system is ranked twice in one row")
    judge = row["judgeId"] or None
    return Ranking(testset, pair, segment, tuple(systems), tuple(ranks), judge, None, file, line)


def pair_of(source: str, target: str) -> str:
    """The language pair of two languages given by English name or by code."""
    codes = language(source), language(target)
    for code, text in zip(codes, (source, target), strict=True):
        if code is None:
            raise ValueError(f"unknown language {quote(text)}")
    return f"{codes[0]}-{codes[1]}"


def rank_of(text: str) -> int | None:
    """A rank of 1 (best) to 5, or None for -1, which means not ranked."""
    if text not in RANKS:
        raise ValueError(f"rank {quote(text)} is not one of 1, 2, 3, 4, 5 or -1 (not ranked)")
    return RANKS[text]


FORMAT = Format(
    name="wmt-rankings",
    title="WMT five-way rankings",
    example="srclang,trglang,srcIndex,…,system5Id,system1rank,…,system5rank",
    looks_like=looks_like,
    read=read,
)

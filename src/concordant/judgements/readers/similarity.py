"""Similarity of English sentences: SICK (Marelli et al. 2014) and STS benchmark (Cer et al. 2017).

People rated how close in meaning two sentences are, from 1 (SICK) or 0 (STS) to 5. For a metric
that is the rating of a translation `sentence-b` against a reference `sentence-a`, without source.
Rows are numbered from 1; all further columns are kept in `Rating.extra`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from concordant.judgements.files import read_nonempty_lines
from concordant.judgements.readers.fields import build_each, name, number, quote
from concordant.judgements.readers.formats import Format, Head, known_by
from concordant.judgements.readers.tables import JudgementTable
from concordant.records import Collection, Rating, TestSet

if TYPE_CHECKING:
    from pathlib import Path

PAIR = "en-en"
FIRST, SECOND = "sentence-a", "sentence-b"
SICK_REQUIRED = ("pair_ID", "sentence_A", "sentence_B", "relatedness_score")
STS_COLUMNS = ("genre", "file", "year", "id", "score", "sentence1", "sentence2")
_STS_YEAR = re.compile(r"20\d\d(?:test|train)?")


class _Pair(NamedTuple):
    """One judged pair of sentences."""

    line: int
    first: str
    second: str
    score: float
    extra: tuple[tuple[str, str], ...]


def looks_like_sts(head: Head) -> str | None:
    """Why this is a file of the STS benchmark, which has no header, or None."""
    fields = head.lines[0].split("\t") if head.lines else []
    if len(fields) < len(STS_COLUMNS) or not _STS_YEAR.fullmatch(fields[2]):
        return None
    if fields[0].startswith("main-") or head.name.startswith("sts"):
        return "its lines begin with a genre, a file and a year, as in the STS benchmark"
    return None


def read_sick(path: Path) -> Collection:
    """The ratings of a file of SICK, 1 (unrelated) to 5 (the same), and its sentences."""
    table = JudgementTable.read(path, *SICK_REQUIRED, delimiter="\t", quoted=False)
    return _collection(path, table.build(_sick_pair))


def read_sts(path: Path) -> Collection:
    """The ratings of a file of STS, 0 (unrelated) to 5 (the same), and its sentences."""
    lines = enumerate(read_nonempty_lines(path), start=1)
    return _collection(path, build_each(path, lines, _sts_pair))


def _sick_pair(line: int, row: dict[str, str]) -> _Pair:
    score = _between(row["relatedness_score"], "relatedness_score", 1, 5)
    taken = {"sentence_A", "sentence_B", "relatedness_score"}
    extra = tuple((column, text) for column, text in row.items() if column not in taken)
    return _Pair(
        line,
        name(row["sentence_A"], "sentence_A"),
        name(row["sentence_B"], "sentence_B"),
        score,
        extra,
    )


def _sts_pair(line: int, text: str) -> _Pair:
    fields = text.split("\t")
    if len(fields) < len(STS_COLUMNS):
        raise ValueError(f"{len(fields)} fields, but at least {len(STS_COLUMNS)} are needed")
    row = dict(zip(STS_COLUMNS, fields, strict=False))
    score = _between(row["score"], "score", 0, 5)
    extra = [(column, row[column]) for column in STS_COLUMNS[:4]]
    extra += [(f"column{i}", field) for i, field in enumerate(fields[7:], start=8)]
    first, second = name(row["sentence1"], "sentence1"), name(row["sentence2"], "sentence2")
    return _Pair(line, first, second, score, tuple(extra))


def _between(text: str, column: str, low: int, high: int) -> float:
    value = number(text, column)
    if not low <= value <= high:
        raise ValueError(f"{column} {quote(text)} is not from {low} to {high}")
    return value


def _collection(path: Path, pairs: list[_Pair]) -> Collection:
    testset = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    numbered = list(enumerate(pairs, start=1))
    ratings = tuple(
        Rating(
            testset, PAIR, SECOND, i, each.score, None, 1, None, each.extra, str(path), each.line
        )
        for i, each in numbered
    )
    firsts = {i: each.first for i, each in numbered}
    seconds = {i: each.second for i, each in numbered}
    texts = TestSet(testset, PAIR, references={FIRST: firsts}, translations={SECOND: seconds})
    return Collection((texts,), ratings=ratings)


FORMAT_SICK = Format(
    name="sick",
    title="SICK sentence relatedness",
    example="pair_ID, sentence_A, sentence_B, relatedness_score, entailment_judgment",
    looks_like=known_by(SICK_REQUIRED, delimiter="\t"),
    read=read_sick,
)

FORMAT_STS = Format(
    name="sts",
    title="STS benchmark sentence similarity",
    example="genre, file, year, id, score, sentence, sentence (tabs, no header)",
    looks_like=looks_like_sts,
    read=read_sts,
)

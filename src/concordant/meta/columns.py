"""The judgements of one test set and language pair as arrays: one column of an evaluation.

The judged outputs are numbered in the order in which the judgements first name them; that is the
order in which scores without names, one a line, belong to them.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.errors import DataError, Fault, SpecError, nearest
from concordant.judgements.conversion import mean_ratings, preferences_of_rankings
from concordant.records import Output, Preference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import numpy.typing as npt

    from concordant.records import Collection, Rating, TestSet

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

UNNAMED = "unnamed"  # the column of judgements that name neither test set nor language pair
KINDS = ("preferences", "rankings", "ratings", "system ratings")


@dataclass(frozen=True)
class Pairs:
    """Judged pairs as indices of outputs, the preferred one first (where `tie`, in no order)."""

    better: Ints
    worse: Ints
    tie: Bools
    count: Floats


@dataclass(frozen=True, repr=False)
class Column(Brief):
    """The judged outputs of one test set and language pair, and what people said of them.

    `segment` and `system` give each output's place in `segments` and `systems`; outputs that are
    whole systems have the system's own number as segment. `texts` is None where there are none.
    """

    testset: str
    pair: str
    kind: str
    outputs: tuple[Output, ...]
    segments: tuple[int, ...]
    systems: tuple[str, ...]
    segment: Ints
    system: Ints
    pairs: Pairs | None = None
    ratings: Floats | None = None
    raw: Floats | None = None
    texts: TestSet | None = None
    clusters: Ints | None = None

    @property
    def name(self) -> str:
        """The column's heading: test set and language pair."""
        return f"{self.testset} {self.pair}".strip() or UNNAMED

    @property
    def judgements(self) -> int:
        """How many judgements it holds."""
        return len(self.outputs) if self.pairs is None else int(self.pairs.count.sum())


def kinds_of(collection: Collection) -> list[str]:
    """Which kinds of judgement a collection has."""
    by_system = any(rating.segment is None for rating in collection.ratings)
    by_segment = any(rating.segment is not None for rating in collection.ratings)
    present = {
        "preferences": bool(collection.preferences),
        "rankings": bool(collection.rankings),
        "ratings": by_segment,
        "system ratings": by_system,
    }
    return [kind for kind in KINDS if present[kind]]


def columns_of(
    collection: Collection,
    kind: str,
    *,
    patterns: Sequence[str] = (),
    human: str | None = None,
    by_document: bool = False,
) -> list[Column]:
    """The columns of one kind of judgement, in the order of the input.

    `patterns` choose language pairs ("de-en", "*-en"), or test set and pair ("newstest2016 *").
    `human` chooses among several human scores of one test set. A judgement of an output that the
    texts do not have is an error that names its file and line.
    """
    texts = {(each.name, each.pair): each for each in collection.testsets}
    groups: dict[tuple[str, str], list[Preference | Rating]] = {}
    for record in _records(collection, kind, human):
        groups.setdefault((record.testset, record.pair), []).append(record)
    if not groups:
        raise SpecError(_nothing(collection, kind))
    unmatched = [each for each in patterns if not any(_wanted(*key, [each]) for key in groups)]
    if unmatched:
        there = ", ".join(f"{testset} {pair}".strip() or UNNAMED for testset, pair in groups)
        raise SpecError(f"no language pair matches {', '.join(unmatched)}; there are: {there}")
    chosen = {key: group for key, group in groups.items() if _wanted(*key, patterns)}
    columns = []
    for key, group in chosen.items():
        testset = texts.get(key)
        if testset is not None:
            _refuse_unknown_outputs(group, testset)
        columns.append(_column(key, kind, group, testset, by_document))
    return columns


def _records(collection: Collection, kind: str, human: str | None) -> Iterable[Preference | Rating]:
    if human is not None and kind in {"preferences", "rankings"}:
        raise SpecError(f'human score "{human}" is of ratings; these are {kind}')
    if kind == "preferences":
        return collection.preferences
    if kind == "rankings":
        return preferences_of_rankings(collection.rankings)
    wanted = [
        rating
        for rating in collection.ratings
        if (rating.segment is None) == (kind == "system ratings")
    ]
    names = sorted({dict(rating.extra).get("human", "") for rating in wanted})
    if human is None and len(names) > 1:
        raise SpecError(f"there are several human scores; choose one of {', '.join(names)}")
    if human is not None:
        if human not in names:
            there = ", ".join(filter(None, names)) or "the one of the file, which has no name"
            raise SpecError(f'human score "{human}" is not there; there is {there}')
        wanted = [rating for rating in wanted if dict(rating.extra).get("human", "") == human]
    return mean_ratings(wanted)


def _nothing(collection: Collection, kind: str) -> str:
    """Why there is no column of a kind of judgement."""
    present = kinds_of(collection)
    if not present:
        return "there are no judgements, only texts or scores; name a file that has some"
    if kind not in present:
        return f"there are no {kind}; there are {', '.join(present)}"
    return f"the {kind} compare nothing: none of them ranks two outputs"


def _wanted(testset: str, pair: str, patterns: Sequence[str]) -> bool:
    names = (pair, f"{testset} {pair}")
    return not patterns or any(fnmatch.fnmatch(n, p) for n in names for p in patterns)


def _refuse_unknown_outputs(records: Sequence[Preference | Rating], texts: TestSet) -> None:
    faults: dict[tuple[str, int | None], Fault] = {}
    for record in records:
        for system in _systems(record):
            outputs = texts.outputs.get(system)
            if outputs is not None and (record.segment is None or record.segment in outputs):
                continue
            if outputs is None:
                hint = nearest(system, list(texts.outputs))
                message = f'system "{system}" has no output in {texts.name} {texts.pair}{hint}'
            else:
                message = f'system "{system}" has no output for segment {record.segment}'
            faults.setdefault((message, record.line), Fault(record.file, record.line, message))
    if faults:
        raise DataError(list(faults.values()))


def _column(
    key: tuple[str, str],
    kind: str,
    records: Sequence[Preference | Rating],
    texts: TestSet | None,
    by_document: bool,
) -> Column:
    testset, pair = key
    index: dict[tuple[str, int | None], int] = {}
    for record in records:
        for system in _systems(record):
            index.setdefault((system, record.segment), len(index))
    systems = sorted({system for system, _ in index})
    segments = sorted({segment for _, segment in index if segment is not None})
    place = {segment: i for i, segment in enumerate(segments)}
    number = {system: i for i, system in enumerate(systems)}
    return Column(
        testset,
        pair,
        kind,
        outputs=tuple(Output(testset, pair, system, segment) for system, segment in index),
        segments=tuple(segments),
        systems=tuple(systems),
        segment=np.array(
            [number[s] if seg is None else place[seg] for s, seg in index], dtype=np.int64
        ),
        system=np.array([number[s] for s, _ in index], dtype=np.int64),
        texts=texts,
        clusters=_clusters(segments, texts) if by_document else None,
        **_human_side(records, index),
    )


def _human_side(
    records: Sequence[Preference | Rating], index: dict[tuple[str, int | None], int]
) -> dict[str, Any]:
    pairs = [record for record in records if isinstance(record, Preference)]
    if pairs:
        better = [index[p.better, p.segment] for p in pairs]
        worse = [index[p.worse, p.segment] for p in pairs]
        return {
            "pairs": Pairs(
                np.array(better, dtype=np.int64),
                np.array(worse, dtype=np.int64),
                np.array([p.tie for p in pairs], dtype=bool),
                np.array([p.count for p in pairs], dtype=np.float64),
            )
        }
    ratings = [record for record in records if not isinstance(record, Preference)]
    raws = [rating.raw for rating in ratings]
    return {
        "ratings": np.array([rating.score for rating in ratings], dtype=np.float64),
        "raw": None if None in raws else np.array(raws, dtype=np.float64),
    }


def _clusters(segments: Sequence[int], texts: TestSet | None) -> Ints:
    if texts is None or not texts.documents:
        raise SpecError("resampling by document needs texts with document names")
    names = [texts.documents.get(segment, f"segment {segment}") for segment in segments]
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([number[name] for name in names], dtype=np.int64)


def _systems(record: Preference | Rating) -> tuple[str, ...]:
    if isinstance(record, Preference):
        return record.better, record.worse
    return (record.system,)

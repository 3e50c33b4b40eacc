"""What a collection holds, counted: the answer to "what is in this folder?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.judgements.judged_records import by_place
from concordant.records import Place, Preference, Ranking

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from concordant.records import Collection, Rating, TestSet


@dataclass(frozen=True)
class JudgementHolding:
    """One kind of judgement (or texts alone) for one test set and language pair.

    `ties` are tied pairs among all `pairs` that the judgements compare. `missing` says
    what a metric would lack.
    """

    testset: str
    pair: str
    kind: str
    judgements: int
    segments: int
    systems: int
    judges: int
    pairs: int
    ties: int
    references: int
    missing: str


def holdings(collection: Collection) -> list[JudgementHolding]:
    """The contents of a collection by test set, language pair and kind, in order of reading."""
    texts = {(each.name, each.pair): each for each in collection.testsets}
    found = []
    kinds: dict[str, Sequence[Ranking | Preference | Rating]] = {
        "rankings": collection.rankings,
        "preferences": collection.preferences,
        "ratings": collection.ratings,
    }
    for kind, records in kinds.items():
        groups = by_place(records)
        found += [_count_judged(key, kind, group, texts.get(key)) for key, group in groups.items()]
    judged = {(each.testset, each.pair) for each in found}
    return found + [_count_unjudged(each) for key, each in texts.items() if key not in judged]


def _count_judged(
    key: tuple[str, str],
    kind: str,
    records: list[Ranking | Preference | Rating],
    texts: TestSet | None,
) -> JudgementHolding:
    places = {place for record in records for place in _places(record)}
    compared = [_comparisons(record) for record in records]
    return JudgementHolding(
        *key,
        f"system {kind}" if places and all(o.segment is None for o in places) else kind,
        judgements=len(records),
        segments=len({place.segment for place in places if place.segment is not None}),
        systems=len({place.system for place in places}),
        judges=len({record.judge for record in records if record.judge is not None}),
        pairs=sum(pairs for pairs, _ in compared),
        ties=sum(ties for _, ties in compared),
        references=0 if texts is None else len(texts.references),
        missing=_missing(places, texts),
    )


def _count_unjudged(texts: TestSet) -> JudgementHolding:
    return JudgementHolding(
        texts.name,
        texts.pair,
        "texts only",
        judgements=0,
        segments=len(texts.segments),
        systems=len(texts.translations),
        judges=0,
        pairs=0,
        ties=0,
        references=len(texts.references),
        missing="judgements",
    )


def _places(record: Ranking | Preference | Rating) -> Iterable[Place]:
    if isinstance(record, Ranking):
        systems = record.systems
    elif isinstance(record, Preference):
        systems = (record.better, record.worse)
    else:
        systems = (record.system,)
    return [Place(record.testset, record.pair, system, record.segment) for system in systems]


def _comparisons(record: Ranking | Preference | Rating) -> tuple[int, int]:
    """How many pairs a judgement compares, and how many of them it ties."""
    if isinstance(record, Preference):
        return record.count, record.count if record.tie else 0
    if not isinstance(record, Ranking):
        return 0, 0
    k = len(record.ranks)
    tied = sum(record.ranks[i] == record.ranks[j] for i in range(k) for j in range(i + 1, k))
    return k * (k - 1) // 2, tied


def _missing(places: set[Place], texts: TestSet | None) -> str:
    if texts is None:
        return "texts"
    segments = {place.segment for place in places if place.segment is not None}
    known = set().union(*texts.references.values()) if texts.references else set()
    lacking = sum(
        place.segment is not None and place.segment not in texts.translations.get(place.system, {})
        for place in places
    )
    gaps = []
    if not texts.source:
        gaps.append("source")
    if not texts.references:
        gaps.append("references")
    elif segments - known:
        gaps.append(f"references of {len(segments - known)} segments")
    if lacking:
        gaps.append(f"{lacking} judged translations")
    return ", ".join(gaps)

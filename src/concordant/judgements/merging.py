"""Several collections as one: texts of one test set joined, judgements linked to their texts."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeVar

from concordant.errors import DataError, Fault
from concordant.records import Collection, Preference, Ranking, Rating, TestSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Judgement = TypeVar("Judgement", Ranking, Preference, Rating)


def merge(collections: Iterable[Collection]) -> Collection:
    """One collection of all records in order; texts of the same test set and pair are joined.

    A judgement whose file names no test set (or no language pair) belongs to the only one that the
    texts have; if they have several, or none, it stays unnamed.
    """
    parts = list(collections)
    testsets = _join(testset for part in parts for testset in part.testsets)
    return Collection(
        testsets=testsets,
        rankings=_name([r for part in parts for r in part.rankings], testsets),
        preferences=_name([p for part in parts for p in part.preferences], testsets),
        ratings=_name([r for part in parts for r in part.ratings], testsets),
        tables=tuple(t for part in parts for t in part.tables),
        score_lines=tuple(s for part in parts for s in part.score_lines),
        notes=tuple(dict.fromkeys(n for part in parts for n in part.notes)),
        left_out=tuple(dict.fromkeys(each for part in parts for each in part.left_out)),
    )


def _join(testsets: Iterable[TestSet]) -> tuple[TestSet, ...]:
    joined: dict[tuple[str, str], TestSet] = {}
    for testset in testsets:
        key = (testset.name, testset.pair)
        joined[key] = _union(joined[key], testset) if key in joined else testset
    return tuple(joined.values())


def _union(first: TestSet, second: TestSet) -> TestSet:
    where = f"{first.name or 'unnamed test set'} {first.pair}"
    return TestSet(
        first.name,
        first.pair,
        _texts(first.source, second.source, f"{where}, source"),
        _tables(first.references, second.references, f"{where}, reference"),
        _tables(first.translations, second.translations, f"{where}, system"),
        _texts(first.documents, second.documents, f"{where}, document"),
    )


def _tables(
    first: Mapping[str, Mapping[int, str]], second: Mapping[str, Mapping[int, str]], where: str
) -> dict[str, Mapping[int, str]]:
    joined = dict(first)
    for name, texts in second.items():
        joined[name] = _texts(joined.get(name, {}), texts, f"{where} {name}")
    return joined


def _texts(first: Mapping[int, str], second: Mapping[int, str], where: str) -> dict[int, str]:
    faults = [
        Fault(where, segment, f'two texts for one segment: "{first[segment]}" and "{text}"')
        for segment, text in second.items()
        if first.get(segment, text) != text
    ]
    if faults:
        raise DataError(faults)
    return {**first, **second}


def _name(records: Sequence[Judgement], testsets: Sequence[TestSet]) -> tuple[Judgement, ...]:
    if all(record.testset and record.pair for record in records):
        return tuple(records)
    names_of_pair: dict[str, set[str]] = {}
    for testset in testsets:
        names_of_pair.setdefault(testset.pair, set()).add(testset.name)
    only_pair = next(iter(names_of_pair)) if len(names_of_pair) == 1 else ""
    named = []
    for record in records:
        pair = record.pair or only_pair
        names = names_of_pair.get(pair, set())
        name = record.testset or (next(iter(names)) if len(names) == 1 else "")
        if (name, pair) == (record.testset, record.pair):
            named.append(record)
        else:
            named.append(dataclasses.replace(record, testset=name, pair=pair))
    return tuple(named)

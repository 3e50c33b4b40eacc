"""Conversions of judgements: rankings and ratings → preferences, ratings → z-scores.

Nothing is dropped: ties and repeats are kept, and records follow the order of the input.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import statistics
from typing import TYPE_CHECKING, TypeVar

from concordant.errors import DataError, Fault, SpecError
from concordant.records import Preference, Rating

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from concordant.records import Ranking

Key = TypeVar("Key", bound="Hashable")
DARR_GAP = 25.0
MOST_PAIRS = 10_000_000  # some gigabytes of preferences


def preferences_of_rankings(rankings: Iterable[Ranking]) -> list[Preference]:
    """Every pair of translations in every ranking, the one of lower rank preferred.

    >>> from concordant.records import Ranking
    >>> ranking = Ranking("t", "de-en", 1, ("a", "b", "c"), (1, 2, 2))
    >>> [(p.better, p.worse, p.tie) for p in preferences_of_rankings([ranking])]
    [('a', 'b', False), ('a', 'c', False), ('b', 'c', True)]
    """
    return [
        _preference(ranking, i, j)
        for ranking in rankings
        for i, j in itertools.combinations(range(len(ranking.systems)), 2)
    ]


def merge_repeats(preferences: Iterable[Preference]) -> list[Preference]:
    """One record for each distinct outcome of a pair, its counts added, without judge.

    Two judges who disagree stay two records.
    """
    merged: dict[Preference, int] = {}
    for each in preferences:
        better, worse = sorted((each.better, each.worse)) if each.tie else (each.better, each.worse)
        key = dataclasses.replace(each, better=better, worse=worse, judge=None, count=0)
        merged[key] = merged.get(key, 0) + each.count
    return [dataclasses.replace(key, count=count) for key, count in merged.items()]


def preferences_of_ratings(
    ratings: Iterable[Rating], *, minimum_gap: float = 0.0, raw: bool = False
) -> list[Preference]:
    """Every pair of translations of a segment, the higher rating preferred, at least a gap apart.

    With gap 0, equal ratings are ties and kept. WMT17's DARR is `minimum_gap=25, raw=True`: the
    0–100 scores before standardisation. Ratings by several judges are averaged first.
    """
    if not 0 <= minimum_gap < math.inf:
        raise SpecError(f"minimum gap {minimum_gap:g} must be a number of at least 0")
    by_segment = _group(
        (each for each in mean_ratings(ratings) if each.segment is not None),
        lambda each: (each.testset, each.pair, each.segment),
    )
    faults = [
        Fault(each.file, each.line, "has no raw score, which DARR needs; leave out --raw")
        for members in by_segment.values()
        for each in members
        if raw and each.raw is None
    ]
    if faults:
        raise DataError(faults)
    possible = sum(math.comb(len(members), 2) for members in by_segment.values())
    if possible > MOST_PAIRS:
        raise SpecError(
            f"the ratings make {possible:,} pairs of translations of the same segment, more than "
            f"{MOST_PAIRS:,}; convert them in parts"
        )
    pairs = []
    for members in by_segment.values():
        for first, second in itertools.combinations(members, 2):
            gap = _number(first, raw) - _number(second, raw)
            if abs(gap) >= minimum_gap:
                better, worse = (first, second) if gap >= 0 else (second, first)
                pairs.append(_pair_of(better, worse, tie=gap == 0))
    return pairs


def mean_ratings(ratings: Iterable[Rating]) -> list[Rating]:
    """One rating for each translation: the mean over its judges, its counts added.

    >>> two = [Rating("t", "de-en", "a", 1, 60.0, judge="x"), Rating("t", "de-en", "a", 1, 80.0)]
    >>> [(r.score, r.count, r.judge) for r in mean_ratings(two)]
    [(70.0, 2, None)]
    """
    by_output = _group(
        ratings, lambda each: (each.testset, each.pair, each.system, each.segment, human_of(each))
    )
    return [members[0] if len(members) == 1 else _mean(members) for members in by_output.values()]


def standardise(ratings: Iterable[Rating]) -> list[Rating]:
    """The ratings as z-scores: minus the judge's mean, divided by the judge's deviation.

    The original score goes to `raw`. A judge with a single rating, or with equal ratings,
    has no scale; that is an error, because leaving the judge out would silently drop judgements.
    """
    records = list(ratings)
    by_judge = _group(records, lambda each: each.judge)
    faults = []
    scale: dict[str | None, tuple[float, float]] = {}
    for judge, members in by_judge.items():
        scores = [each.score for each in members]
        spread = statistics.stdev(scores) if len(scores) > 1 else 0.0
        if spread == 0.0:
            same = "one rating only" if len(scores) == 1 else f"{len(scores)} equal ratings"
            faults.append(
                Fault(
                    members[0].file,
                    members[0].line,
                    f"{_name_pairs(judge)} has {same} and so no scale to standardise by; "
                    "leave the judge out or use the scores as they are",
                )
            )
        scale[judge] = (statistics.fmean(scores), spread)
    if faults:
        raise DataError(faults)
    return [
        dataclasses.replace(
            each, score=(each.score - scale[each.judge][0]) / scale[each.judge][1], raw=each.score
        )
        for each in records
    ]


def _name_pairs(judge: str | None) -> str:
    return "the unnamed judge" if judge is None else f'judge "{judge}"'


def _preference(ranking: Ranking, i: int, j: int) -> Preference:
    if ranking.ranks[j] < ranking.ranks[i]:
        i, j = j, i
    return Preference(
        ranking.testset,
        ranking.pair,
        ranking.segment,
        ranking.systems[i],
        ranking.systems[j],
        tie=ranking.ranks[i] == ranking.ranks[j],
        judge=ranking.judge,
        weight=ranking.weight,
        file=ranking.file,
        line=ranking.line,
    )


def _pair_of(better: Rating, worse: Rating, *, tie: bool) -> Preference:
    assert better.segment is not None  # noqa: S101 - only segment ratings come here
    return Preference(
        better.testset,
        better.pair,
        better.segment,
        better.system,
        worse.system,
        tie=tie,
        file=better.file,
        line=better.line,
    )


def _mean(members: list[Rating]) -> Rating:
    raws = [each.raw for each in members if each.raw is not None]
    return dataclasses.replace(
        members[0],
        score=statistics.fmean(each.score for each in members),
        raw=statistics.fmean(raws) if len(raws) == len(members) else None,
        count=sum(each.count for each in members),
        judge=None,
        extra=members[0].extra if len({each.extra for each in members}) == 1 else (),
    )


def human_of(rating: Rating) -> str:
    """Which human score this is, where a test set has several (mt-metrics-eval)."""
    return dict(rating.extra).get("human", "")


def _number(rating: Rating, raw: bool) -> float:
    return rating.raw if raw and rating.raw is not None else rating.score


def _group(records: Iterable[Rating], key: Callable[[Rating], Key]) -> dict[Key, list[Rating]]:
    groups: dict[Key, list[Rating]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups

"""Judged pairs joined again into the screens they came from.

WMT's judges rank five translations of a segment on a screen. Files of pairs list a screen's pairs
one after the other, without ties. As long as a file keeps that order, screens can be
separated: another segment, a sixth translation or a repeated pair starts a new
one. Translations without a pair between them were tied. What is lost is how the ranks 1 to 5 were
spread over the levels of an order; see `expected_ranks`.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from concordant.records import Ranking

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from concordant.records import Preference

SIZE = 5
# How many translations a level of an order has, from the best level to the worst.
Levels = tuple[int, ...]


@dataclass(frozen=True)
class Screens:
    """Screens as rankings, whose ranks count levels from 1, and how many were no order."""

    rankings: tuple[Ranking, ...]
    disordered: int


def screens_of_pairs(preferences: Iterable[Preference]) -> Screens:
    """The screens of judged pairs without ties, in the order of the pairs.

    >>> from concordant.records import Preference
    >>> pairs = [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c")]
    >>> screens = screens_of_pairs(Preference("t", "de-en", 1, *pair) for pair in pairs)
    >>> [(each.systems, each.ranks) for each in screens.rankings]
    [(('a', 'b', 'c'), (1, 2, 2)), (('b', 'a', 'c'), (1, 2, 2))]
    """
    found, disordered = [], 0
    for screen in _cut(preferences):
        ranking = _ranking(screen)
        if ranking is None:
            disordered += 1
        else:
            found.append(ranking)
    return Screens(tuple(found), disordered)


def with_ties(preferences: Iterable[Preference]) -> list[Preference]:
    """Judged pairs without ties, and after those of a screen the ties that belong to it.

    Pairs that are not an order stay as they are. A screen where all were tied has left no
    trace.

    >>> from concordant.records import Preference
    >>> judged = with_ties(Preference("t", "de-en", 1, *pair) for pair in ("ab", "ac"))
    >>> [(each.better, each.worse, each.tie) for each in judged]
    [('a', 'b', False), ('a', 'c', False), ('b', 'c', True)]
    """
    found: list[Preference] = []
    for screen in _cut(preferences):
        found += screen
        ranking = _ranking(screen)
        if ranking is None:
            continue
        placed = zip(ranking.systems, ranking.ranks, strict=True)
        found += [
            replace(screen[0], better=one, worse=other, tie=True)
            for (one, its), (other, others) in itertools.combinations(placed, 2)
            if its == others
        ]
    return found


def joined_screens(rankings: Iterable[Ranking]) -> list[Ranking]:
    """Rankings that were cut from one screen (their `group`) as one; others stay as they are.

    >>> cut = [Ranking("t", "p", 1, ("a", b), (1, 2), "judge", "7") for b in "bc"]
    >>> [(each.systems, each.ranks) for each in joined_screens(cut)]
    [(('a', 'b', 'c'), (1, 2, 2))]
    """
    groups: dict[object, list[Ranking]] = {}
    for number, each in enumerate(rankings):
        place = each.testset, each.pair, each.segment, each.judge, each.group
        groups.setdefault(number if each.group is None else place, []).append(each)
    whole = []
    for members in groups.values():
        ranks: dict[str, int] = {}
        for each in members:
            ranks |= dict(zip(each.systems, each.ranks, strict=True))
        whole.append(replace(members[0], systems=tuple(ranks), ranks=tuple(ranks.values())))
    return whole


def levels_of(ranks: Sequence[float]) -> tuple[Levels, list[int]]:
    """How many translations each level has, best first, and the level of each translation from 0.

    >>> levels_of((4, 2, 4))
    ((1, 2), [1, 0, 1])
    """
    distinct = sorted(set(ranks))
    level = [distinct.index(rank) for rank in ranks]
    return tuple(level.count(i) for i in range(len(distinct))), level


def expected_ranks(rankings: Iterable[Ranking]) -> dict[Levels, tuple[float, ...]]:
    """The mean rank that judges gave each level of an order, for every order that occurs.

    >>> ranked = [Ranking("t", "p", 1, ("a", "b"), ranks) for ranks in ((1, 5), (2, 3))]
    >>> expected_ranks(ranked)
    {(1, 1): (1.5, 4.0)}
    """
    sums: dict[Levels, list[float]] = {}
    counts: dict[Levels, int] = {}
    for each in rankings:
        levels, _ = levels_of(each.ranks)
        known = sums.setdefault(levels, [0.0] * len(levels))
        counts[levels] = counts.get(levels, 0) + 1
        for i, rank in enumerate(sorted(set(each.ranks))):
            known[i] += rank
    return {levels: tuple(s / counts[levels] for s in total) for levels, total in sums.items()}


def spread_ranks(
    ranking: Ranking, expected: Mapping[Levels, tuple[float, ...]]
) -> tuple[float, ...]:
    """Ranks for the levels of an order: as judges spread them, else the mean of the places.

    >>> spread_ranks(Ranking("t", "p", 1, ("a", "b", "c"), (1, 2, 2)), {})
    (1.0, 2.5, 2.5)
    """
    levels, level = levels_of(ranking.ranks)
    if levels in expected:
        return tuple(expected[levels][i] for i in level)
    ends = list(itertools.accumulate(levels))
    return tuple(ends[i] - (levels[i] - 1) / 2 for i in level)


def _cut(preferences: Iterable[Preference]) -> list[list[Preference]]:
    screens: list[list[Preference]] = []
    names: set[str] = set()
    seen: set[frozenset[str]] = set()
    place: object = None
    for each in preferences:
        pair = frozenset((each.better, each.worse))
        here = each.testset, each.pair, each.segment, each.judge, each.file
        if here != place or pair in seen or len(names | pair) > SIZE:
            names, seen, place = set(), set(), here
            screens.append([])
        names |= pair
        seen.add(pair)
        screens[-1].append(each)
    return screens


def _ranking(screen: Sequence[Preference]) -> Ranking | None:
    """The ranking of a screen's pairs; None where no order with ties has just these pairs."""
    systems = list(dict.fromkeys(name for each in screen for name in (each.better, each.worse)))
    losses = dict.fromkeys(systems, 0)
    for each in screen:
        losses[each.worse] += 1
    steps = sorted(set(losses.values()))
    rank = {name: steps.index(count) + 1 for name, count in losses.items()}
    strict = sum(rank[a] != rank[b] for a, b in itertools.combinations(systems, 2))
    if strict != len(screen) or any(rank[each.better] >= rank[each.worse] for each in screen):
        return None
    first = screen[0]
    return Ranking(
        first.testset, first.pair, first.segment, tuple(systems), tuple(rank.values()),
        first.judge, None, first.file, first.line,
    )  # fmt: skip

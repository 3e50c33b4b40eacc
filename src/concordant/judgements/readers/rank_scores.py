"""Similarity scores from rankings: Gupta et al. 2015, §5.

A rank that a translation gets many times is reliable: 6 minus its mean rank, from 1 to
5, is its similarity to the reference. A translation whose ranks vary too much is noise and left
out. Algorithm 1 finds the limit for each number of ranks: the largest variance
at which the scores of the kept translations still agree with the judgements.

A translation is its text: several systems with the same text for the same segment are
ranked together.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError
from concordant.judgements.readers.screens import (
    expected_ranks,
    joined_screens,
    screens_of_pairs,
    spread_ranks,
)
from concordant.records import Rating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from concordant.records import Collection, Ranking, TestSet

    Text = tuple[str, int, str]  # test set, segment, text
    Screen = tuple[Ranking, tuple[float, ...]]

WORST = 5
GROUPS = (3, 4, 5, 6, 7, 8)  # numbers of ranks; the last stands for itself and all above
FIRST, STEP, AGREED = 0.25, 0.05, 0.78


@dataclass(frozen=True)
class RankScore:
    """A translation with the mean and the variance of its ranks; `score` is 1 to 5, 5 best.

    `pair` and `system` are of the first translation that had this text.
    """

    testset: str
    pair: str
    segment: int
    system: str
    ranks: tuple[float, ...]

    @property
    def score(self) -> float:
        """How close it is to its reference: 6 minus the mean rank."""
        return WORST + 1 - sum(self.ranks) / len(self.ranks)

    @property
    def variance(self) -> float:
        """The variance of its ranks (the mean square of their distance from the mean)."""
        mean = sum(self.ranks) / len(self.ranks)
        return sum((rank - mean) ** 2 for rank in self.ranks) / len(self.ranks)

    @property
    def group(self) -> int:
        """The number of its ranks; all from 8 are 8."""
        return min(len(self.ranks), GROUPS[-1])


@dataclass(frozen=True)
class Limit:
    """What Algorithm 1 finds for translations ranked so often; `variance` is -1 for none.

    `tau` is the agreement under it. `kept` of `of` translations lie below.
    """

    ranked: int
    variance: float
    tau: float | None
    kept: int
    of: int


@dataclass(frozen=True)
class RankScores:
    """Translations with their scores, the judged pairs among them (better first), and notes."""

    scores: dict[Text, RankScore]
    pairs: tuple[tuple[Text, Text], ...]
    notes: tuple[str, ...] = ()

    def limits(self) -> dict[int, Limit]:
        """Algorithm 1 for every number of ranks."""
        return {group: self._limit(group) for group in GROUPS}

    def ratings(self, *, fewest: int, limits: Mapping[int, Limit] | None = None) -> list[Rating]:
        """Scores of translations ranked often enough, as ratings; with limits, the agreed ones."""
        return [
            Rating(each.testset, each.pair, each.system, each.segment, each.score,
                   count=len(each.ranks))
            for each in self.scores.values()
            if len(each.ranks) >= fewest
            and (limits is None or each.variance < limits[each.group].variance)
        ]  # fmt: skip

    def _limit(self, group: int) -> Limit:
        mine = {text: each for text, each in self.scores.items() if each.group == group}
        variance = {text: each.variance for text, each in mine.items()}
        score = {text: each.score for text, each in mine.items()}
        gaps = sorted(
            (max(variance[a], variance[b]), 1 if score[a] > score[b] else -1)
            for a, b in self.pairs
            if a in mine and b in mine
        )
        limit, tau = largest_variance(gaps)
        kept = sum(each < limit for each in variance.values())
        return Limit(group, limit, tau, kept, len(mine))


def rank_scores(collection: Collection) -> RankScores:
    """The scores of all ranked translations of a collection, which must have their texts.

    Rankings are taken as they are. Of a test set and language pair that has none, judged pairs are
    put together to rankings.
    """
    ranked = joined_screens(collection.rankings)
    expected = expected_ranks(collection.rankings)
    have = {(each.testset, each.pair) for each in ranked}
    others = [p for p in collection.preferences if (p.testset, p.pair) not in have and not p.tie]
    cut = screens_of_pairs(others)
    screens: list[Screen] = [(each, tuple(map(float, each.ranks))) for each in ranked]
    screens += [(each, spread_ranks(each, expected)) for each in cut.rankings]
    if not screens:
        raise ConcordantError("there are no rankings or judged pairs to compute scores from")
    notes = []
    if cut.rankings:
        notes.append(f"{len(others)} judged pairs are joined into {len(cut.rankings)} rankings")
    if cut.disordered:
        notes.append(f"{cut.disordered} groups of judged pairs are not an order and are left out")
    texts = {(each.name, each.pair): each for each in collection.testsets}
    return replace(_gather(screens, texts), notes=tuple(notes))


def with_rank_scores(
    collection: Collection, *, fewest: int = 4, filtered: bool = True
) -> Collection:
    """The collection with scores from its rankings among its ratings, instead of the rankings."""
    found = rank_scores(collection)
    ratings = found.ratings(fewest=fewest, limits=found.limits() if filtered else None)
    kept = "agreed " if filtered else ""
    note = f"{len(ratings)} translations have a score from {fewest} or more {kept}ranks"
    return replace(
        collection,
        rankings=(),
        preferences=(),
        ratings=(*ratings, *collection.ratings),
        notes=(*collection.notes, *found.notes, note),
    )


def largest_variance(pairs: Sequence[tuple[float, int]]) -> tuple[float, float | None]:
    """Algorithm 1: the largest variance, in steps, up to which tau stays at 0.78; -1 if none.

    `pairs` are judged pairs with the larger variance of the two, and +1 where their scores agree
    with the judgement, -1 where not; ordered by variance.

    >>> largest_variance([(0.2, 1)] * 9 + [(0.5, -1), (0.5, -1)])
    (0.5, 1.0)
    """
    agreed, at, step = [0, *itertools.accumulate(sign for _, sign in pairs)], 0, 0
    limit, tau = -1.0, None
    top = pairs[-1][0] if pairs else 0.0
    while True:
        tried = round(FIRST + step * STEP, 10)
        while at < len(pairs) and pairs[at][0] < tried:
            at += 1
        found = agreed[at] / at if at else None
        if found is not None and found < AGREED:
            return limit, tau
        if found is not None:
            limit, tau = tried, found
        if tried > top:
            return limit, tau
        step += 1


def _gather(screens: Iterable[Screen], texts: Mapping[tuple[str, str], TestSet]) -> RankScores:
    """The ranks of every text, one a screen, and the pairs of texts that a screen orders."""
    first: dict[Text, tuple[str, str]] = {}
    ranks: dict[Text, list[float]] = {}
    pairs: list[tuple[Text, Text]] = []
    for ranking, given in screens:
        known = texts.get((ranking.testset, ranking.pair))
        of: dict[Text, float] = {}
        for system, rank in zip(ranking.systems, given, strict=True):
            text = (ranking.testset, ranking.segment, _text(known, ranking, system))
            first.setdefault(text, (ranking.pair, system))
            of.setdefault(text, rank)
        for text, rank in of.items():
            ranks.setdefault(text, []).append(rank)
        pairs += [
            (a, b) if of[a] < of[b] else (b, a)
            for a, b in itertools.combinations(of, 2)
            if of[a] != of[b]
        ]
    scores = {
        text: RankScore(text[0], first[text][0], text[1], first[text][1], tuple(given))
        for text, given in ranks.items()
    }
    return RankScores(scores, tuple(pairs))


def _text(known: TestSet | None, ranking: Ranking, system: str) -> str:
    translations = {} if known is None else known.translations.get(system, {})
    if ranking.segment not in translations:
        raise ConcordantError(
            f"{ranking.file}:{ranking.line}: {system} has no translation of segment "
            f"{ranking.segment} of {ranking.testset} {ranking.pair}; add a folder with the texts"
        )
    return translations[ranking.segment]

"""Judgements → lessons: ratings standardised by test set and language pair, pairs grouped.

A transformer reads a translation once for all the judgements it is in, so that a lesson holds as
many judged pairs as a few translations can have among them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError
from concordant.models.encoder.lessons import Lesson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from concordant.judgements.judged_translations import (
        Floats,
        JudgedPairs,
        RatedTranslations,
    )

MOST = 5  # translations of a lesson


class TextNumbers:
    """A number for every text, in the order in which they are first met."""

    def __init__(self) -> None:
        """No texts yet."""
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """The number of a text; space around it and a byte-order mark are not part of it."""
        return self.numbers.setdefault(text.lstrip("\ufeff").strip(), len(self.numbers))


def standardised(rated: RatedTranslations) -> Floats:
    """Ratings of the rows as deviations from their test set's and language pair's mean.

    NaN where all ratings of one test set and language pair are equal: they teach nothing.
    """
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, row in enumerate(rated.rows):
        groups[rated.places[row][:2]].append(i)
    ratings, found = rated.ratings[rated.rows], np.full(len(rated.rows), np.nan)
    for members in groups.values():
        own = ratings[members]
        if np.ptp(own) > 0:
            found[members] = (own - own.mean()) / own.std()
    return found


def rated_lessons(
    rated: RatedTranslations, gap: float, number: TextNumbers, seed: int
) -> list[Lesson]:
    """Lessons of rated translations; those rated `gap` deviations apart are pairs too."""
    scores = standardised(rated)
    if np.isnan(scores).all():
        raise ConcordantError(
            f"the {len(scores)} ratings to learn from are equal within each test set and language "
            "pair; nothing can be learned from them"
        )
    segments: dict[Any, list[int]] = defaultdict(list)
    for i, row in enumerate(rated.rows):
        if not np.isnan(scores[i]):
            segments[rated.places[row], rated.references[row]].append(i)
    rng, found = np.random.default_rng([seed, 3]), []
    for (place, references), members in segments.items():
        order = rng.permutation(members)
        for part in np.array_split(order, -(-len(order) // MOST)):
            own = scores[part]
            better, worse = np.nonzero(own[:, None] - own[None, :] >= gap)
            found.append(
                Lesson(
                    tuple(number(each) for each in references),
                    tuple(number(rated.translations[rated.rows[i]]) for i in part),
                    tuple(own.tolist()),
                    tuple(zip(better.tolist(), worse.tolist(), strict=True)),
                    "/".join(map(str, place)),
                )
            )
    return found


def paired_lessons(pairs: JudgedPairs, number: TextNumbers) -> list[Lesson]:
    """Lessons of judged pairs, each pair in one of them."""
    segments: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for better, worse in zip(pairs.better.tolist(), pairs.worse.tolist(), strict=True):
        segments[pairs.places[better], pairs.references[better]].append((better, worse))
    found = []
    for (place, references), judged in segments.items():
        for members, inside in grouped(judged):
            at = {row: i for i, row in enumerate(members)}
            found.append(
                Lesson(
                    tuple(number(each) for each in references),
                    tuple(number(pairs.translations[row]) for row in members),
                    None,
                    tuple((at[better], at[worse]) for better, worse in inside),
                    "/".join(map(str, place)),
                )
            )
    return found


def grouped(
    judged: Iterable[tuple[int, int]],
) -> Iterator[tuple[list[int], list[tuple[int, int]]]]:
    """Groups of up to MOST things that hold every pair once, many pairs to a group.

    >>> [inside for _, inside in grouped([(1, 2), (3, 4), (2, 3)])]
    [[(1, 2), (2, 3), (3, 4)]]
    """
    left = set(judged)
    while left:
        degree = Counter(row for pair in left for row in pair)
        group = [max(degree, key=lambda row: (degree[row], -row))]
        while len(group) < MOST and (near := _neighbours(left, group)):
            group.append(max(near, key=lambda row: (near[row], -row)))
        inside = sorted(pair for pair in left if pair[0] in group and pair[1] in group)
        left -= set(inside)
        yield sorted({row for pair in inside for row in pair}), inside


def _neighbours(pairs: Iterable[tuple[int, int]], group: Sequence[int]) -> Counter[int]:
    """How many pairs each thing outside a group has with those inside."""
    near: Counter[int] = Counter()
    for better, worse in pairs:
        if (better in group) != (worse in group):
            near[worse if better in group else better] += 1
    return near

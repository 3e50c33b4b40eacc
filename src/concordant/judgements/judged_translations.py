"""Judged translations with their texts: judged pairs of them, or a rating for each.

Every trainer begins with one of the two. Both are split by segment and prepared in the same way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]
    Bools = npt.NDArray[np.bool_]


Judged = TypeVar("Judged", bound="JudgedTranslations")


@dataclass(frozen=True)
class JudgedTranslations(ABC):
    """Translations and references; `places` names each one's language pair, test set, segment."""

    translations: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    sources: tuple[str, ...]
    places: tuple[tuple[str, str, int], ...]

    THINGS: ClassVar[str]  # what is judged, in words: pairs, rated translations

    @property
    @abstractmethod
    def notes(self) -> tuple[str, ...]:
        """What was left out, in words."""

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    @abstractmethod
    def output(self) -> Ints:
        """The row of a translation of each judgement, which tells its segment."""

    @property
    @abstractmethod
    def judged(self) -> Ints:
        """The rows of all translations that are judged."""

    @abstractmethod
    def numbers(self) -> tuple[np.ndarray, ...]:
        """The judgements as arrays."""

    @abstractmethod
    def take(self: Judged, rows: Ints) -> Judged:
        """Some of the judgements, with all translations still there."""

    @abstractmethod
    def side(self: Judged, rows: Ints, own: Ints) -> Judged:
        """Some of the judgements, and the translations that are of their side of a split."""

    @property
    def segment(self) -> Ints:
        """A number for each judgement that is the same for those of one segment."""
        number: dict[tuple[str, int], int] = {}
        by_output = [number.setdefault((t, s), len(number)) for _, t, s in self.places]
        return np.array(by_output, dtype=np.int64)[self.output]

    @property
    def language_pair(self) -> list[str]:
        """The language pair of each judgement."""
        return [self.places[i][0] for i in self.output]

    def by_test_set(self) -> dict[tuple[str, str], list[int]]:
        """The translations of each language pair and test set."""
        groups: dict[tuple[str, str], list[int]] = {}
        for i, (pair, testset, _) in enumerate(self.places):
            groups.setdefault((pair, testset), []).append(i)
        return groups


@dataclass(frozen=True)
class JudgedPairs(JudgedTranslations):
    """Pairs of translations (rows of them), the better one first.

    `weight` is how often a pair was judged so. `notes` say what was left out. Where ties were asked
    for, `tie` says which pairs are tied. `ratings` are people's of each translation, where
    there are any (NaN for others). `own` are the translations of this side, None for all.
    """

    better: Ints
    worse: Ints
    weight: Floats
    notes: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    tie: Bools | None = None
    ratings: Floats | None = None
    own: Ints | None = None

    THINGS: ClassVar[str] = "pairs"

    def __len__(self) -> int:
        return len(self.better)

    @property
    def output(self) -> Ints:
        """The row of one translation of each pair, which tells its segment."""
        return self.better

    @property
    def judged(self) -> Ints:
        """The rows of all translations that are in a pair."""
        return np.unique(np.concatenate([self.better, self.worse]))

    def numbers(self) -> tuple[np.ndarray, ...]:
        """The judgements as arrays: what makes one set of pairs another."""
        return self.better, self.worse, self.weight

    def majority(self) -> JudgedPairs:
        """Every pair once, as most judgements have it; pairs with as many for as against go."""
        votes = count_votes(zip(self.better, self.worse, self.weight, strict=True))
        decided = [(a, b) if vote > 0 else (b, a) for (a, b), vote in votes.items() if vote]
        if not decided:
            raise ConcordantError("no pair has a majority of judgements; nothing to learn")
        better, worse = np.array(decided, dtype=np.int64).T
        return replace(self, better=better, worse=worse, weight=np.ones(len(better)))

    def take(self, rows: Ints) -> JudgedPairs:
        """Some of the pairs, with all translations still there."""
        return replace(
            self,
            better=self.better[rows],
            worse=self.worse[rows],
            weight=self.weight[rows],
            tie=None if self.tie is None else self.tie[rows],
        )

    def side(self, rows: Ints, own: Ints) -> JudgedPairs:
        """Some of the pairs, and the translations that are of their side of a split."""
        return replace(self.take(rows), own=own)


@dataclass(frozen=True)
class RatedTranslations(JudgedTranslations):
    """Rated translations: `ratings` has one number for each, the mean over judges.

    `output` are the rows of those that are of this side of a split. `count` is of how many
    judgements a rating is the mean.
    """

    ratings: Floats
    count: Floats
    rows: Ints
    notes: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()

    THINGS: ClassVar[str] = "rated translations"

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def output(self) -> Ints:
        """The row of each rated translation."""
        return self.rows

    @property
    def judged(self) -> Ints:
        """The same rows: every translation here is rated."""
        return self.rows

    @property
    def group(self) -> Ints:
        """A number for each rated translation that is the same for those of one reference.

        Test sets of several language pairs share references; translations of one must not be
        on both the training and the test side.
        """
        number: dict[object, int] = {}
        keys = [self.references[i] or self.places[i][1:] for i in self.rows]
        return np.array([number.setdefault(key, len(number)) for key in keys], dtype=np.int64)

    def numbers(self) -> tuple[np.ndarray, ...]:
        """The judgements as arrays."""
        return self.rows, self.ratings, self.count

    def take(self, rows: Ints) -> RatedTranslations:
        """Some of the rated translations, with the texts of all still there."""
        return replace(self, rows=self.rows[rows])

    def side(self, rows: Ints, own: Ints) -> RatedTranslations:  # noqa: ARG002 - its translations are its rows
        """Some of the rated translations: a side of a split."""
        return self.take(rows)


def count_votes(pairs: Iterable[tuple[int, int, float]]) -> dict[tuple[int, int], float]:
    """For each pair, how often the one with the lower number was judged better, net."""
    votes: dict[tuple[int, int], float] = {}
    for better, worse, weight in pairs:
        key, sign = ((better, worse), 1) if better < worse else ((worse, better), -1)
        votes[key] = votes.get(key, 0.0) + sign * weight
    return votes

"""What an encoder learns from, as arrays, and the order in which it is read.

A lesson is a segment: references, a few translations, people's ratings where there are, and pairs
of its translations of which people prefer the first. The order follows from the seed and the number
of the step alone, so that an interrupted training goes on as if nothing had happened.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Ints = np.ndarray
    Floats = np.ndarray

STEPS_IN_A_POOL = 8
MARKS = 3


@dataclass(frozen=True, repr=False)
class Lesson(Brief):
    """One segment. `pairs` are (better, worse) by the numbers of translations."""

    references: tuple[int, ...]
    translations: tuple[int, ...]
    ratings: tuple[float, ...] | None = None
    pairs: tuple[tuple[int, int], ...] = ()
    segment: str = ""


@dataclass(frozen=True, repr=False)
class Source(Brief):
    """Lessons of one origin, and how much each of their translations counts.

    `share` is the part of all translations that are of this source, `rating` and `pair` weigh the
    two losses.
    """

    name: str
    lessons: Sequence[Lesson]
    share: float
    rating: float = 1.0
    pair: float = 1.0

    @property
    def size(self) -> float:
        """The mean number of translations of a lesson."""
        return sum(len(each.translations) for each in self.lessons) / len(self.lessons)


@dataclass(frozen=True, repr=False)
class Chunk(Brief):
    """Translations that are read together: texts by number, and what people say of them.

    `rating_weight` is 0 where there is no rating. Pairs are by rows of this chunk.
    """

    translations: Ints
    references: Ints
    ratings: Floats
    rating_weight: Floats
    better: Ints
    worse: Ints
    pair_weight: Floats


@dataclass(frozen=True, repr=False)
class Curriculum(Brief):
    """The sources, the lengths of the texts, and what makes a batch.

    `batch` is the number of translations of a step, about; `tokens` the most in a chunk.
    """

    sources: tuple[Source, ...]
    lengths: Ints
    seed: int
    batch: int
    tokens: int
    _kept: dict[int, list[list[Chunk]]] = field(default_factory=dict)

    def rates(self) -> Floats:
        """Lessons of each source in a pool."""
        shares = np.array([each.share for each in self.sources])
        sizes = np.array([each.size for each in self.sources])
        return np.asarray(shares / shares.sum() * self.batch * STEPS_IN_A_POOL / sizes)

    def step(self, number: int) -> list[Chunk]:
        """The chunks of a step."""
        pool, within = divmod(number, STEPS_IN_A_POOL)
        if pool not in self._kept:
            self._kept.clear()
            self._kept[pool] = self.pool(pool)
        return self._kept[pool][within]

    def pool(self, number: int) -> list[list[Chunk]]:
        """The chunks of STEPS_IN_A_POOL steps: lessons of about the same length are together."""
        rng = np.random.default_rng([self.seed, 1, number])
        drawn = [each for k in range(len(self.sources)) for each in self._drawn(k, number, rng)]
        drawn.sort(key=lambda each: each[3])
        chunks = list(self._chunks(drawn))
        order = rng.permutation(len(chunks))
        return [[chunks[i] for i in part] for part in np.array_split(order, STEPS_IN_A_POOL)]

    def _drawn(
        self, k: int, pool: int, rng: np.random.Generator
    ) -> Iterator[tuple[Source, Lesson, int, int]]:
        """This pool's lessons of a source, each with the reference that is read and a length."""
        source, rate = self.sources[k], self.rates()[k]
        count = len(source.lessons)
        for i in range(int(rate * pool), int(rate * (pool + 1))):
            lesson = source.lessons[_order(self.seed, k, i // count, count)[i % count]]
            reference = lesson.references[int(rng.integers(len(lesson.references)))]
            longest = max(self.lengths[each] for each in lesson.translations)
            yield source, lesson, reference, int(longest + self.lengths[reference]) + MARKS

    def _chunks(self, drawn: Sequence[tuple[Source, Lesson, int, int]]) -> Iterator[Chunk]:
        part: list[tuple[Source, Lesson, int, int]] = []
        rows = 0
        for each in drawn:
            more = len(each[1].translations)
            if part and (rows + more) * each[3] > self.tokens:
                yield _chunk(part)
                part, rows = [], 0
            part.append(each)
            rows += more
        if part:
            yield _chunk(part)


@lru_cache(64)
def _order(seed: int, source: int, epoch: int, count: int) -> Ints:
    """The order of an epoch of a source."""
    return np.random.default_rng([seed, source, epoch, 2]).permutation(count)


def _chunk(part: Sequence[tuple[Source, Lesson, int, int]]) -> Chunk:
    translations: list[int] = []
    references: list[int] = []
    ratings: list[float] = []
    weights: list[float] = []
    pairs: list[tuple[int, int, float]] = []
    for source, lesson, reference, _ in part:
        at, count = len(translations), len(lesson.translations)
        translations += lesson.translations
        references += [reference] * count
        found = lesson.ratings
        ratings += [0.0] * count if found is None else found
        weights += [0.0 if found is None else source.rating] * count
        each = source.pair * count / (2 * max(len(lesson.pairs), 1))
        pairs += [(at + better, at + worse, each) for better, worse in lesson.pairs]
    return Chunk(
        np.array(translations),
        np.array(references),
        np.array(ratings, dtype=np.float32),
        np.array(weights, dtype=np.float32),
        np.array([p[0] for p in pairs], dtype=np.int64),
        np.array([p[1] for p in pairs], dtype=np.int64),
        np.array([p[2] for p in pairs], dtype=np.float32),
    )


def shares_by_source(course: Curriculum) -> Mapping[str, float]:
    """Passes over each source in a hundred steps."""
    rates = course.rates() * 100 / STEPS_IN_A_POOL
    counts = [len(each.lessons) for each in course.sources]
    return {
        each.name: float(rate / count)
        for each, rate, count in zip(course.sources, rates, counts, strict=True)
    }

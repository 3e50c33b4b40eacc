"""Judgements and texts → judged pairs of outputs, ready for features: where training begins.

Rankings, preferences and ratings all become pairs here. What teaches nothing is left out and
counted: ties, and pairs of the same text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from concordant.errors import ConcordantError
from concordant.judgements.conversion import (
    mean_ratings,
    preferences_of_rankings,
    preferences_of_ratings,
)
from concordant.training.judged_outputs import (
    JudgedOutputs,
    rated_segments,
    references_of,
    refuse_missing,
    wanted,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from concordant.records import Collection, Preference, Rating, TestSet

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]
    Bools = npt.NDArray[np.bool_]


KINDS = ("rankings", "preferences", "ratings")


@dataclass(frozen=True)
class JudgedPairs(JudgedOutputs):
    """Pairs of outputs (rows of them), the better one first.

    `weight` is how often a pair was judged so. `notes` say what was left out. Where ties were asked
    for, `tie` says which pairs are tied, in no order. `ratings` are people's of each output, where
    there are any (NaN for others). `own` are the outputs of this side of a split, None for all.
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
        """The row of one output of each pair, which tells its segment."""
        return self.better

    @property
    def judged(self) -> Ints:
        """The rows of all outputs that are in a pair."""
        return np.unique(np.concatenate([self.better, self.worse]))

    def numbers(self) -> tuple[np.ndarray, ...]:
        """The judgements as arrays: what makes one set of pairs another."""
        return self.better, self.worse, self.weight

    def majority(self) -> JudgedPairs:
        """Every pair once, as most judgements have it; pairs with as many for as against go."""
        votes = _votes(zip(self.better, self.worse, self.weight, strict=True))
        decided = [(a, b) if vote > 0 else (b, a) for (a, b), vote in votes.items() if vote]
        if not decided:
            raise ConcordantError("every pair has as many judgements for as against it")
        better, worse = np.array(decided, dtype=np.int64).T
        return replace(self, better=better, worse=worse, weight=np.ones(len(better)))

    def take(self, rows: Ints) -> JudgedPairs:
        """Some of the pairs, with all outputs still there."""
        return replace(
            self,
            better=self.better[rows],
            worse=self.worse[rows],
            weight=self.weight[rows],
            tie=None if self.tie is None else self.tie[rows],
        )

    def side(self, rows: Ints, own: Ints) -> JudgedPairs:
        """Some of the pairs, and the outputs that are of their side of a split."""
        return replace(self.take(rows), own=own)


def judged_pairs(
    collection: Collection,
    *,
    language_pairs: Sequence[str] = (),
    minimum_gap: float = 0.0,
    kind: str = "all",
    human: str = "",
    needs: Sequence[str] = ("reference",),
    equal_texts: bool = False,
    ties: bool = False,
) -> JudgedPairs:
    """The judged pairs of a collection, of the language pairs that the patterns choose.

    `kind` chooses among rankings, preferences and ratings, `human` among several human scores of
    one test set. `needs` says what a segment must have: a reference, a source, both or none. Pairs
    of two equal texts are only kept with `equal_texts`: no metric can tell them apart. Ties are
    only kept with `ties`.
    """
    if kind != "all":
        others = {name: () for name in KINDS if name != kind}
        collection = replace(collection, **others)
    every = _preferences(collection, minimum_gap, human)
    records = [each for each in every if wanted(each, language_pairs)]
    if not records:
        raise ConcordantError(_nothing(every, language_pairs, minimum_gap))
    decided = [each for each in records if not each.tie]
    if not decided:
        raise ConcordantError(
            f"all {len(records)} judgements are ties; there is nothing to learn from"
        )
    texts = {(each.name, each.pair): each for each in collection.testsets}
    kept = records if ties else decided
    refuse_missing(((p, p.segment, (p.better, p.worse)) for p in kept), texts, needs)
    pairs = _assembled(kept, texts, len(records) - len(kept), equal_texts)
    rated = _ratings(pairs, rated_segments(collection, human))
    return replace(pairs, ratings=rated, notes=(*_kinds(collection), *pairs.notes))


def _kinds(collection: Collection) -> list[str]:
    """A note where several kinds of judgement, perhaps the same ones, are taken together."""
    present = [name for name in KINDS if getattr(collection, name)]
    words = f"{' and '.join(present)} are taken together; data.kind chooses one of them"
    return [words] if len(present) > 1 else []


def _preferences(collection: Collection, minimum_gap: float, human: str) -> list[Preference]:
    return [
        *collection.preferences,
        *preferences_of_rankings(collection.rankings),
        *preferences_of_ratings(rated_segments(collection, human), minimum_gap=minimum_gap),
    ]


def _ratings(pairs: JudgedPairs, rated: Sequence[Rating]) -> Floats | None:
    """People's rating of each output, the mean over judges; None where nothing is rated."""
    if not rated:
        return None
    scores = {
        (each.pair, each.testset, each.segment, each.system): each.score
        for each in mean_ratings(rated)
    }
    outputs = zip(pairs.places, pairs.systems, strict=True)
    return np.array([scores.get((*place, system), np.nan) for place, system in outputs])


def _nothing(every: Sequence[Preference], patterns: Sequence[str], minimum_gap: float) -> str:
    if every:
        there = ", ".join(sorted({each.pair or "unnamed" for each in every}))
        return f"no judgement is of {', '.join(patterns)}; there are {there}"
    apart = f" that are rated {minimum_gap:g} apart" if minimum_gap else ""
    return f"there are no judgements that compare two outputs of a segment{apart}"


def _assembled(
    records: Sequence[Preference],
    texts: dict[tuple[str, str], TestSet],
    ties: int,
    equal_texts: bool,
) -> JudgedPairs:
    index: dict[tuple[str, str, str, int], int] = {}
    hypotheses: list[str] = []
    references: list[tuple[str, ...]] = []
    sources: list[str] = []
    places: list[tuple[str, str, int]] = []
    systems: list[str] = []

    def row(record: Preference, system: str) -> int:
        key = (record.testset, record.pair, system, record.segment)
        if key not in index:
            index[key] = len(index)
            found = texts[record.testset, record.pair]
            hypotheses.append(found.outputs[system][record.segment])
            references.append(references_of(found, record.segment))
            sources.append(found.source.get(record.segment, ""))
            places.append((record.pair, record.testset, record.segment))
            systems.append(system)
        return index[key]

    pairs = [
        (row(each, each.better), row(each, each.worse), each.count, each.tie) for each in records
    ]
    kept = [p for p in pairs if equal_texts or hypotheses[p[0]] != hypotheses[p[1]]]
    decided = [(better, worse, count) for better, worse, count, tie in kept if not tie]
    if not decided:
        raise ConcordantError("every judged pair is of two equal texts; nothing can be learned")
    return JudgedPairs(
        tuple(hypotheses),
        tuple(references),
        tuple(sources),
        tuple(places),
        np.array([better for better, _, _, _ in kept], dtype=np.int64),
        np.array([worse for _, worse, _, _ in kept], dtype=np.int64),
        np.array([count for _, _, count, _ in kept], dtype=np.float64),
        tuple(_notes(decided, ties, len(pairs) - len(kept))),
        tuple(systems),
        np.array([tie for _, _, _, tie in kept]) if len(decided) < len(kept) else None,
    )


def _votes(pairs: Iterable[tuple[int, int, float]]) -> dict[tuple[int, int], float]:
    """For each two outputs, how often the one with the lower number was judged better, in sum."""
    votes: dict[tuple[int, int], float] = {}
    for better, worse, weight in pairs:
        key, sign = ((better, worse), 1) if better < worse else ((worse, better), -1)
        votes[key] = votes.get(key, 0.0) + sign * weight
    return votes


def _notes(pairs: Sequence[tuple[int, int, int]], ties: int, same: int) -> list[str]:
    seen = {(better, worse) for better, worse, _ in pairs}
    opposed = sum((worse, better) in seen for better, worse, _ in pairs)
    if not any(_votes(pairs).values()):
        raise ConcordantError(
            f"all {len(pairs)} judgements contradict each other: every pair was judged as often "
            "one way as the other"
        )
    notes = []
    if ties:
        notes.append(f"{ties} ties are left out")
    if same:
        notes.append(f"{same} judgements of two equal texts are left out")
    if opposed:
        notes.append(f"{opposed} of {len(pairs)} judgements are contradicted by another one")
    return notes

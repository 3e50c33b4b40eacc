"""Ratings and texts → rated outputs: where training by regression begins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from concordant.errors import ConcordantError
from concordant.judgements.conversion import mean_ratings
from concordant.training.judged_outputs import (
    JudgedOutputs,
    rated_segments,
    references_of,
    refuse_missing,
    wanted,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from concordant.records import Collection, Rating

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RatedTexts(JudgedOutputs):
    """Outputs that people gave a number: `ratings` has one for every output, the mean over judges.

    `output` are the rows of those that are of this side of a split. `count` is of how many
    judgements a rating is the mean.
    """

    ratings: Floats
    count: Floats
    rows: Ints
    notes: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()

    THINGS: ClassVar[str] = "rated outputs"

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def output(self) -> Ints:
        """The row of each rated output."""
        return self.rows

    @property
    def judged(self) -> Ints:
        """The same rows: every output here is rated."""
        return self.rows

    @property
    def group(self) -> Ints:
        """A number for each rated output that is the same for those of one reference.

        Test sets of several language pairs share references; outputs of the same one must not be
        trained and tested on at once.
        """
        number: dict[object, int] = {}
        keys = [self.references[i] or self.places[i][1:] for i in self.rows]
        return np.array([number.setdefault(key, len(number)) for key in keys], dtype=np.int64)

    def numbers(self) -> tuple[np.ndarray, ...]:
        """The judgements as arrays."""
        return self.rows, self.ratings, self.count

    def take(self, rows: Ints) -> RatedTexts:
        """Some of the rated outputs, with the texts of all still there."""
        return replace(self, rows=self.rows[rows])

    def side(self, rows: Ints, own: Ints) -> RatedTexts:  # noqa: ARG002 - its outputs are its rows
        """Some of the rated outputs: a side of a split."""
        return self.take(rows)


def rated_texts(
    collection: Collection,
    *,
    language_pairs: Sequence[str] = (),
    human: str = "",
    needs: Sequence[str] = ("reference",),
) -> RatedTexts:
    """The rated outputs of a collection, of the language pairs that the patterns choose.

    `human` chooses among several human scores of one test set, `needs` says what a segment must
    have: a reference, a source, both or none.
    """
    every = rated_segments(collection, human)
    records = mean_ratings(each for each in every if wanted(each, language_pairs))
    if not records:
        raise ConcordantError(_nothing(collection, every, language_pairs))
    texts = {(each.name, each.pair): each for each in collection.testsets}
    segments = [_segment(each) for each in records]
    refuse_missing(
        zip(records, segments, ((each.system,) for each in records), strict=True), texts, needs
    )
    found = [texts[each.testset, each.pair] for each in records]
    places = list(zip(records, segments, found, strict=True))
    scores = np.array([each.score for each in records])
    if np.ptp(scores) == 0:
        raise ConcordantError(
            f"all {len(records)} ratings are {scores[0]:g}; nothing can be learned"
        )
    return RatedTexts(
        tuple(given.outputs[each.system][segment] for each, segment, given in places),
        tuple(references_of(given, segment) for _, segment, given in places),
        tuple(given.source.get(segment, "") for _, segment, given in places),
        tuple((each.pair, each.testset, segment) for each, segment, _ in places),
        scores,
        np.array([each.count for each in records], dtype=np.float64),
        np.arange(len(records)),
        (),
        tuple(each.system for each in records),
    )


def emptied(rated: RatedTexts, share: float, seed: int) -> RatedTexts:
    """Empty outputs of some segments, drawn by the seed, with the lowest rating of all.

    People are seldom shown nothing at all, so ratings do not tell how bad that is.
    """
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(rated.rows, round(share * len(rated)), replace=False))
    return RatedTexts(
        ("",) * len(rows),
        tuple(rated.references[i] for i in rows),
        tuple(rated.sources[i] for i in rows),
        tuple(rated.places[i] for i in rows),
        np.full(len(rows), rated.ratings[rated.rows].min()),
        np.ones(len(rows)),
        np.arange(len(rows)),
    )


def _segment(rating: Rating) -> int:
    assert rating.segment is not None  # noqa: S101 - only ratings of segments come here
    return rating.segment


def _nothing(collection: Collection, every: Sequence[Rating], language_pairs: Sequence[str]) -> str:
    if every:
        there = ", ".join(sorted({each.pair or "unnamed" for each in every}))
        return f"no rating is of {', '.join(language_pairs)}; there are {there}"
    others = [name for name in ("rankings", "preferences") if getattr(collection, name)]
    instead = f", there are {' and '.join(others)}: take a recipe for those" if others else ""
    return f"this model learns from ratings of single outputs, and there are none{instead}"

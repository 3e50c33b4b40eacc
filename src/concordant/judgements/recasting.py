"""What `concordant data convert` can do to a collection's judgements, as one record of options."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from concordant.errors import SpecError
from concordant.judgements.conversion import (
    merge_repeats,
    preferences_of_rankings,
    preferences_of_ratings,
    standardise,
)

if TYPE_CHECKING:
    from concordant.records import Collection

TARGETS = ("records", "preferences")


@dataclass(frozen=True)
class Recasting:
    """As they are ("records") or all as "preferences"; see `concordant data convert --help`."""

    target: str = "records"
    drop_ties: bool = False
    merge_repeats: bool = False
    minimum_gap: float = 0.0
    raw: bool = False
    standardise: bool = False


def recast(collection: Collection, how: Recasting) -> Collection:
    """The collection with its judgements converted; texts and scores stay as they are."""
    if how.target not in TARGETS:
        raise SpecError(f'target "{how.target}" is not one of {", ".join(TARGETS)}')
    ratings = standardise(collection.ratings) if how.standardise else list(collection.ratings)
    if how.target == "records":
        return replace(collection, ratings=tuple(ratings))
    preferences = [
        *preferences_of_rankings(collection.rankings),
        *collection.preferences,
        *preferences_of_ratings(ratings, minimum_gap=how.minimum_gap, raw=how.raw),
    ]
    if how.drop_ties:
        preferences = [each for each in preferences if not each.tie]
    if how.merge_repeats:
        preferences = merge_repeats(preferences)
    return replace(collection, rankings=(), ratings=(), preferences=tuple(preferences))

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
    """The collection with its judgements converted; texts and scores stay as they are.

    What an option left out is counted in a note; that nothing is left is an error.
    """
    _check(collection, how)
    ratings = standardise(collection.ratings) if how.standardise else list(collection.ratings)
    if how.target == "records":
        return replace(collection, ratings=tuple(ratings))
    of_ratings = preferences_of_ratings(ratings, minimum_gap=how.minimum_gap, raw=how.raw)
    every = [
        *preferences_of_rankings(collection.rankings),
        *collection.preferences,
        *of_ratings,
    ]
    kept = [each for each in every if not (how.drop_ties and each.tie)]
    left_out = {
        "ratings of whole systems, which compare no translations": sum(
            each.segment is None for each in ratings
        ),
        "pairs of ratings closer than the minimum gap": (
            len(preferences_of_ratings(ratings)) - len(of_ratings) if how.minimum_gap > 0 else 0
        ),
        "ties": len(every) - len(kept),
    }
    notes = [f"{count} {what} are left out" for what, count in left_out.items() if count]
    if not kept:
        raise SpecError(f"no preference is left ({'; '.join(notes) or 'no two are compared'})")
    preferences = merge_repeats(kept) if how.merge_repeats else kept
    return replace(
        collection,
        rankings=(),
        ratings=(),
        preferences=tuple(preferences),
        notes=(*collection.notes, *notes),
    )


def _check(collection: Collection, how: Recasting) -> None:
    """Raise for options that would have no effect: they hide a mistake."""
    if how.target not in TARGETS:
        raise SpecError(f'target "{how.target}" is not one of {", ".join(TARGETS)}')
    if not (collection.rankings or collection.preferences or collection.ratings):
        raise SpecError("there are no judgements, only texts or scores; give a file of judgements")
    if how.standardise and not collection.ratings:
        raise SpecError("there are no ratings to standardise")
    if how.target == "preferences":
        return
    unused = {
        "--drop-ties": how.drop_ties,
        "--merge-repeats": how.merge_repeats,
        "--minimum-gap": how.minimum_gap != 0,
        "--raw": how.raw,
    }
    for option, given in unused.items():
        if given:
            raise SpecError(f"{option} is for preferences; add --to preferences")

"""Which system wrote a translation that people rated: found by its text.

The files of WMT16's direct assessment name the systems of cs-en alone. The translations of other
pairs can be found among those that WMT16's rankings name, by the reference and the text together:
about one in four, since the rankings are of other segments for the most part. What several systems
wrote alike is a rating of each of them. What is not found is left out, and so are systems with
fewer than five ratings, whose means say nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from concordant.judgements.readers.da_seg import ANY_SYSTEM
from concordant.records import Collection, TestSet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.records import Rating

FEWEST = 5  # ratings that a system must have


def with_systems(rated: Collection, named: Collection) -> Collection:
    """The ratings whose systems are known, under their names, with the texts of these."""
    texts = {(each.name, each.pair): each for each in rated.testsets}
    known = {each.pair: _writers(each) for each in named.testsets}
    ratings: list[Rating] = []
    translations: dict[tuple[str, str], dict[str, dict[int, str]]] = {}
    for rating in rated.ratings:
        if rating.segment is None:
            continue
        place = rating.testset, rating.pair
        text = texts[place].translations[rating.system][rating.segment]
        reference = texts[place].references["reference"][rating.segment]
        key = _plain(reference), _plain(text)
        writers = (
            known.get(rating.pair, {}).get(key, ())
            if rating.system == ANY_SYSTEM
            else (rating.system,)
        )
        for system in writers:
            ratings.append(replace(rating, system=system, extra=()))
            translations.setdefault(place, {}).setdefault(system, {})[rating.segment] = text
    enough = {
        place: {name: given for name, given in systems.items() if len(given) >= FEWEST}
        for place, systems in translations.items()
    }
    testsets = [
        TestSet(name, pair, references=texts[name, pair].references, translations=systems)
        for (name, pair), systems in enough.items()
    ]
    kept = [each for each in ratings if each.system in enough[each.testset, each.pair]]
    return Collection(tuple(testsets), ratings=tuple(kept))


def _writers(texts: TestSet) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The systems that wrote each text for a segment with each reference."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for system, translations in texts.translations.items():
        for segment, text in translations.items():
            for references in texts.references.values():
                key = _plain(references.get(segment, "")), _plain(text)
                found[key] = (*found.get(key, ()), system)
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())

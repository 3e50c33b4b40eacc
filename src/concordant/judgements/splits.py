"""Splits by segment: no segment is on two sides.

The unit is the segment of a test set, in all language pairs at once: WMT's test sets are parallel,
so the same reference would otherwise be on both sides.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.judgements.readers.fields import is_number
from concordant.records import Collection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.records import Preference, Ranking, Rating

Place = tuple[str, int]


def assign_segments(
    places: Sequence[Place], shares: Mapping[str, float], *, seed: int
) -> dict[Place, str]:
    """The side of each (test set, segment), drawn with a seed in the given shares.

    >>> sides = assign_segments([("t", n) for n in range(10)], {"train": 0.8, "dev": 0.2}, seed=1)
    >>> sorted(sides.values()).count("dev")
    2
    """
    if not shares or not all(0 < share < math.inf for share in shares.values()):
        given = ", ".join(f"{name}={share:g}" for name, share in shares.items())
        raise SpecError(f"shares {given} must all be above 0 and finite")
    distinct = sorted(set(places))
    if len(distinct) < len(shares):
        raise SpecError(f"{len(distinct)} segments are too few for {len(shares)} sides")
    bounds = np.cumsum(list(shares.values())) / sum(shares.values()) * len(distinct)
    order = np.random.default_rng(seed).permutation(len(distinct))
    names = list(shares)
    side = np.searchsorted(np.round(bounds), np.arange(len(distinct)), side="right")
    return {distinct[i]: names[side[position]] for position, i in enumerate(order)}


def split_collection(
    collection: Collection, shares: Mapping[str, float], *, seed: int
) -> dict[str, Collection]:
    """Every kind of judgement of a collection split alike; texts and scores are left out."""
    records: list[Ranking | Preference | Rating] = [
        *collection.rankings,
        *collection.preferences,
        *collection.ratings,
    ]
    if not records:
        raise SpecError("there are no judgements, only texts or scores; give a file of judgements")
    if any(record.segment is None for record in records):
        raise SpecError("ratings of whole systems have no segment to split by")
    sides = assign_segments([_place(record) for record in records], shares, seed=seed)
    return {
        name: Collection(
            rankings=tuple(r for r in collection.rankings if sides[_place(r)] == name),
            preferences=tuple(p for p in collection.preferences if sides[_place(p)] == name),
            ratings=tuple(r for r in collection.ratings if sides[_place(r)] == name),
        )
        for name in shares
    }


def parse_shares(text: str) -> dict[str, float]:
    """Sides and shares as written on the command line.

    >>> parse_shares("train=80,dev=20")
    {'train': 80.0, 'dev': 20.0}
    """
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.strip().partition("=")
        if not name or not is_number(share):
            raise SpecError(f'"{part}" is not NAME=SHARE; write for example train=80,dev=20')
        if name in shares:
            raise SpecError(f'side "{name}" is given more than once')
        if "/" in name or name.startswith("."):
            raise SpecError(f'side "{name}" cannot be a file name')
        shares[name] = float(share)
    return shares


def _place(record: Ranking | Preference | Rating) -> Place:
    return record.testset, record.segment or 0

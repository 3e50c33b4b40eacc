"""Judgements → sides that share no segment: training, validation, test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError, SpecError
from concordant.judgements.judged_translations import RatedTranslations
from concordant.judgements.splits import assign_segments

if TYPE_CHECKING:
    from concordant.judgements.judged_translations import Judged, JudgedTranslations

SIDES = ("training", "validation", "test")


def split(judged: Judged, shares: dict[str, float], seed: int) -> dict[str, Judged]:
    """The sides, each with its share of the segments; training has the rest."""
    given = {name: share for name, share in shares.items() if share > 0}
    if sum(given.values()) >= 1:
        raise SpecError("validation.share and test.share leave nothing to train on")
    parts = {"training": 1 - sum(given.values()), **given}
    places = [(testset, segment) for _, testset, segment in judged.places]
    sides = assign_segments(places, parts, seed=seed)
    of_output = np.array([sides[place] for place in places])
    of_judgement = of_output[judged.output]
    return {
        name: judged.side(np.flatnonzero(of_judgement == name), np.flatnonzero(of_output == name))
        for name in SIDES
    }


def leave_out_seen(others: Judged, judged: JudgedTranslations) -> Judged:
    """Those of other judgements that share no segment, by its texts, with the judged ones."""

    def texts(side: JudgedTranslations, row: int) -> tuple[tuple[str, ...], str]:
        return side.references[row], "" if side.references[row] else side.sources[row]

    known = {texts(judged, row) for row in range(len(judged.places))} - {((), "")}
    new = np.array([texts(others, row) not in known for row in range(len(others.places))])
    rows = np.flatnonzero(new[others.output])
    if not len(rows):
        raise ConcordantError(
            "every segment of validation.judgements is in data.judgements too; name others, or "
            "leave it out and a share is kept for validation"
        )
    return others.side(rows, np.flatnonzero(new))


def draw_segments(judged: Judged, most: int, seed: int) -> Judged:
    """The judgements of at most so many segments, drawn by the seed."""
    segments = np.unique(judged.segment)
    if len(segments) <= most:
        return judged
    kept = np.random.default_rng(seed).choice(segments, most, replace=False)
    rows = np.flatnonzero(np.isin(judged.segment, kept))
    places = {judged.places[i][1:] for i in judged.output[rows]}
    own = np.flatnonzero([place[1:] in places for place in judged.places])
    return judged.side(rows, own)


def draw_judgements(judged: Judged, most: int, seed: int) -> Judged:
    """At most so many of the judgements, drawn by the seed."""
    if len(judged) <= most:
        return judged
    rows = np.random.default_rng(seed).choice(len(judged), most, replace=False)
    return judged.take(np.sort(rows))


def draw_empty(rated: RatedTranslations, share: float, seed: int) -> RatedTranslations:
    """Empty translations of some segments, drawn by the seed, with the lowest rating of all.

    People are seldom shown nothing at all, so ratings do not tell how bad that is.
    """
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(rated.rows, round(share * len(rated)), replace=False))
    return RatedTranslations(
        ("",) * len(rows),
        tuple(rated.references[i] for i in rows),
        tuple(rated.sources[i] for i in rows),
        tuple(rated.places[i] for i in rows),
        np.full(len(rows), rated.ratings[rated.rows].min()),
        np.ones(len(rows)),
        np.arange(len(rows)),
    )

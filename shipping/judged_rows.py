"""Judgements of many languages, as the metrics of many languages learn from them.

Ratings come from files of ratings (one language pair each), rankings from WMT's. Ratings are
standardised by file, since scales differ, and cut off at `LOWEST` deviations.
"""

from __future__ import annotations

import csv
import gzip
import zlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.judgements.judged_translations import JudgedPairs, RatedTranslations

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LOWEST = -3.0
LOWEST_MQM = -25.0  # a translation that is nothing but errors
TENTHS = 10
RANKINGS = "rankings", "preferences"  # a year of WMT has one of them


@dataclass(frozen=True)
class Row:
    """A rated translation; `place` is its language pair, file and segment."""

    translation: str
    reference: str
    source: str
    place: tuple[str, str, int]
    rating: float


def rated_rows(
    data: Path, names: Sequence[str], most: int, seed: int = 1, *, cut: bool = True
) -> list[Row]:
    """The rows of files of ratings, as in "dax18/en-cs", at most so many of each.

    Low ratings are cut off unless told otherwise.
    """
    rows = []
    for name in names:
        folder, pair = name.split("/")
        path = data / "modern" / folder / f"{folder}.{pair}.csv.gz"
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found = [each for each in csv.DictReader(file) if each["score"]]
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        chosen = np.sort(rng.permutation(len(found))[:most]).tolist()
        scores = np.array([float(each["score"]) for each in found])
        if cut and folder.startswith("mqm") and scores.max() <= 0:
            scores = np.maximum(scores, LOWEST_MQM)
        scores = (scores - scores.mean()) / scores.std()
        if cut:
            scores = np.maximum(scores, LOWEST)
        rows += [
            Row(found[i]["mt"], found[i]["ref"], found[i]["src"],
                (pair, folder, zlib.crc32(found[i]["src"].encode())), float(scores[i]))
            for i in chosen
        ]  # fmt: skip
    return rows


def is_held_out(row: Row) -> bool:
    """Whether a row is of the tenth of segments that development holds out."""
    return row.place[2] % TENTHS == 0


def rated_translations(rows: Sequence[Row], *, references: bool) -> RatedTranslations:
    """Rated translations, with their references or without any."""
    return RatedTranslations(
        translations=tuple(row.translation for row in rows),
        references=tuple((row.reference,) if references else () for row in rows),
        sources=tuple(row.source for row in rows),
        places=tuple(row.place for row in rows),
        ratings=np.array([row.rating for row in rows]),
        count=np.ones(len(rows)),
        rows=np.arange(len(rows)),
    )


@cache
def ranked_pairs(
    data: Path, folders: tuple[str, ...], pattern: str, *, majority: bool = True
) -> JudgedPairs:
    """The pairs of WMT's rankings: each once, as most judgements have it, or every judgement."""
    parts = [
        JudgedSet.of(read(data / folder), *RANKINGS, language_pairs=[pattern]).pairs()
        for folder in folders
    ]
    if majority:
        parts = [part.majority() for part in parts]
    offsets = np.cumsum([0, *(len(part.translations) for part in parts)])[:-1]
    return JudgedPairs(
        translations=tuple(text for part in parts for text in part.translations),
        references=tuple(given for part in parts for given in part.references),
        sources=tuple(text for part in parts for text in part.sources),
        places=tuple(place for part in parts for place in part.places),
        better=np.concatenate([p.better + o for p, o in zip(parts, offsets, strict=True)]),
        worse=np.concatenate([p.worse + o for p, o in zip(parts, offsets, strict=True)]),
        weight=np.concatenate([part.weight for part in parts]),
    )

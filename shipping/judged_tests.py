"""Judged systems of past campaigns: their translations, and people's score of each as WMT took it.

Rankings of WMT12 to WMT16, direct assessment of 2021, MQM of 2020 and 2021. A campaign is a year:
what was judged twice (newstest2021 by direct assessment and by MQM) stays together when a year is
left out. Translations by people are left out. So is the direct assessment of 2016: it rated about
56 segments of each system, for every system other ones; the rankings judge the same systems.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.evaluation.system_scores import human_scores, human_tally, win_table
from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.stats.resampling import bootstrap_weights

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from concordant.judgements.judged_columns import Column
    from concordant.records import TestSet
    from concordant.stats.arrays import Floats

RATINGS = "ratings"
# Folder of the data → year, kind of judgements, and how that campaign scored systems from them
# (ratings: their mean).
CAMPAIGNS = {
    "wmt12": (2012, "rankings", "better"),
    "wmt13": (2013, "preferences", "expected-wins"),
    "wmt14": (2014, "preferences", "trueskill"),
    "wmt15": (2015, "rankings", "trueskill"),
    "wmt16": (2016, "rankings", "trueskill"),
    "modern/mqm20": (2020, RATINGS, ""),
    "da21": (2021, RATINGS, ""),
    "modern/da21x": (2021, RATINGS, ""),
    "modern/mqm21": (2021, RATINGS, ""),
}
HUMAN = re.compile(r"(?i)human|^ref|reference")  # translations by people
ENGLISH = "en"
RESAMPLES = 200


@dataclass(frozen=True)
class JudgedTest:
    """The systems of one test set and language pair, people's scores of them, and their texts.

    `sure[i, j]` is how often people score i above j if the judged segments are drawn again,
    `preferred[i, j]` the share of judgements of both in which i won, less those it lost, `ties` the
    share of all judgements without a winner (NaN where people rated, or ties were not kept).
    """

    folder: str
    year: int
    pair: str
    systems: tuple[str, ...]
    human: Floats
    sure: Floats
    preferred: Floats
    ties: float
    texts: TestSet

    @property
    def name(self) -> str:
        """The folder of its judgements and its language pair."""
        return f"{self.folder.rpartition('/')[2]}.{self.pair}"


def judged_tests(data: Path, folders: list[str]) -> Iterator[JudgedTest]:
    """The tests of some campaigns, into English and out of it."""
    for folder in folders:
        year, kind, method = CAMPAIGNS[folder]
        for column in JudgedSet.of(read(data / folder), kind).columns():
            if ENGLISH in column.pair.split("-"):
                yield _judged_test(folder, year, method or "expected-wins", column)


def _judged_test(folder: str, year: int, method: str, column: Column) -> JudgedTest:
    scores = human_scores(column, method=method)
    tally = human_tally(column)
    weights = bootstrap_weights(len(column.segments), RESAMPLES, np.random.default_rng(0))
    drawn = tally.scores(weights)
    above = drawn[:, :, None] - drawn[:, None, :]
    sure = np.nanmean((above > 0) + 0.5 * (above == 0), axis=0)
    preferred, ties = _preferred(column)
    kept = [i for i, name in enumerate(column.systems) if not HUMAN.search(name)]
    if column.texts is None:
        raise ValueError(f"{folder} {column.pair} has no texts")
    return JudgedTest(
        folder,
        year,
        column.pair,
        tuple(column.systems[i] for i in kept),
        np.asarray(scores)[kept],
        sure[np.ix_(kept, kept)],
        preferred[np.ix_(kept, kept)],
        ties,
        column.texts,
    )


def _preferred(column: Column) -> tuple[Floats, float]:
    """How much more often each system won than lost against each other; and the share of ties."""
    k = len(column.systems)
    if column.pairs is None or not column.pairs.tie.any():
        return np.full((k, k), np.nan), np.nan
    wins, ties = np.split(win_table(column).sum(axis=0), [k], axis=1)
    met = wins + wins.T + ties
    with np.errstate(invalid="ignore"):
        return (wins - wins.T) / met, float(ties.sum() / met.sum())

"""How often people agreed in past campaigns with a difference like the one at hand.

`past_campaigns.json` (written by shipping/deltas.py) has a row for each metric, into English and
out of it: a curve from differences to chances, curves of resampled campaigns for intervals, and
what they were learned from. Nothing is extrapolated: beyond the largest differences seen the chance
rises no further, and what else limits a figure is said beside it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError
from concordant.stats.chance_curve import ChanceCurve, chances
from concordant.stats.quantiles import percentile_interval

if TYPE_CHECKING:
    from concordant.metrics.scorer import Scorer
    from concordant.stats.arrays import Floats

FILE = Path(__file__).parent / "past_campaigns.json"
FORMAT = 1
LEVEL = 0.95
INTO, OUT = "into English", "out of English"
ENGLISH = "en"
FEWEST_SEGMENTS = 50  # the smallest samples that the curves were fitted to
FEWEST_YEARS = 4  # fewer past campaigns are thin
VOLATILE = ("concordant:", "lang:")  # parts of a signature that leave what scores as it was


@dataclass(frozen=True, repr=False)
class PastRow(Brief):
    """What past campaigns show of a metric in one direction.

    `signatures` say what scored; `comparisons` counts pairs of systems, in the campaigns of `years`
    and the language `pairs`. `largest` is the difference beyond which few were seen. `spread` is
    the typical standard deviation of a difference times the root of the segments. `preference` is
    how much more often than not people preferred the better-scored system, for each unit of
    difference; `ties` their share of the judgements.
    """

    metric: str
    direction: str
    signatures: tuple[str, ...]
    years: tuple[int, ...]
    pairs: tuple[str, ...]
    comparisons: int
    largest: float
    spread: float
    preference: float
    ties: float
    curve: ChanceCurve
    draws: Floats

    @property
    def targets(self) -> set[str]:
        """The languages that were translated into."""
        return {each.partition("-")[2] for each in self.pairs}


@dataclass(frozen=True, repr=False)
class PastTable(Brief):
    """All rows, and a version that changes with them."""

    version: str
    rows: tuple[PastRow, ...]

    def find(self, metric: str, direction: str) -> PastRow | None:
        """The row of a metric, None if past campaigns were not scored by it."""
        own = (each for each in self.rows if (each.metric, each.direction) == (metric, direction))
        return next(own, None)


@dataclass(frozen=True)
class PeopleAgree:
    """The chance that people prefer the better-scored system, with its interval; None: unknown.

    `words` say it, and why it is not known or what limits it: a `thin` figure has little behind it.
    """

    chance: float | None
    low: float | None
    high: float | None
    words: str = ""
    thin: bool = False

    @property
    def short(self) -> str:
        """The chance and its interval in a cell; a dash if it is unknown."""
        return chance_words(self.chance, self.low, self.high)

    def record(self) -> dict[str, float | None]:
        """The numbers for a row of a table."""
        return {
            "people_agree": self.chance,
            "people_agree_low": self.low,
            "people_agree_high": self.high,
        }


@dataclass(frozen=True, repr=False)
class PastAgreement(Brief):
    """What past campaigns say about a metric's differences on a test set of so many segments.

    `missing` says why nothing is known, `doubts` what makes the figures thin.
    """

    row: PastRow | None
    segments: int
    version: str
    missing: str = ""
    doubts: tuple[str, ...] = ()

    @property
    def limits(self) -> str:
        """Why there are no figures, or what makes them thin; "" if nothing does."""
        if self.row is None:
            return f"no figure from past campaigns: {self.missing}"
        return f"thin data: {'; '.join(self.doubts)}" if self.doubts else ""

    def of(self, difference: float) -> PeopleAgree:
        """How often people agreed with a difference of this size."""
        if self.row is None:
            return PeopleAgree(None, None, None, self.limits)
        size = min(abs(difference), self.row.largest)
        chance = float(chances(self.row.curve, size, self.segments))
        ends = percentile_interval(chances(self.row.draws, size, self.segments), level=LEVEL)
        found = PeopleAgree(chance, min(chance, ends[0]), max(chance, ends[1]))
        words = (
            f"in past campaigns people agreed with a difference like this {found.short} of the time"
        )
        thin = f" ({self.limits})" if self.doubts else ""
        return replace(found, words=words + thin, thin=bool(self.doubts))


def past_agreement(
    metric: Scorer, segments: int, references: int, *, english: bool, language: str | None = None
) -> PastAgreement:
    """What past campaigns say about a metric on such a test set.

    `english` says whether the texts are, where the `language` is not known.
    """
    into = english if language is None else language == ENGLISH
    direction = INTO if into else OUT
    table = past_table()
    bare = metric.name.partition("(")[0]
    row = table.find(bare, direction)
    if row is None:
        missing = f"none {direction} was scored by {metric.name}"
    elif core_signature(metric) not in row.signatures:
        missing = f"they were scored by {bare} with other options, data or weights"
    else:
        doubts = _doubts(row, segments, references, language)
        return PastAgreement(row, segments, table.version, doubts=doubts)
    return PastAgreement(None, segments, table.version, missing)


def _doubts(row: PastRow, segments: int, references: int, language: str | None) -> tuple[str, ...]:
    """What makes a row's figures thin for a test set."""
    found = {
        f"only {len(row.years)} past campaigns": len(row.years) < FEWEST_YEARS,
        f"fewer than {FEWEST_SEGMENTS} segments": segments < FEWEST_SEGMENTS,
        f"{references} references, past campaigns had one": references > 1,
        f'no past campaign into "{language}"': (
            language is not None and language not in row.targets
        ),
    }
    return tuple(words for words, holds in found.items() if holds)


def core_signature(metric: Scorer) -> str:
    """A metric's signature without the version and the language.

    >>> from concordant.metrics.find import load
    >>> core_signature(load("chrf"))
    'metric:chrf|case:mixed|nc:6|space:no|beta:2'
    """
    parts = metric.signature(level="system").split("|")
    parts[0] = parts[0].partition("(")[0]  # the options follow, each by itself
    return "|".join(each for each in parts if not each.startswith(VOLATILE))


@cache
def past_table() -> PastTable:
    """The table in the package."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    if found["format"] != FORMAT:
        raise ConcordantError(
            f"{FILE.name} has format {found['format']}, and this version reads {FORMAT}; install "
            "concordant again"
        )
    return PastTable(str(found["version"]), tuple(map(_row, found["rows"])))


def _row(found: dict[str, Any]) -> PastRow:
    listed = {name: tuple(found[name]) for name in ("signatures", "years", "pairs")}
    curve = ChanceCurve(*np.exp(found["curve"]).tolist())
    return PastRow(**{**found, **listed, "curve": curve, "draws": np.exp(found["draws"])})


def chance_words(chance: float | None, low: float | None, high: float | None) -> str:
    """A chance and its interval in percent; a dash where they are unknown.

    >>> chance_words(0.743, 0.68, 0.79), chance_words(None, None, None)
    ('74 % [68, 79]', '–')
    """
    if chance is None or low is None or high is None:
        return "–"
    return f"{percent(chance)} % [{percent(low)}, {percent(high)}]"


def percent(chance: float) -> int:
    """A chance in whole percent; never 100, which no past can show.

    >>> percent(0.743), percent(0.999)
    (74, 99)
    """
    return min(99, round(100 * chance))

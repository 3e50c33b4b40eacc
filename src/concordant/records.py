"""The records that everything else builds on: frozen, without I/O, one meaning each.

Every human judgement becomes one of three records. A `Ranking` orders k translations of one
segment, a `Preference` says which of two is better, a `Rating` gives one a number. Readers
produce these records; statistics and training start from them.

Common to all of them: `testset` names the set of segments ("newstest2012", "" where a file does
not say), `pair` is the language pair ("de-en"), `segment` counts from 1 as lines do. Ratings are
better when higher, ranks when lower. `file` and `line` tell where a record was read, so that a
fault found later can still be shown in its place; they do not take part in comparison.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from concordant.brief import Brief
from concordant.tabular import Tabular

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt


class Place(NamedTuple):
    """The name of one translation; `segment` is None where a whole system is meant."""

    testset: str
    pair: str
    system: str
    segment: int | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """One judge's ranks for k translations of one segment: 1 is best, equal ranks are ties.

    Unranked translations are left out of `systems`. `group` names the screen that a ranking
    was cut from, where a file splits a five-way judgement into pairs. `weight` makes up for a
    segment that was likelier to be judged than others: how likely it would be at random, divided by
    how likely it was.
    """

    testset: str
    pair: str
    segment: int
    systems: tuple[str, ...]
    ranks: tuple[int, ...]
    judge: str | None = None
    group: str | None = None
    file: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Preference:
    """`better` was preferred to `worse`, `count` times; with `tie`, neither was.

    `weight` as in `Ranking`.
    """

    testset: str
    pair: str
    segment: int
    better: str
    worse: str
    tie: bool = False
    count: int = 1
    judge: str | None = None
    file: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Rating:
    """A human score of one translation, higher is better; `segment` None: of a whole system.

    `raw` is the score before standardisation where a file has both, `count` how many judgements
    are averaged in it, `extra` further columns of the file, kept as they are.
    """

    testset: str
    pair: str
    system: str
    segment: int | None
    score: float
    raw: float | None = None
    count: int = 1
    judge: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    file: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, repr=False)
class TestSet(Brief):
    """The texts of one language pair; mappings may lack segments."""

    __test__ = False  # not a test case, whatever pytest thinks of the name

    name: str
    pair: str
    source: Mapping[int, str] = field(default_factory=dict)
    references: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    translations: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    documents: Mapping[int, str] = field(default_factory=dict)

    @property
    def segments(self) -> list[int]:
        """Every segment that has a source, a reference or a translation, in order."""
        texts = [self.source, *self.references.values(), *self.translations.values()]
        return sorted(set().union(*texts))


@dataclass(frozen=True, repr=False)
class ScoreTable(Brief):
    """A metric's numbers for named translations, as its own tool wrote them."""

    metric: str
    values: Mapping[Place, float]
    file: str = ""


@dataclass(frozen=True, repr=False)
class ScoreLines(Brief):
    """A metric's scores, one per line, without names, in the order of the judged translations."""

    metric: str
    values: tuple[float, ...]
    file: str = ""


class LeftOut(NamedTuple):
    """A file or folder that was not read, and why; `kind` is the reason that it shares with others.

    >>> str(LeftOut("data/x.xyz", "of no known format", "of no known format"))
    'data/x.xyz: left out, of no known format'
    """

    path: str
    reason: str
    kind: str

    def __str__(self) -> str:
        return f"{self.path}: left out, {self.reason}"


@dataclass(frozen=True, repr=False)
class Collection(Brief):
    """Everything read from a file or folder; `notes` say what was left out or changed.

    `left_out` has every file that was not read; a note counts them.
    """

    testsets: tuple[TestSet, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    preferences: tuple[Preference, ...] = ()
    ratings: tuple[Rating, ...] = ()
    tables: tuple[ScoreTable, ...] = ()
    score_lines: tuple[ScoreLines, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, repr=False)
class Scores(Brief, Tabular):
    """A metric's numbers for one system: per segment, for the whole, and what computed them.

    `signature` describes `system`, `segment_signature` the numbers in `segments`: BLEU differs.
    `flags` name what is suspicious about each segment (`metrics.flags.flags`); most have none. They
    are computed when first read, by `find_flags`. `warnings` are sentences on why the scores
    may mean little (`metrics.scope`).
    """

    system: float
    segments: npt.NDArray[np.float64]
    signature: str
    segment_signature: str = field(repr=False)
    find_flags: Callable[[], Sequence[tuple[str, ...]]] = field(repr=False, compare=False)
    warnings: tuple[str, ...] = ()

    @cached_property
    def flags(self) -> tuple[tuple[str, ...], ...]:
        """The flags of each segment."""
        return tuple(self.find_flags())

    def records(self) -> list[dict[str, Any]]:
        """One row for each segment: its number from 1, its score, its flags."""
        rows = zip(self.segments.tolist(), self.flags, strict=True)
        return [
            {"segment": number, "score": score, "flags": ", ".join(flags)}
            for number, (score, flags) in enumerate(rows, 1)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The scores, flags and warnings as plain values."""
        return {
            "system": self.system,
            "signature": self.signature,
            "segment_signature": self.segment_signature,
            "warnings": list(self.warnings),
            "records": self.records(),
        }

    def _title(self) -> str:
        return f"{self.system:.4f} on {len(self.segments):,} segments ({self.signature})"


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval at `level` (0.95), from `n` observations, by `method`.

    `low` and `high` are None if there is no interval; `method` then says why.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    level: float
    method: str

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:.3f} (n={self.n})"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}] (n={self.n})"

"""The judgements of one test set and language pair as arrays: one column of an evaluation.

The judged translations are numbered in the order in which the judgements first name them; that is
the order of scores without names, one per line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError
from concordant.judgements.judged_records import name_place, references_of
from concordant.records import Place

if TYPE_CHECKING:
    import numpy.typing as npt

    from concordant.records import TestSet

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Pairs:
    """Judged pairs as numbers of translations, the better one first (where `tie`, in no order).

    `count` is how often each was judged, `weight` that times the weight of the judgement.
    """

    better: Ints
    worse: Ints
    tie: Bools
    count: Floats
    weight: Floats


@dataclass(frozen=True, repr=False)
class Column(Brief):
    """The judged translations of one test set and language pair, and what people said of them.

    `segment` and `system` give each translation's place in `segments` and `systems`; where whole
    systems are judged, `segment` is the system's number. `texts` is None where there are none.
    """

    testset: str
    pair: str
    kind: str
    places: tuple[Place, ...]
    segments: tuple[int, ...]
    systems: tuple[str, ...]
    segment: Ints
    system: Ints
    pairs: Pairs | None = None
    ratings: Floats | None = None
    raw: Floats | None = None
    texts: TestSet | None = None
    clusters: Ints | None = None

    @property
    def name(self) -> str:
        """The column's heading: test set and language pair."""
        return name_place(self.testset, self.pair)

    @property
    def judgements(self) -> int:
        """How many judgements it holds."""
        return len(self.places) if self.pairs is None else int(self.pairs.count.sum())


def with_whole_systems(column: Column) -> Column:
    """The column with all translations of its systems; judgements are as they were.

    WMT scores a system by everything it translated, and people judged only a part.
    """
    if column.texts is None:
        raise ConcordantError(f"{column.name} has no texts, which whole systems need")
    given = column.texts.translations
    segments = sorted(set().union(*(given[system] for system in column.systems)))
    place = {segment: i for i, segment in enumerate(segments)}
    row = {(each.system, each.segment): i for i, each in enumerate(column.places)}
    for system in column.systems:
        for segment in given[system]:
            row.setdefault((system, segment), len(row))
    number = {system: i for i, system in enumerate(column.systems)}
    return replace(
        column,
        places=tuple(Place(column.testset, column.pair, *each) for each in row),
        segments=tuple(segments),
        segment=np.array([place[segment] for _, segment in row if segment is not None]),
        system=np.array([number[system] for system, _ in row]),
    )


def rows_of(column: Column) -> list[tuple[str, int]]:
    """The system and segment of each text that is scored: what was judged, or whole systems."""
    if column.kind != "system ratings":
        return [(each.system, each.segment) for each in column.places if each.segment is not None]
    texts = {} if column.texts is None else column.texts.translations
    return [(each.system, segment) for each in column.places for segment in texts[each.system]]


def all_references(column: Column) -> list[list[str]]:
    """The references of every segment of the column's test set, judged or not."""
    given = {} if column.texts is None else column.texts.references
    segments = sorted(set().union(*given.values()))
    return [[texts[s] for texts in given.values() if s in texts] for s in segments]


def texts_of(
    column: Column, name: str, *, referenced: bool = True
) -> tuple[list[str], list[tuple[str, ...]]]:
    """The judged translations and the references of each, for the metric of that name.

    Where it needs no references (`referenced` False), there may be none.
    """
    texts = column.texts
    if texts is None or (referenced and not texts.references):
        raise ConcordantError(
            f"{name} needs translations{' and references' * referenced}; {column.name} has no "
            f"{'texts' if texts is None else 'references'}: add a folder of texts with --texts"
        )
    rows = rows_of(column)
    references = [references_of(texts, segment) for _, segment in rows]
    unreferenced = [row[1] for row, given in zip(rows, references, strict=True) if not given]
    if referenced and unreferenced:
        raise ConcordantError(
            f"{column.name}: {len(set(unreferenced))} judged segments have no reference "
            f"(the first: {unreferenced[0]})"
        )
    return [texts.translations[system][segment] for system, segment in rows], references

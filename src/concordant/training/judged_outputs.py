"""Outputs that people judged, with what they are compared with: what every trainer begins with.

How they were judged is added by `JudgedPairs` (which of two is better) and `RatedTexts` (a number
each). Both can be split by segment, and prepared, in the same way.
"""

from __future__ import annotations

import fnmatch
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np

from concordant.errors import DataError, Fault, SpecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from concordant.records import Collection, Preference, Ranking, Rating, TestSet

    Ints = npt.NDArray[np.int64]


Judged = TypeVar("Judged", bound="JudgedOutputs")


@dataclass(frozen=True)
class JudgedOutputs(ABC):
    """Outputs with their references; `places` names each one's language pair, test set, segment."""

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    sources: tuple[str, ...]
    places: tuple[tuple[str, str, int], ...]

    THINGS: ClassVar[str]  # what is judged, in words: pairs, rated outputs

    @property
    @abstractmethod
    def notes(self) -> tuple[str, ...]:
        """What was left out, in words."""

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    @abstractmethod
    def output(self) -> Ints:
        """The row of an output of each judgement, which tells its segment."""

    @property
    @abstractmethod
    def judged(self) -> Ints:
        """The rows of all outputs that are judged."""

    @abstractmethod
    def numbers(self) -> tuple[np.ndarray, ...]:
        """The judgements as arrays."""

    @abstractmethod
    def take(self: Judged, rows: Ints) -> Judged:
        """Some of the judgements, with all outputs still there."""

    @abstractmethod
    def side(self: Judged, rows: Ints, own: Ints) -> Judged:
        """Some of the judgements, and the outputs that are of their side of a split."""

    @property
    def segment(self) -> Ints:
        """A number for each judgement that is the same for those of one segment."""
        number: dict[tuple[str, int], int] = {}
        by_output = [number.setdefault((t, s), len(number)) for _, t, s in self.places]
        return np.array(by_output, dtype=np.int64)[self.output]

    @property
    def language_pair(self) -> list[str]:
        """The language pair of each judgement."""
        return [self.places[i][0] for i in self.output]

    def by_test_set(self) -> dict[tuple[str, str], list[int]]:
        """The outputs of each language pair and test set."""
        groups: dict[tuple[str, str], list[int]] = {}
        for i, (pair, testset, _) in enumerate(self.places):
            groups.setdefault((pair, testset), []).append(i)
        return groups


def wanted(record: Preference | Ranking | Rating, patterns: Sequence[str]) -> bool:
    """Whether the patterns choose a record's language pair; no patterns choose all."""
    names = (record.pair, f"{record.testset} {record.pair}")
    return not patterns or any(fnmatch.fnmatch(name, p) for name in names for p in patterns)


def rated_segments(collection: Collection, human: str) -> list[Rating]:
    """The ratings of segments, by the human score that is wanted."""
    rated = [rating for rating in collection.ratings if rating.segment is not None]
    names = sorted({dict(rating.extra).get("human", "") for rating in rated})
    if human and human not in names:
        there = ", ".join(filter(None, names)) or "none with a name"
        raise SpecError(f'human score "{human}" is not there; there is {there}')
    if len(names) > 1 and not human:
        known = ", ".join(names)
        raise SpecError(f"there are several human scores; set data.human to one of {known}")
    if human:
        rated = [rating for rating in rated if dict(rating.extra).get("human") == human]
    return rated


def references_of(texts: TestSet, segment: int) -> tuple[str, ...]:
    """The references of a segment, as many as there are."""
    return tuple(given[segment] for given in texts.references.values() if segment in given)


def refuse_missing(
    records: Iterable[tuple[Preference | Rating, int, tuple[str, ...]]],
    texts: Mapping[tuple[str, str], TestSet],
    needs: Sequence[str],
) -> None:
    """All judged outputs must have their text, and their segment what it is compared with.

    A record comes with its segment and the systems whose outputs it judges.
    """
    faults: dict[str, Fault] = {}
    for record, segment, systems in records:
        found = texts.get((record.testset, record.pair))
        place = f"{record.testset} {record.pair}".strip() or "the unnamed test set"
        if found is None:
            message = f"there are no texts of {place}; name a file or folder that has them"
        elif lacking := [s for s in systems if s not in found.outputs]:
            message = f'system "{lacking[0]}" has no outputs in the texts of {place}'
        elif any(segment not in found.outputs[s] for s in systems):
            message = f"an output of segment {segment} of {place} is not in the texts"
        elif "reference" in needs and not references_of(found, segment):
            message = f"segment {segment} of {place} has no reference"
        elif "source" in needs and segment not in found.source:
            message = f"segment {segment} of {place} has no source"
        else:
            continue
        faults.setdefault(message, Fault(record.file or "judgements", record.line or None, message))
    if faults:
        raise DataError(list(faults.values()))

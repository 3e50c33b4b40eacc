"""Texts in rows of judgements → a test set; no text is ever overwritten.

A segment is known by its number where the file gives one, else by its source and reference, in
order of first appearance. A translation is known by its system, else by its text within the segment
(`output-1`, `output-2`, …). What cannot be one test set is an error: a segment with two sources, a
system with two texts for a segment. A segment with two references has two references.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from concordant.judgements.readers.fields import line_number
from concordant.records import TestSet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.judgements.names import SystemName
    from concordant.judgements.origin import JudgedPlace, Origin
    from concordant.judgements.readers.tables import JudgementTable

REFERENCE = "reference"
SEGMENT_COLUMNS = ("segment", "seg_id")


@dataclass
class RowTexts:
    """The texts of one test set and language pair, as far as its rows have been read."""

    place: JudgedPlace
    source: dict[int, str] = field(default_factory=dict)
    references: list[dict[int, str]] = field(default_factory=list)
    translations: dict[str, dict[int, str]] = field(default_factory=dict)
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    names: dict[int, dict[str, str]] = field(default_factory=dict)
    places: dict[int, dict[str, int]] = field(default_factory=dict)

    def number(self, source: str, reference: str) -> int:
        """The segment of a source and reference that carry no number."""
        if not source and not reference:
            raise ValueError("src and ref are both empty, and there is no segment column")
        return self.numbers.setdefault((source, reference), len(self.numbers) + 1)

    def name(self, segment: int, text: str) -> str:
        """The name of a translation that carries none: the same for the same text of a segment."""
        names = self.names.setdefault(segment, {})
        return names.setdefault(text, f"output-{len(names) + 1}")

    def add_segment(self, segment: int, source: str, reference: str) -> None:
        """Take in a segment's source and reference; an empty one is one that is not there."""
        if source and self.source.setdefault(segment, source) != source:
            raise ValueError(
                f"segment {segment} has another source text than in a row above; "
                "if the file joins several test sets, name them in a column testset"
            )
        if reference:
            self._add_reference(segment, reference)

    def _add_reference(self, segment: int, reference: str) -> None:
        known = self.places.setdefault(segment, {})
        if reference in known:
            return
        place = known[reference] = len(known)
        if place == len(self.references):
            self.references.append({})
        self.references[place][segment] = reference

    def add_output(self, system: str, segment: int, text: str) -> None:
        """Take in a system's translation."""
        if self.translations.setdefault(system, {}).setdefault(segment, text) != text:
            raise ValueError(
                f"system {system} has another text for segment {segment} than in a row above; "
                "number the segments in a column segment, or name the test sets in testset"
            )

    def testset(self) -> TestSet:
        """All texts; the references are `reference`, `reference-2` and so on."""
        references = {
            REFERENCE if i == 1 else f"{REFERENCE}-{i}": texts
            for i, texts in enumerate(self.references, start=1)
        }
        return TestSet(
            self.place.testset, self.place.pair, self.source, references, self.translations
        )


@dataclass
class RowSegments:
    """The segments of a file by test set and pair, as far as its rows have been read.

    `source`, `reference` and `segment` name the columns; None where a file has none.
    """

    origin: Origin
    source: str | None
    reference: str | None
    segment: str | None
    texts: dict[JudgedPlace, RowTexts] = field(default_factory=dict)

    @classmethod
    def in_table(
        cls, table: JudgementTable, source: str | None, reference: str | None
    ) -> RowSegments:
        """No segments yet, of a table with these columns of texts."""
        return cls(table.origin, source, reference, table.first_of(SEGMENT_COLUMNS))

    @property
    def columns(self) -> list[str]:
        """The columns that are used."""
        return [each for each in (self.source, self.reference, self.segment) if each is not None]

    def of(self, row: Mapping[str, str], *systems: SystemName) -> tuple[RowTexts, int]:
        """The texts that a row belongs to, with its own taken in, and its segment."""
        place = self.origin.place(row, *systems)
        if place not in self.texts:
            self.texts[place] = RowTexts(place)
        texts = self.texts[place]
        source = "" if self.source is None else row[self.source]
        reference = "" if self.reference is None else row[self.reference]
        if self.segment is None:
            segment = texts.number(source, reference)
        else:
            segment = line_number(row[self.segment], self.segment)
        texts.add_segment(segment, source, reference)
        return texts, segment

    def testsets(self) -> tuple[TestSet, ...]:
        """The texts of every test set and pair."""
        return tuple(texts.testset() for texts in self.texts.values())

    def notes(self) -> list[str]:
        """How many segments have more than one reference, where any has."""
        several = [texts.references[1] for texts in self.texts.values() if texts.references[1:]]
        return [
            f"{self.origin.file}: {len(second)} segments have further references (reference-2 …)"
            for second in several
        ]

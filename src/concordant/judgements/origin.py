"""Where a record belongs: its test set and language pair, by row, by system or by file.

A column of the row comes first, then what WMT writes around a system's name, then the file's name
(for the test set also the folders above it). What none of them says is "". A name that only looks
as if it named a language pair (`to-en.v2`) is taken by the row's pair, else by the file's; what
certainly belongs to another pair than the row is an error: such a row is out of place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from concordant.judgements.names import SystemName, pair_in, split_system, testset_of
from concordant.judgements.readers.fields import cell, first_of, language_pair, name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PAIR_COLUMNS = ("lp", "pair")
TESTSET_COLUMN = "testset"


class JudgedPlace(NamedTuple):
    """The test set and the language pair of a record."""

    testset: str
    pair: str


@dataclass(frozen=True)
class Origin:
    """What a file's path says about all of its records."""

    file: str
    testset: str
    pair: str

    @classmethod
    def of(cls, path: Path) -> Origin:
        """The test set and pair that a path names.

        >>> from pathlib import Path
        >>> Origin.of(Path("wmt14/pairs.cs-en.csv")).pair
        'cs-en'
        """
        return cls(str(path), testset_of(path), pair_in(path.name) or "")

    def place(self, row: Mapping[str, str], *systems: SystemName) -> JudgedPlace:
        """The test set and pair of a row that speaks of these systems."""
        pair_column = first_of(PAIR_COLUMNS, row)
        written = cell(row, pair_column)
        pair = language_pair(written, pair_column or "") if written is not None else ""
        testset = cell(row, first_of([TESTSET_COLUMN], row)) or ""
        for system in systems:
            if pair:
                system.within(pair)  # an error where it is certainly of another one
            elif system.certain or not self.pair:
                pair = system.pair
            testset = testset or system.testset
        return JudgedPlace(testset or self.testset, pair or self.pair)


def system_name(text: str, column: str) -> SystemName:
    """A system's name, taken apart; it may not be empty."""
    return split_system(name(text, column))

"""What is known of scored rows: counts and exact sums, which add up in any order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.metrics.scope import empty_warnings
from concordant.stats.exact_sums import exact_sums, rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.tables.scored_table import TableBlock


@dataclass
class SystemSums:
    """A system's rows, and for each metric the exact sum of each of its counts."""

    rows: int = 0
    sums: list[list[int]] = field(default_factory=list)

    def add(self, rows: int, sums: Sequence[Sequence[int]]) -> None:
        """Count more rows."""
        self.rows += rows
        before = self.sums or [[0] * len(each) for each in sums]
        self.sums = [
            [a + b for a, b in zip(one, other, strict=True)]
            for one, other in zip(before, sums, strict=True)
        ]

    def values(self, metrics: Sequence[Scorer]) -> list[float]:
        """The system's score by each metric."""
        return [
            float(metric.system_scores(np.array([rounded(each) for each in sums])))
            for metric, sums in zip(metrics, self.sums, strict=True)
        ]


@dataclass
class Summary:
    """Rows read and kept, rows that fail each condition, flags, and the sums of each system."""

    rows: int = 0
    kept: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    systems: dict[str, SystemSums] = field(default_factory=dict)

    def add_block(self, block: TableBlock) -> None:
        """Count the rows of a scored block, whether they are kept or not."""
        names = np.array(block.texts.names, dtype=object)
        self.rows += len(block.texts.rows)
        for column, scored in block.scored.items():
            self.flags.update(flag for flags in scored.flags for flag in flags)
            if not len(names):
                self._add(column, scored.counts, np.arange(len(scored.segments)))
            for name in dict.fromkeys(block.texts.names):
                self._add(name, scored.counts, np.flatnonzero(names == name))

    def _add(self, name: str, counts: Any, rows: npt.NDArray[np.intp]) -> None:
        sums = [exact_sums(each[rows]) for each in counts]
        self.systems.setdefault(name, SystemSums()).add(len(rows), sums)

    def add(self, other: Summary) -> None:
        """Count the rows of another partition."""
        self.rows += other.rows
        self.kept += other.kept
        self.failed.update(other.failed)
        self.flags.update(other.flags)
        for name, system in other.systems.items():
            self.systems.setdefault(name, SystemSums()).add(system.rows, system.sums)

    def warnings(self) -> tuple[str, ...]:
        """What must be known of the scores: many translations may be empty."""
        rows = sum(each.rows for each in self.systems.values())
        return tuple(empty_warnings(self.flags["empty-output"], rows)) if rows else ()

    def as_json(self) -> dict[str, Any]:
        """The summary as JSON holds it; sums are hexadecimal, in units of 2^-1074.

        >>> Summary(rows=2, systems={"A": SystemSums(2, [[16]])}).as_json()["systems"]
        {'A': {'rows': 2, 'sums': [['0x10']]}}
        """
        systems = {
            name: {"rows": each.rows, "sums": [list(map(hex, sums)) for sums in each.sums]}
            for name, each in self.systems.items()
        }
        return {"rows": self.rows, "kept": self.kept, "failed": dict(self.failed),
                "flags": dict(self.flags), "systems": systems}  # fmt: skip

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Summary:
        """The summary that JSON holds."""
        systems = {
            name: SystemSums(each["rows"], [[int(n, 16) for n in sums] for sums in each["sums"]])
            for name, each in value["systems"].items()
        }
        return cls(value["rows"], value["kept"], Counter(value["failed"]),
                   Counter(value["flags"]), systems)  # fmt: skip

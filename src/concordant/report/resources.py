"""Parts, installations, checks and the encoder cache as tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from concordant.report.tables import Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from concordant.encoders.cache.cache_store import CacheSummary
    from concordant.resources.installation import Outcome
    from concordant.resources.inventory import Check, Holding


def parts_table(holdings: Sequence[Holding], folder: Path) -> Table:
    """A row for each part: what it is, whether it is installed, and how to install it."""
    return Table(
        header=["name", "kind", "size", "licence", "state", "command"],
        cells=[
            [h.name, h.kind, size(h.bytes), h.licence, h.state, h.command or "–"] for h in holdings
        ],
        records=[asdict(each) for each in holdings],
        text_columns=6,
        footer=[f"parts are in {folder}"],
        document={"folder": str(folder)},
    )


def outcomes_table(outcomes: Sequence[Outcome], folder: Path) -> Table:
    """A row for each requested part."""
    return Table(
        header=["name", "state", "licence", "seconds"],
        cells=[[each.name, each.state, each.licence, f"{each.seconds:.1f}"] for each in outcomes],
        records=[{**asdict(each), "folder": str(each.folder)} for each in outcomes],
        text_columns=3,
        footer=[f"parts are in {folder}"],
    )


def checks_table(checks: Sequence[Check]) -> Table:
    """A row for each part that was verified."""
    return Table(
        header=["name", "state", "files"],
        cells=[[each.name, _state(each), str(each.files)] for each in checks],
        records=[
            {"name": c.name, "state": _state(c), "files": c.files, "faults": list(c.faults)}
            for c in checks
        ],
        text_columns=2,
    )


def cache_table(summary: CacheSummary) -> Table:
    """One row: path and size of the cache of encoded texts."""
    numbers = f"{summary.entries:,}", size(summary.bytes), size(summary.limit)
    return Table(
        header=["cache", "entries", "size", "limit"],
        cells=[[str(summary.path), *numbers]],
        records=[{**asdict(summary), "path": str(summary.path)}],
    )


def size(count: int) -> str:
    """A number of bytes as readable text.

    >>> size(0), size(1234), size(91_632_363), size(4_900_000_000)
    ('0 MB', '1 kB', '92 MB', '4.9 GB')
    """
    if count >= 1_000_000_000:
        return f"{count / 1e9:.1f} GB"
    if 0 < count < 1_000_000:
        return f"{max(count / 1e3, 1):.0f} kB"
    return f"{count / 1e6:.0f} MB"


def _state(check: Check) -> str:
    return "damaged" if check.faults else "as installed"

"""What is asked of an engine on the command line."""

from __future__ import annotations

import os
from dataclasses import dataclass

import click

ENGINES = ("local", "ray", "spark")


@dataclass(frozen=True)
class EngineRequest:
    """What is asked of an engine; `name` is None where none is asked for."""

    name: str | None
    address: str | None
    workers: int | None
    where: tuple[str, ...]

    def check(self) -> None:
        """Raise a usage error for options of an engine where there is none."""
        if self.name is None and (self.address is not None or self.workers is not None):
            raise click.UsageError("--engine-address and --workers belong to --engine; name one")
        if self.name is None and self.where:
            raise click.UsageError("--where belongs to --engine; add --engine local")

    @property
    def processes(self) -> int:
        """How many workers score at once."""
        return self.workers or os.cpu_count() or 1

"""Engines by name, and a run: what is complete is kept, the rest is scored."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError
from concordant.scoring.engines.local import run_local
from concordant.scoring.engines.ray_engine import run_ray
from concordant.scoring.engines.spark_engine import run_spark
from concordant.scoring.engines.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from concordant.scoring.engines.attempts import ScoredPartition
    from concordant.scoring.engines.partition_job import PartitionJob
    from concordant.scoring.engines.partitions import Partition

CLUSTERS = {"ray": run_ray, "spark": run_spark}


@dataclass
class EngineRun:
    """A run over partitions: the summary of those that are complete, and what failed."""

    job: PartitionJob
    partitions: Sequence[Partition]
    engine: str = "local"
    address: str | None = None
    workers: int = 1
    summary: Summary = field(default_factory=Summary)
    kept: int = 0
    errors: list[str] = field(default_factory=list)

    def outcomes(self) -> Iterator[ScoredPartition]:
        """Score what is missing; each outcome as it comes."""
        left = []
        for each in self.partitions:
            done = self.job.done(each)
            if done is None:
                left.append(each)
            else:
                self.summary.add(done)
                self.kept += 1
        for outcome in self._run(left) if left else ():
            if outcome.summary is None:
                self.errors.append(outcome.error)
            else:
                self.summary.add(outcome.summary)
            yield outcome

    def _run(self, partitions: Sequence[Partition]) -> Iterator[ScoredPartition]:
        if self.engine == "local":
            if self.address is not None:
                raise ConcordantError("--engine local has no address; leave out --engine-address")
            return run_local(self.job, partitions, self.workers)
        job = replace(self.job, folder=str(Path(self.job.folder).absolute()))
        absolute = [replace(each, path=str(Path(each.path).absolute())) for each in partitions]
        return CLUSTERS[self.engine](job, absolute, self.workers, self.address)

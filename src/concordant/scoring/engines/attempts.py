"""What became of a partition: its summary, or what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from concordant.scoring.engines.partition_job import PartitionJob
    from concordant.scoring.engines.partitions import Partition
    from concordant.scoring.engines.summary import Summary

ATTEMPTS = 4  # of a partition whose worker dies


@dataclass(frozen=True)
class ScoredPartition:
    """A partition with its summary, or with the words of the error."""

    partition: Partition
    summary: Summary | None = None
    error: str = ""


def attempt(job: PartitionJob, partition: Partition) -> ScoredPartition:
    """The outcome of a partition: what is wrong with one does not stop the others."""
    try:
        return ScoredPartition(partition, job(partition))
    except ConcordantError as error:
        return ScoredPartition(partition, error=str(error))
    except OSError as error:
        return ScoredPartition(partition, error=f"{partition.path}: {error.strerror or error}")

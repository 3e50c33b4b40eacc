"""Partitions scored by Ray's workers; Ray runs a task again if its worker dies."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

from concordant.errors import ConcordantError
from concordant.scoring.engines.attempts import ATTEMPTS, ScoredPartition, attempt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from concordant.scoring.engines.partition_job import PartitionJob
    from concordant.scoring.engines.partitions import Partition

OBJECT_STORE = 100_000_000  # bytes; only summaries go through it
TASKS_EACH = 4  # at most so many for each core, running or waiting


def run_ray(
    job: PartitionJob, partitions: Sequence[Partition], workers: int, address: str | None
) -> Iterator[ScoredPartition]:
    """The outcome of each partition, as they finish; without an address Ray starts here."""
    ray = _import_ray()
    try:
        if address is None:
            os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
            ray.init(
                num_cpus=workers, include_dashboard=False, log_to_driver=False,
                object_store_memory=OBJECT_STORE, logging_level=logging.ERROR,
            )  # fmt: skip
        else:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ConcordantError(
            f"Ray does not answer at {address or 'this machine'} ({reason}); check "
            "--engine-address, or leave it out to start Ray here"
        ) from None
    try:
        cores = int(ray.cluster_resources().get("CPU", workers))
        with redirect_stdout(sys.stderr):  # where Ray would print that a worker died
            yield from _outcomes(ray, job, partitions, cores * TASKS_EACH)
    finally:
        ray.shutdown()


def _outcomes(
    ray: Any, job: PartitionJob, partitions: Sequence[Partition], most: int
) -> Iterator[ScoredPartition]:
    task = ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(attempt)
    rest = iter(partitions)
    running: dict[Any, Partition] = {}
    while True:
        for each in rest:
            running[task.remote(job, each)] = each
            if len(running) >= most:
                break
        if not running:
            return
        (finished,), _ = ray.wait(list(running), num_returns=1)
        partition = running.pop(finished)
        try:
            yield ray.get(finished)
        except ray.exceptions.WorkerCrashedError:
            words = f"{partition.path}: its worker died {ATTEMPTS} times; run again"
            yield ScoredPartition(partition, error=words)


def _import_ray() -> Any:
    try:
        import ray  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise ConcordantError(
            '--engine ray needs Ray; install it: pip install "concordant[ray]"'
        ) from None
    return ray

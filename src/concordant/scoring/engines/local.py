"""Partitions scored by processes of this machine; one that dies is replaced."""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError
from concordant.scoring.engines.attempts import ATTEMPTS, ScoredPartition, attempt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from concordant.scoring.engines.partition_job import PartitionJob
    from concordant.scoring.engines.partitions import Partition


def run_local(
    job: PartitionJob, partitions: Sequence[Partition], workers: int
) -> Iterator[ScoredPartition]:
    """The outcome of each partition, as they are finished."""
    if workers == 1 or len(partitions) < 2:
        for each in partitions:
            yield attempt(job, each)
        return
    left, deaths = list(partitions), 0
    while left:
        before = len(left)
        try:
            for outcome in _pool(job, left, min(workers, len(left))):
                left.remove(outcome.partition)
                yield outcome
        except BrokenProcessPool:
            deaths = 1 if len(left) < before else deaths + 1
            if deaths == ATTEMPTS:
                raise ConcordantError(
                    f"worker processes died {ATTEMPTS} times in a row, perhaps for lack of "
                    "memory; run again with fewer --workers: what is complete is kept"
                ) from None


def _pool(
    job: PartitionJob, partitions: Sequence[Partition], workers: int
) -> Iterator[ScoredPartition]:
    context = multiprocessing.get_context("spawn")  # a fork of threads may hang
    ignored = (signal.SIGINT, signal.SIG_IGN)  # this process ends them
    pool = ProcessPoolExecutor(workers, context, initializer=signal.signal, initargs=ignored)
    try:
        waiting = {pool.submit(attempt, job, each) for each in partitions}
        while waiting:
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for each in finished:
                yield each.result()
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)

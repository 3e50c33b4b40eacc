"""Partitions scored by Spark's workers; Spark runs a task again if its worker dies."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from concordant.errors import ConcordantError
from concordant.scoring.engines.attempts import ATTEMPTS, ScoredPartition, attempt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from concordant.scoring.engines.partition_job import PartitionJob
    from concordant.scoring.engines.partitions import Partition


def run_spark(
    job: PartitionJob, partitions: Sequence[Partition], workers: int, address: str | None
) -> Iterator[ScoredPartition]:
    """The outcome of each partition, in their order; without an address Spark is started here."""
    session = _session(workers, address)
    try:
        tasks = session.sparkContext.parallelize(list(partitions), len(partitions))
        yield from tasks.map(partial(attempt, job)).collect()
    except Exception as error:
        if type(error).__module__.split(".")[0] not in {"py4j", "pyspark"}:
            raise
        lines = [line for line in str(error).splitlines() if "Exception" in line or "Error" in line]
        reason = (lines or str(error).splitlines() or [type(error).__name__])[0].strip()
        raise ConcordantError(
            f"Spark gave up ({reason}); run again: what is complete is kept"
        ) from None
    finally:
        session.stop()


def _session(workers: int, address: str | None) -> Any:
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise ConcordantError(
            '--engine spark needs Spark; install it: pip install "concordant[spark]"'
        ) from None
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise ConcordantError("--engine spark needs Java 17 or later; install it, or set JAVA_HOME")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Of local masters only this one runs a task again.
    master = address or f"local[{workers},{ATTEMPTS}]"
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.task.maxFailures": str(ATTEMPTS),
    }
    builder = SparkSession.builder.master(master).appName("concordant")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        with _without_stderr():
            return builder.getOrCreate()
    except Exception as error:
        if type(error).__module__.split(".")[0] not in {"py4j", "pyspark"}:
            raise
        raise ConcordantError(
            f"Spark does not answer at {master}; check --engine-address, or leave it out to start "
            "Spark here"
        ) from None


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Java keeps the standard error that it is started with, and Spark writes much to it."""
    before, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(nowhere)

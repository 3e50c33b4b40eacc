"""How long a task takes; shared by the benchmarks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def seconds(
    task: Callable[[], object],
    repeats: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """The shortest of several times that the task took.

    With `time.process_time` as the clock, it is the time that the processor spent on it, which
    other programs on the machine change less.
    """
    times = []
    for _ in range(repeats):
        begin = clock()
        task()
        times.append(clock() - begin)
    return min(times)

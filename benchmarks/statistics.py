"""Speed of the statistics beside plain Python: prints times and ratios, promises nothing."""

from __future__ import annotations

import math
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

# Run as a script, this file's folder would come first and hide the standard `statistics`.
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).parent]

import numpy as np  # noqa: E402 - the path must be right first

from concordant.stats.permutation import perm_both  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

SYSTEMS, SEGMENTS, PERMUTATIONS = 9, 1000, 1000

Matrix = list[list[float]]


def seconds(task: Callable[[], object], repeats: int = 1) -> float:
    """The shortest of several times that the task took."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        task()
        times.append(time.perf_counter() - begin)
    return min(times)


def permutation_tests() -> None:
    """(a) PERM-BOTH at system level: ours, a loop in plain Python, a loop with NumPy inside."""
    rng = np.random.default_rng(0)
    human = rng.normal(size=(SYSTEMS, SEGMENTS))
    x, y = (human + rng.normal(0, noise, human.shape) for noise in (1.0, 1.1))
    x, y = ((m - m.mean()) / m.std() for m in (x, y))
    ours = seconds(lambda: perm_both(x, y, human, rng=rng, n_permutations=PERMUTATIONS), repeats=5)
    numpy_loop = seconds(lambda: perm_both_numpy_loop(x, y, human, rng))
    plain = seconds(lambda: perm_both_plain(x.tolist(), y.tolist(), human.tolist()))
    print(f"PERM-BOTH, {PERMUTATIONS} permutations of {SYSTEMS} systems × {SEGMENTS} segments")
    print(f"  ours                   {ours:8.3f} s")
    print(f"  loop, NumPy inside     {numpy_loop:8.3f} s   {numpy_loop / ours:6.1f} ×")
    print(f"  loop, plain Python     {plain:8.3f} s   {plain / ours:6.1f} ×")


def perm_both_plain(x: Matrix, y: Matrix, human: Matrix) -> float:
    """The definition, one output after the other."""
    toss = random.Random(0).random
    target = [sum(row) / len(row) for row in human]

    def difference(a: Matrix, b: Matrix) -> float:
        means = ([sum(row) / len(row) for row in m] for m in (a, b))
        first, second = (pearson(m, target) for m in means)
        return first - second

    observed = abs(difference(x, y))
    reached = 0
    for _ in range(PERMUTATIONS):
        a, b = [], []
        for row_x, row_y in zip(x, y, strict=True):
            row_a, row_b = [], []
            for score_x, score_y in zip(row_x, row_y, strict=True):
                swap = toss() < 0.5
                row_a.append(score_y if swap else score_x)
                row_b.append(score_x if swap else score_y)
            a.append(row_a)
            b.append(row_b)
        reached += abs(difference(a, b)) >= observed
    return (reached + 1) / (PERMUTATIONS + 1)


def pearson(x: list[float], y: list[float]) -> float:
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    dx, dy = [v - mean_x for v in x], [v - mean_y for v in y]
    covariance = sum(a * b for a, b in zip(dx, dy, strict=True))
    return covariance / math.sqrt(sum(a * a for a in dx) * sum(b * b for b in dy))


def perm_both_numpy_loop(
    x: np.ndarray, y: np.ndarray, human: np.ndarray, rng: np.random.Generator
) -> float:
    """The definition, one permutation after the other."""
    target = human.mean(axis=1)

    def difference(a: np.ndarray, b: np.ndarray) -> float:
        r = np.corrcoef([a.mean(axis=1), b.mean(axis=1), target])
        return float(r[0, 2] - r[1, 2])

    observed = abs(difference(x, y))
    reached = 0
    for _ in range(PERMUTATIONS):
        swap = rng.random(x.shape) < 0.5
        reached += abs(difference(np.where(swap, y, x), np.where(swap, x, y))) >= observed
    return (reached + 1) / (PERMUTATIONS + 1)


def main() -> None:
    permutation_tests()


if __name__ == "__main__":
    main()

"""Speed of the statistics beside plain Python: prints times and ratios, promises nothing."""

from __future__ import annotations

import math
import os
import random
from pathlib import Path

import numpy as np
from timing import seconds

from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.stats.measured import Additive
from concordant.stats.permutation import perm_both
from concordant.stats.resampling import bootstrap_weights, estimate
from concordant.stats.tau import cells_of_pairs, from_cells

SYSTEMS, SEGMENTS, PERMUTATIONS = 9, 1000, 1000
RESAMPLES, PLAIN_RESAMPLES = 1000, 20

Matrix = list[list[float]]


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


def bootstrapped_tau() -> None:
    """(b) WMT12's tau over the judged pairs of WMT13 de-en with a bootstrap over segments."""
    better, worse, segment = judged_pairs()
    rng = np.random.default_rng(0)
    scores = rng.normal(size=int(max(better.max(), worse.max())) + 1)
    units = int(segment.max()) + 1

    def ours() -> None:
        no_ties = np.zeros(len(better), dtype=bool)
        cells = cells_of_pairs(scores[better], scores[worse], no_ties, unit=segment, units=units)
        tau = Additive(cells, lambda sums: from_cells(sums, "tau-wmt12"), "tau-wmt12")
        weights = bootstrap_weights(units, RESAMPLES, np.random.default_rng(0))
        estimate(tau, weights, n=len(better), method="bootstrap")

    by_array = seconds(ours, repeats=3)
    plain = seconds(lambda: tau_plain(scores.tolist(), better, worse, segment, PLAIN_RESAMPLES))
    plain *= RESAMPLES / PLAIN_RESAMPLES
    print(f"WMT12 tau, {len(better)} pairs on {units} segments, {RESAMPLES} resamples")
    print(f"  ours                   {by_array:8.3f} s")
    print(f"  loop, plain Python     {plain:8.1f} s   {plain / by_array:6.0f} ×  (from", end=" ")
    print(f"{PLAIN_RESAMPLES} resamples)")


def judged_pairs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of output numbers and their segments: WMT13's where there is data, else made up."""
    folder = os.environ.get("CONCORDANT_DATA")
    if folder is None:
        print("CONCORDANT_DATA is not set: pairs of the same number, made up")
        rng = np.random.default_rng(0)
        segment = np.sort(rng.integers(2593, size=128_668))
        better = rng.integers(16, size=len(segment))
        return segment * 17 + better, segment * 17 + 16, segment
    judged = read(Path(folder) / "wmt13/pairs.de-en.csv.gz")
    (column,) = JudgedSet.of(judged, "preferences").columns()
    if column.pairs is None:
        raise SystemExit("the file has no pairs")
    return column.pairs.better, column.pairs.worse, column.segment[column.pairs.better]


def tau_plain(
    scores: list[float], better: np.ndarray, worse: np.ndarray, segment: np.ndarray, resamples: int
) -> list[float]:
    """The definition: draw segments, then go through the pairs of each."""
    pairs: dict[int, list[tuple[int, int]]] = {}
    for b, w, s in zip(better.tolist(), worse.tolist(), segment.tolist(), strict=True):
        pairs.setdefault(s, []).append((b, w))
    names = list(pairs)
    draw = random.Random(0)
    taus = []
    for _ in range(resamples):
        right = wrong = 0
        for name in draw.choices(names, k=len(names)):
            for b, w in pairs[name]:
                if scores[b] > scores[w]:
                    right += 1
                else:
                    wrong += 1
        taus.append((right - wrong) / (right + wrong))
    return taus


def main() -> None:
    permutation_tests()
    bootstrapped_tau()


if __name__ == "__main__":
    main()

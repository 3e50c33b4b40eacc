"""Guzmán et al. 2015, Table 1, section I: the four plain metrics on WMT12 into English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.judgements.detection import read
from concordant.meta.evaluation import evaluate
from concordant.meta.experiments.figures import Experiment, Figure, figure
from concordant.meta.options import Options

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
# Strict tau × 100 as printed: cs, de, es, fr, average.
PUBLISHED = {
    "bleu": (15.88, 18.56, 18.57, 20.83, 18.46),
    "nist": (19.66, 23.09, 20.41, 22.21, 21.34),
    "ter": (17.80, 25.31, 22.86, 21.05, 21.75),
    "meteor": (20.82, 26.79, 23.81, 22.93, 23.59),
}
TOLERANCE = 1.0  # of the average; single pairs are printed beside, not checked


def run(data: Path) -> list[Figure]:
    """Strict tau × 100 of each metric on each language pair and on average."""
    options = Options(statistic="tau-wmt12", pairs=PAIRS, baseline="bleu")
    result = evaluate(list(PUBLISHED), read(data / "wmt12"), options)
    figures = []
    for row in result.rows:
        published = dict(zip((*PAIRS, "average"), PUBLISHED[row.metric], strict=True))
        for column, estimate in row.estimates.items():
            pair = column.rpartition(" ")[2]
            if estimate is not None:
                tolerance = TOLERANCE if pair == "average" else None
                figures.append(
                    figure(row.metric, pair, published[pair], estimate, tolerance, scale=100.0)
                )
    return figures


EXPERIMENT = Experiment(
    name="guzman2015-metrics",
    title="Strict tau × 100 of BLEU, NIST, TER and METEOR on WMT12 into English",
    source="Guzmán et al. 2015, Table 1, section I",
    needs=("wmt12",),
    run=run,
    note="Averages must lie within 1.0 of the paper's, whose versions of the tools are not known.",
)

"""Sentence BLEU and chrF on WMT12 into English by the strict tau that Guzmán et al. report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.evaluation.evaluation import evaluate
from concordant.evaluation.options import EvaluationOptions
from concordant.experiments.figures import Experiment, Figure, evaluation_figures
from concordant.judgements.detection import read

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
# Strict tau of sacrebleu's sentence scores (exp smoothing, effective order), measured beforehand.
EXPECTED = {
    "bleu": (0.1574, 0.1832, 0.1917, 0.1991),
    "chrf": (0.2373, 0.2631, 0.2399, 0.2505),
}
TOLERANCE = 0.0005


def run(data: Path) -> list[Figure]:
    """Strict tau of both measures on each language pair and on average."""
    options = EvaluationOptions(
        statistic="tau-wmt12", pairs=PAIRS, entities="text", baseline="bleu"
    )
    result = evaluate(list(EXPECTED), read(data / "wmt12"), options)
    figures = []
    for row in result.rows:
        mean = sum(EXPECTED[row.metric]) / len(PAIRS)
        expected = dict(zip((*PAIRS, "average"), (*EXPECTED[row.metric], mean), strict=True))
        figures += evaluation_figures(row, expected, TOLERANCE)
    return figures


EXPERIMENT = Experiment(
    name="wmt12-baselines",
    title="Strict tau of sentence BLEU and chrF on WMT12 into English",
    source="sacrebleu's scores on the official rankings; Guzmán et al. 2015 print 15.9, 18.6, 18.6 "
    "and 20.8 for the BLEU of their time",
    needs=("wmt12",),
    run=run,
    against="expected",
)

"""Guzmán et al. 2015, Table 1, section I: the four plain metrics on WMT12 into English.

BLEU, NIST and METEOR are compared by the strict tau, where a metric's tie counts against it. Plain
TER ties one judged pair in six (a whole number of edits over one reference length), so that its
strict tau is far below the printed one; with ties worth nothing it is the printed one. Both stand
in the table, the second is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.judgements.detection import read
from concordant.meta.evaluation import evaluate
from concordant.meta.experiments.figures import Experiment, Figure, figure
from concordant.meta.options import Options

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.meta.evaluation import Row

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
# Tau × 100 as printed: cs, de, es, fr, average.
PUBLISHED = {
    "bleu": (15.88, 18.56, 18.57, 20.83, 18.46),
    "nist": (19.66, 23.09, 20.41, 22.21, 21.34),
    "ter": (17.80, 25.31, 22.86, 21.05, 21.75),
    "meteor": (20.82, 26.79, 23.81, 22.93, 23.59),
}
TOLERANCE = 1.0  # of the average; language pairs are shown beside, not checked


def run(data: Path) -> list[Figure]:
    """Tau × 100 of each metric on each language pair and on average."""
    judged = read(data / "wmt12")
    strict = evaluate(
        list(PUBLISHED), judged, Options(statistic="tau-wmt12", pairs=PAIRS, baseline="bleu")
    )
    ties_aside = evaluate("ter", judged, Options(statistic="tau-wmt14", pairs=PAIRS))
    figures: list[Figure] = []
    for row in strict.rows:
        figures += _figures(row, row.metric, checked=row.metric != "ter")
    return figures + _figures(ties_aside.rows[0], "ter, ties worth 0", checked=True)


def _figures(row: Row, name: str, *, checked: bool) -> list[Figure]:
    published = dict(zip((*PAIRS, "average"), PUBLISHED[row.metric], strict=True))
    found = []
    for column, estimate in row.estimates.items():
        pair = column.rpartition(" ")[2]
        tolerance = TOLERANCE if checked and pair == "average" else None
        if estimate is not None:
            found.append(figure(name, pair, published[pair], estimate, tolerance, scale=100.0))
    return found


EXPERIMENT = Experiment(
    name="guzman2015-metrics",
    title="Tau × 100 of BLEU, NIST, TER and METEOR on WMT12 into English, strict but for one row",
    source="Guzmán et al. 2015, Table 1, section I",
    needs=("wmt12",),
    run=run,
    note="Averages must lie within 1.0 of the paper's; its versions of the tools are not known. "
    "Strict tau counts a metric's tie against it, and plain TER ties 17 % of the pairs.",
)

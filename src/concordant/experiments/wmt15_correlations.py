"""WMT15's system-level correlations of all metrics (Stanojević et al. 2015), to nine digits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from concordant.evaluation.evaluation import evaluate
from concordant.evaluation.options import EvaluationOptions
from concordant.experiments.figures import Experiment, Figure, figure
from concordant.judgements.detection import read
from concordant.judgements.files import read_table

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.records import Estimate

FOLDER = "wmt15/system-level"
TOLERANCE = 1e-9


def run(data: Path) -> list[Figure]:
    """Pearson's r of every metric on every language pair, beside the organisers' own."""
    folder = data / FOLDER
    result = evaluate(
        [str(folder)], read(folder), EvaluationOptions(level="system", statistic="pearson")
    )
    ours = {
        (row.metric, column.rpartition(" ")[2]): estimate
        for row in result.rows
        for column, estimate in row.estimates.items()
        if estimate is not None
    }
    figures = []
    for path in sorted(folder.glob("wmt-r.*.csv")):
        for _, row in read_table(path, delimiter=None, required=("LP", "R", "N", "METRIC")):
            size = _size(ours[row["METRIC"], row["LP"]])
            figures.append(figure(row["METRIC"], row["LP"], abs(float(row["R"])), size, TOLERANCE))
    return figures


def _size(estimate: Estimate) -> Estimate:
    """The size of a correlation; its interval is mirrored where it was negative."""
    if estimate.value >= 0 or estimate.low is None or estimate.high is None:
        return estimate
    return replace(estimate, value=-estimate.value, low=-estimate.high, high=-estimate.low)


EXPERIMENT = Experiment(
    name="wmt15-correlations",
    title="Pearson's r of the WMT15 metrics with people, system level",
    source="Stanojević et al. 2015, from the organisers' own files",
    needs=(FOLDER,),
    run=run,
    note="The size of r on both sides: the organisers published it so, except for BS on fr-en.",
)

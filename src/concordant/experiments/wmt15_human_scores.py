"""Human scores of the WMT15 systems from the raw rankings, against the organisers' TrueSkill."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.evaluation.system_scores import human_scores
from concordant.experiments.figures import Experiment, Figure
from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.judgements.merging import merge
from concordant.stats.correlation import pearson, pearson_rows
from concordant.stats.quantiles import percentile_interval
from concordant.stats.resampling import bootstrap_weights

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.judgements.judged_columns import Floats

WANTED = {"expected-wins": 0.97, "bradley-terry": 0.97, "trueskill": 0.998}  # by method
RESAMPLES = 1000
SEED = 0


def run(data: Path) -> list[Figure]:
    """Pearson's r of each method's scores with the official ones, on every language pair."""
    files = sorted((data / "wmt15").glob("wmt15.*.csv.gz"))
    rankings = JudgedSet.of(merge(read(path) for path in files), "rankings").columns()
    official = {
        column.pair: dict(zip(column.systems, human_scores(column), strict=True))
        for column in JudgedSet.of(read(data / "wmt15/system-level"), "system ratings").columns()
    }
    figures = []
    for column in rankings:
        published = np.array([official[column.pair][system] for system in column.systems])
        for method, least in WANTED.items():
            ours = human_scores(column, method=method)
            low, high = _interval(ours, published)
            r = pearson(ours, published)
            figures.append(Figure(method, column.pair, None, r, None, low, high, least=least))
    return figures


def _interval(ours: Floats, published: Floats) -> tuple[float, float]:
    """The 95 % interval of their correlation, by bootstrap over systems."""
    weights = bootstrap_weights(len(ours), RESAMPLES, np.random.default_rng(SEED))
    return percentile_interval(pearson_rows(ours, published, weights))


EXPERIMENT = Experiment(
    name="wmt15-human-scores",
    title="Pearson's r of our human system scores with the official ones of WMT15",
    source="official scores: Bojar et al. 2015 (TrueSkill); wanted: at least 0.97, TrueSkill 0.998",
    needs=("wmt15",),
    run=run,
    against="expected",
    note="The correlation over 7 to 16 systems; the rankings are the organisers' two-way csv.",
)

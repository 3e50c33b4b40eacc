"""Gupta et al. 2015, Tables 1 to 4 and §6: ReVal on WMT14 and WMT12 into English.

The paper's scores come from WMT13's rankings of all pairs. WMT13's ru-en is not available here, and
only fr-en has its ranks as the judges gave them; rankings of WMT15 and WMT16 stand in.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from concordant.evaluation.comparisons import measure
from concordant.evaluation.judged_scorer import JudgedScorer
from concordant.evaluation.options import EvaluationOptions
from concordant.experiments.figures import (
    Experiment,
    Figure,
    chosen_tables,
    difference_of,
    figure,
    mean_of,
    row_figures,
)
from concordant.experiments.paper_tables import paper_tables
from concordant.experiments.tree_runs import (
    SEEDS,
    Scored,
    Setting,
    column_inputs,
    mean_scored,
    mix,
    read_ranked,
    score_setting,
    test_columns,
    train_setting,
)
from concordant.metrics.find import load

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from concordant.encoders.encoders import Track
    from concordant.experiments.figures import Resampled
    from concordant.experiments.tree_runs import Ranked
    from concordant.judgements.judged_columns import Column

    Found = dict[str, dict[str, Resampled]]  # row → column → what was measured
    # Row → the metrics of which it is the mean.
    Rows = Mapping[str, Sequence[Scored | JudgedScorer]]

PAPER = paper_tables("gupta2015")
PAIRS = ("cs-en", "de-en", "fr-en", "hi-en", "ru-en")  # WMT14's, in the order of Tables 3 and 4
PAIRS12 = ("cs-en", "de-en", "es-en", "fr-en")
MAIN, LSTM, LARGE = "L+Sick(50,150)", "L+Sick(lstm)", "XL+Sick(100,300)"
MIX = "L+Sick(mix)"
SETTINGS = {
    "L+Sick(lstm)": Setting("L+Sick", 50, 150, "sequence"),
    "LNF(50,150)": Setting("LNF", 50, 150),
    "L(50,150)": Setting("L", 50, 150),
    "L+Sick(50,150)": Setting("L+Sick", 50, 150),
    "L+Sick(100,300)": Setting("L+Sick", 100, 300),
    "XL+Sick(100,300)": Setting("XL+Sick", 100, 300),
    "L+Sick(100,150)": Setting("L+Sick", 100, 150),
}
FOR_LONG, LENGTH = "L+Sick(100,150)", 20  # MAIN up to so many words: the mix
# Whose networks stand beside their row, one by one and all together.
SINGLE, TOGETHER = (LSTM, MAIN, LARGE), ", together"
MEASURES = {"bleu": "BLEU", "meteor": "METEOR", "chrf": "chrF", "nist": "NIST", "ter": "TER"}
# Metrics that ship, and the part that each needs. pair would encode 280,000 texts for half a day.
SHIPPED = ("fast", "fast-any")
TABLES = {
    1: "variances by Algorithm 1",
    2: "sizes of the sets",
    3: "agreement over systems",
    4: "agreement over segments",
}
SPEARMAN, STRICT = "Spearman", "average by WMT12's tau"  # the last columns of Tables 3 and 4
OFFICIAL = {"wmt14": "trueskill", "wmt12": "better"}  # how each year scored its systems
CORES = os.cpu_count() or 1


def run(
    data: Path, tables: Sequence[int] | None = None, *, track: Track | None = None
) -> list[Figure]:
    """The tables asked for (all of them, if none is), the paper's figures and ours."""
    chosen = chosen_tables(tables, TABLES)
    ranked = read_ranked(data, track=track)
    figures: list[Figure] = []
    if 1 in chosen:
        figures += _variances(ranked)
    if 2 in chosen:
        figures += _sizes(ranked)
    if not {3, 4} & set(chosen):
        return figures
    columns = {
        "wmt14": test_columns(data, "wmt14", PAIRS),
        "wmt12": test_columns(data, "wmt12", PAIRS12),
    }
    rows = _rows(_networks(ranked, columns, track))
    if 3 in chosen:
        figures += _system_table(rows, columns)
    if 4 in chosen:
        figures += _segment_table(rows, columns)
    return figures


def _variances(ranked: Ranked) -> list[Figure]:
    figures = []
    for n, limit in ranked.limits.items():
        column = f"n {'≥' if n == max(ranked.limits) else '='} {n}"
        for row, found in (
            ("1 largest variance", limit.variance),
            ("1 translations kept", float(limit.kept)),
            ("1 translations in all", float(limit.of)),
        ):
            figures.append(Figure(row, column, PAPER.published(row).get(column), found))
    return figures


def _sizes(ranked: Ranked) -> list[Figure]:
    sides = zip(("train", "dev", "test"), ("training", "validation", "test"), strict=True)
    places = list(sides)
    return [
        Figure(f"2 {name}", column, PAPER.published(f"2 {name}")[column], len(rows[side]))
        for name, rows in ranked.rows.items()
        for column, side in places
    ]


def _networks(
    ranked: Ranked, columns: Mapping[str, Sequence[Column]], track: Track | None
) -> dict[str, list[Scored]]:
    """The networks of each setting, and of the mix of two of them.

    Two settings are trained at a time, the largest first; the tested texts are parsed meanwhile.
    """
    show = track or (lambda items, _: items)
    every = [column for year in columns.values() for column in year]
    order = sorted(SETTINGS, key=lambda name: -_work(ranked, SETTINGS[name]))
    networks: dict[str, list[Scored]] = {}
    with ProcessPoolExecutor(min(2, CORES)) as pool:
        trained = {
            name: pool.submit(train_setting, SETTINGS[name], ranked.sides(SETTINGS[name]))
            for name in order
        }
        tests = column_inputs(ranked.preparation, every)
        scored = {
            name: pool.submit(score_setting, name, SETTINGS[name], each.result(), tests)
            for name, each in show(list(trained.items()), "training")
        }
        for name, each in show(list(scored.items()), "scoring"):
            networks[name] = each.result()
    mix = [
        mix(f"{MIX}, network {seed}", short, long, tests, length=LENGTH)
        for seed, short, long in zip(SEEDS, networks[MAIN], networks[FOR_LONG], strict=True)
    ]
    return {**{name: networks[name] for name in SETTINGS}, MIX: mix}


def _rows(networks: Mapping[str, Sequence[Scored]]) -> Rows:
    """All rows: settings, of which each is what one of its networks has on average; then others.

    Of some settings there are also all networks together, which is the mean of their scores, and
    every one of them alone.
    """
    together = {name + TOGETHER: networks[name] for name in SINGLE}
    return {
        **networks,
        **{name: [mean_scored(name, each)] for name, each in together.items()},
        **{MEASURES[name]: [JudgedScorer(load(name))] for name in MEASURES},
        **{name: [JudgedScorer(load(name))] for name in SHIPPED},
        **{each.name: [each] for name in SINGLE for each in networks[name]},
    }


def _work(ranked: Ranked, setting: Setting) -> int:
    return len(ranked.rows[setting.data]["training"]) * setting.memory**2


def _system_table(rows: Rows, columns: Mapping[str, Sequence[Column]]) -> list[Figure]:
    figures = []
    pearson, spearman = (
        _measure(rows, columns["wmt14"], each, "system", OFFICIAL["wmt14"])
        for each in ("pearson", "spearman")
    )
    for name, drawn in pearson.items():
        known = PAPER.published(f"3 {name}")
        figures += row_figures(f"3 {name}", drawn, known)
        mean = mean_of(spearman[name].values())
        figures.append(figure(f"3 {name}", SPEARMAN, known.get(SPEARMAN), mean))
    for column, statistic in (("Pearson", "pearson"), (SPEARMAN, "spearman")):
        figures += _wmt12(rows, columns["wmt12"], statistic, column, "system")
    return figures


def _segment_table(rows: Rows, columns: Mapping[str, Sequence[Column]]) -> list[Figure]:
    figures = []
    loose, strict = (
        _measure(rows, columns["wmt14"], each, "segment") for each in ("tau-wmt14", "tau-wmt12")
    )
    for name, drawn in loose.items():
        known = PAPER.published(f"4 {name}")
        figures += row_figures(f"4 {name}", drawn, known)
        mean = mean_of(strict[name].values())
        figures.append(figure(f"4 {name}", STRICT, known.get(STRICT), mean))
    tree, lstm = (PAPER.published(f"4 {name}")["average"] for name in (MAIN, LSTM))
    for kind, printed_gap in (("", tree - lstm), (TOGETHER, None)):
        gap = difference_of(*(mean_of(loose[name + kind].values()) for name in (MAIN, LSTM)))
        label = f"4 {MAIN} minus {LSTM}{kind}"
        figures.append(figure(label, "average", printed_gap, gap, least=0.0))
    for statistic in ("tau-wmt12", "tau-wmt14"):
        figures += _wmt12(rows, columns["wmt12"], statistic, statistic, "segment")
    return figures


def _wmt12(
    rows: Rows, columns: Sequence[Column], statistic: str, column: str, level: str
) -> list[Figure]:
    """The averages of all rows on WMT12, which the paper has in its §6."""
    figures = []
    for name, drawn in _measure(rows, columns, statistic, level, OFFICIAL["wmt12"]).items():
        known = PAPER.published(f"§6 {name}").get(column)
        figures.append(figure(f"§6 {name}", column, known, mean_of(drawn.values())))
    return figures


def _measure(
    rows: Rows,
    columns: Sequence[Column],
    statistic: str,
    level: str,
    scored: str = "expected-wins",
) -> Found:
    asked = EvaluationOptions(level=level, statistic=statistic, system_scores=scored)
    drawn = {
        each.name: measure(
            each.judged(columns) if isinstance(each, Scored) else each, columns, statistic, asked
        )[0]
        for each in {one.name: one for row in rows.values() for one in row}.values()
    }
    return {
        name: {
            column.pair: mean_of(drawn[each.name][column.name] for each in row)
            for column in columns
        }
        for name, row in rows.items()
    }


EXPERIMENT = Experiment(
    name="gupta2015",
    title="Agreement of ReVal, a Tree-LSTM trained on scores from rankings, with people, WMT14",
    source="Gupta et al. 2015, Tables 1 to 4 and §6",
    needs=("wmt12", "wmt13", "wmt14", "wmt15", "wmt16", "similarity"),
    run=run,
    tables=TABLES,
    note="Scores are computed from rankings of WMT13 (without ru-en; all but fr-en joined from "
    "judged pairs, with ranks spread as in fr-en), WMT15 and WMT16, and from SICK; WMT12 and "
    "WMT14 are not trained on. The epoch is chosen by r on dev. A row is what one network has on "
    "average over four, which differ in their seed; the paper's is one. Of three rows there are "
    "also the four together, whose score is the mean of theirs, and each alone. fast has "
    "learned from ratings of WMT15 and WMT16 and judged pairs of WMT13. People's "
    "scores of systems are made of the judgements in the year's official way: TrueSkill for "
    "WMT14, with ties put back, the share of wins for WMT12; intervals of the former are over "
    "systems. Metrics score whole test sets.",
)

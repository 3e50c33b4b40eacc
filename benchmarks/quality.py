"""How well the shipped metrics, BLEU, chrF, METEOR and Blend agree with people.

On WMT16 direct assessment, the regressions and Blend are retrained without the language pair they
are tested on (with the settings that were chosen on all pairs). No metric was trained on the
rankings of WMT12 and WMT14. `pair` has a large encoder, so it is measured only on every tenth
segment of these, and all other metrics on the same segments too. `reval` was trained on rankings of
WMT16, so it is not measured on its direct assessment.
Needs CONCORDANT_DATA and the parts minilm, mpnet, meteor-en, parser-en, glove-840b, glove-100 and
glove-50; a metric whose part is missing is left out:

    python benchmarks/quality.py > benchmarks/quality.md

The figures are also written to benchmarks/quality.json, which the metrics' cards use.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from concordant._version import __version__
from concordant.errors import ConcordantError
from concordant.evaluation.evaluation import evaluate
from concordant.evaluation.options import EvaluationOptions
from concordant.experiments.figures import mean_of
from concordant.experiments.regression_runs import (
    CORES,
    PAIRS,
    Predicted,
    agreement,
    feature_files,
    leave_one_out,
    read_rated,
    sides_for,
)
from concordant.judgements.detection import read
from concordant.metrics.bundle import load, shipped, training_record
from concordant.models.regression.calibration import shares_below
from concordant.models.regression.forward import calibrate
from concordant.stats.resampling import estimate_from
from concordant.training.judged_inputs import judged_inputs
from concordant.training.material import gather

sys.path.insert(0, str(Path(__file__).parent.parent / "shipping"))
from train import METRICS, SOURCES, recipe_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.judgements.judged_translations import RatedTranslations
    from concordant.metrics.learned import Metric
    from concordant.records import Collection
    from concordant.training.recipe import Recipe

    Column = dict[str, str]

MEASURES = ("bleu", "chrf", "meteor")
SHARE, RAW = "WMT16 direct assessment, r", "the same, raw scores, r"
RANKED = {"WMT12 rankings, strict tau": "wmt12", "WMT14 rankings, strict tau": "wmt14"}
SLOW, EACH = ("pair",), 10  # metrics, and every which segment they are measured on
RANKED_16 = ("reval", "base")  # metrics that have learned from WMT16's rankings
TENTH = "every tenth segment of {}"
OUT_OF_ENGLISH = "WMT16 rankings out of English, strict tau"
OUT = ("en-cs", "en-de", "en-fi", "en-ro", "en-tr")
ANY_LANGUAGE = ("fast-any", "bleu", "chrf")
FIFTHS, FEWEST = range(0, 100, 20), 20  # of the scale; translations that a mean is taken of
MEANT = """\
A score is the share of translations that people can be expected to rate lower. For WMT16's
translations in each fifth of the scale, a cell has their mean score, the percentage of WMT15 and
WMT16 translations that people rated lower, and in brackets the number of translations:
"""
FIGURES = Path(__file__).parent / "quality.json"


def at_hand() -> list[str]:
    """The metrics that ship and whose parts are installed."""
    found = []
    for name in shipped():
        try:
            if not load(name).needs.references:
                continue  # benchmarks/languages.py measures it
        except ConcordantError as fault:
            print(f"{name} is left out: {fault}", file=sys.stderr)
        else:
            found.append(name)
    return found


def direct_assessment(data: Path, names: Sequence[str]) -> tuple[Column, Column, list[str]]:
    """Pearson's r on WMT16's direct assessment, the average of six pairs: scores, and raw ones.

    Beside them, whether scores mean what they say, as rows of a table.
    """
    rated = read_rated(data)
    scores: Column = {}
    raw: Column = {}
    meant: list[str] = []
    for name in names:
        metric = load(name) if name in shipped() else None
        if metric is not None and name in SOURCES and metric.kind == "regression":
            found = left_out(metric, recipe_as_shipped(name, data), rated)
            shares = {p: calibrate(found.scores[p], found.calibration[p]) for p in PAIRS}
            raw[name] = average_r(rated, found.scores)
            scores[name] = average_r(rated, shares)
            meant.append(f"| {name} | " + " | ".join(meanings(rated, shares)) + " |")
        else:
            scores[name] = average_r(rated, scored(name, rated))
        print(f"{SHARE}: {name} {scores[name]}, raw {raw.get(name, '–')}", file=sys.stderr)
    files = feature_files(data / "peers" / "blend-features", rated, ["DPMF"])
    scores["Blend"] = average_r(rated, leave_one_out(rated, files).scores)
    return scores, raw, meant


def meanings(rated: RatedTranslations, shares: dict[str, np.ndarray]) -> list[str]:
    """Of translations with scores in each fifth: their mean score, what people say, how many."""
    human = {p: rated.ratings[rated.rows[sides_for(rated, p)[1]]] for p in PAIRS}
    crowd = rated.ratings[rated.rows]
    said = 100 * shares_below(np.concatenate([human[p] for p in PAIRS]), crowd)
    scores = np.concatenate([shares[p] for p in PAIRS])
    cells = []
    for low in FIFTHS:
        there = (scores >= low) & (scores < low + 20)
        few = there.sum() < FEWEST
        means = "–" if few else f"{scores[there].mean():.1f}: {said[there].mean():.1f}"
        cells.append(f"{means} ({there.sum():,})")
    return cells


def left_out(metric: Metric, recipe: Recipe, rated: RatedTranslations) -> Predicted:
    """Raw scores of each pair by the metric trained again, as it ships, without that pair."""
    prepared, pairs = metric.preparation, gather(recipe).pairs["beside"]
    beside = judged_inputs(prepared, pairs, pairs.judged, threads=CORES), pairs
    inputs = judged_inputs(prepared, rated, rated.rows, threads=CORES)
    return leave_one_out(rated, inputs, recipe=recipe, preparation=prepared, beside=beside)


def recipe_as_shipped(name: str, data: Path) -> Recipe:
    """The recipe of a metric that ships, with the settings that its own search chose."""
    chosen = training_record(METRICS / name)
    grid = {
        f"search__{key.removeprefix('chosen_')}": [value]
        for key, value in chosen.items()
        if key.startswith("chosen_")
    }
    return recipe_of(name, data).with_values(**grid)


def scored(name: str, rated: RatedTranslations) -> dict:
    """Scores of each pair's translations, by a metric that has not learned from their ratings."""
    measure, found = load(name), {}
    for pair in PAIRS:
        rows = rated.rows[sides_for(rated, pair)[1]]
        texts = [rated.translations[i] for i in rows], [list(rated.references[i]) for i in rows]
        found[pair] = measure.score(*texts, threads=CORES).segments
    return found


def average_r(rated: RatedTranslations, scores: dict) -> str:
    """The average over the pairs with its interval, in words."""
    mean = mean_of(agreement(rated, scores).values())
    return str(estimate_from(mean.value, mean.resampled, mean.n))


def rankings(judged: Collection, names: Sequence[str], pairs: tuple[str, ...]) -> Column:
    """The strict tau on rankings of a year, all language pairs pooled."""
    result = evaluate(list(names), judged, EvaluationOptions(statistic="tau-wmt12", pairs=pairs))
    found = {row.metric: str(row.estimates["average"]) for row in result.rows}
    print(f"strict tau {pairs[0]}: {found}", file=sys.stderr)
    return found


def thinned(judged: Collection) -> Collection:
    """The rankings of every tenth segment."""
    return replace(
        judged,
        rankings=tuple(each for each in judged.rankings if each.segment % EACH == 0),
        preferences=tuple(each for each in judged.preferences if each.segment % EACH == 0),
    )


def page(columns: dict[str, Column], meant: list[str], names: Sequence[str]) -> str:
    """The tables and the signatures, as Markdown."""
    lines = [f"# Agreement with people, concordant {__version__}\n", f"{(__doc__ or '').strip()}\n"]
    lines += ["| metric | " + " | ".join(columns) + " |", "|" + "---|" * (1 + len(columns))]
    for name in (*names, *MEASURES, "Blend"):
        cells = [column.get(name, "–") for column in columns.values()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines.append(f"\nOut of English: {', '.join(OUT)}.\n")
    lines += [MEANT, "| scores of | " + " | ".join(f"{low} to {low + 20}" for low in FIFTHS) + " |"]
    lines += ["|" + "---|" * (1 + len(FIFTHS)), *meant, ""]
    lines += [f"- {load(name).signature()}" for name in names]
    return "\n".join(lines)


def main() -> None:
    """The page, on standard output, and the figures in their file."""
    data = Path(os.environ["CONCORDANT_DATA"])
    names = at_hand()
    quick = [*(name for name in names if name not in SLOW), *MEASURES]
    unseen = [name for name in quick if name not in RANKED_16]
    scores, raw, meant = direct_assessment(data, unseen)
    columns = {SHARE: scores, RAW: raw}
    for title, folder in RANKED.items():
        judged = read(data / folder)
        columns[title] = rankings(judged, quick, ("*-en",))
        few = thinned(judged)
        columns[TENTH.format(title)] = rankings(few, [*names, *MEASURES], ("*-en",))
    columns[OUT_OF_ENGLISH] = rankings(read(data / "wmt16"), ANY_LANGUAGE, OUT)
    FIGURES.write_text(json.dumps(columns, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(page(columns, meant, names))


if __name__ == "__main__":
    main()

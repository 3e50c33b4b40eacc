"""How far the metrics that ship agree with people, beside others, as a page.

Direct assessment of WMT16 is left out a language pair at a time: `fast`, `fast-any` and `base` are
trained again without the pair that they are tested on, as Blend is (with the settings that were
chosen on all pairs). Rankings of WMT12 and WMT14 are
no metric's training data. Needs CONCORDANT_DATA and the part minilm:

    python benchmarks/quality.py > benchmarks/quality.md
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from concordant._version import __version__
from concordant.bundle import load, place_of, training_record
from concordant.judgements.detection import read
from concordant.meta.evaluation import evaluate
from concordant.meta.experiments.regression_runs import (
    PAIRS,
    agreement,
    average,
    feature_files,
    leave_one_out,
    read_rated,
    sides_for,
    text_inputs,
)
from concordant.meta.options import Options
from concordant.models.regression import calibrated
from concordant.scoring.named import scorer_named
from concordant.training.judged_texts import judged_pairs
from concordant.training.recipe import Recipe, read_recipe
from concordant.training.splitting import limited

METRICS = Path(__file__).parent.parent / "src" / "concordant" / "metrics"
LEARNT, MEASURES = ("fast", "fast-any", "base"), ("bleu", "chrf", "meteor")
RANKED = {"WMT12": "wmt12", "WMT14": "wmt14"}
OUT = ("en-cs", "en-de", "en-fi", "en-ro", "en-tr")


def direct_assessment(data: Path, names: list[str]) -> dict[str, str]:
    """Pearson's r on WMT16's direct assessment, the average of six pairs, each left out."""
    rated = read_rated(data)
    pairs = judged_pairs(
        replace(read(data / "wmt13"), rankings=()), language_pairs=["*-en"]
    ).majority()
    found = {}
    for name in names:
        if name in LEARNT:
            recipe = as_shipped(name)
            spec = recipe["inputs.features"], recipe["inputs.vectors"]
            beside = limited(pairs, recipe["data.beside_pairs"], recipe["seed"])
            given = text_inputs(rated, *spec, others=beside), beside
            row = leave_one_out(rated, text_inputs(rated, *spec), recipe=recipe, beside=given)
            points = load(name).params["calibration"]
            scores = {pair: calibrated(values, points) for pair, values in row.scores.items()}
        else:
            rows = {pair: rated.rows[sides_for(rated, pair)[1]] for pair in PAIRS}
            measure = scorer_named(name)
            scores = {pair: _scores(measure, rated, each) for pair, each in rows.items()}
        found[name] = str(average(agreement(rated, scores), 560 * len(PAIRS)))
        print(f"da16 {name}: {found[name]}", file=sys.stderr)
    files = feature_files(data / "peers" / "blend-features", rated, ["DPMF"])
    blend = agreement(rated, leave_one_out(rated, files).scores)
    return {**found, "Blend": str(average(blend, 560 * len(PAIRS)))}


def as_shipped(name: str) -> Recipe:
    """The recipe of a metric that ships, with the settings that its own search chose."""
    chosen = training_record(METRICS / name)
    grid = {
        f"search__{key.removeprefix('chosen_')}": [value]
        for key, value in chosen.items()
        if key.startswith("chosen_")
    }
    return read_recipe(name).with_values(search__folds=2, **grid)


def _scores(measure, rated, rows):
    texts = [rated.hypotheses[i] for i in rows], [list(rated.references[i]) for i in rows]
    return measure.score(*texts).segments


def rankings(data: Path, folder: str, names: list[str], pairs: tuple[str, ...]) -> dict[str, str]:
    """The strict tau on rankings of a year, all language pairs pooled."""
    result = evaluate(names, read(data / folder), Options(statistic="tau-wmt12", pairs=pairs))
    return {row.metric: str(row.estimates["average"]) for row in result.rows}


def main() -> None:
    """The page, on standard output."""
    data = Path(os.environ["CONCORDANT_DATA"])
    names = [name for name in LEARNT if place_of(name) is not None]
    every = [*names, *MEASURES]
    columns = {"da16, Pearson's r": direct_assessment(data, every)}
    for title, folder in RANKED.items():
        columns[f"{title}, strict tau"] = rankings(data, folder, every, ("*-en",))
        print(title, columns[f"{title}, strict tau"], file=sys.stderr)
    any_language = ["fast-any", "bleu", "chrf"]
    columns["WMT16 out of English, strict tau"] = rankings(data, "wmt16", any_language, OUT)
    print(f"# Agreement with people, concordant {__version__}\n\n{__doc__.strip()}\n")
    print("| metric | " + " | ".join(columns) + " |\n|" + "---|" * (1 + len(columns)))
    for name in [*every, "Blend"]:
        cells = [column.get(name, "–") for column in columns.values()]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"\nOut of English: {', '.join(OUT)}.\n")
    for name in names:
        print(f"- {load(name).signature()}")


if __name__ == "__main__":
    main()

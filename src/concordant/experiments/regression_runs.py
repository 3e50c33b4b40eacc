"""Regressions of direct assessment, leaving one language pair of WMT16 out (Shimanaka et al. 2018).

To test on a pair's 560 translations of WMT16, a model learns from all others: WMT15's, and
those of WMT16's other pairs, 4,800 in all. Its settings are chosen by cross-validation on these.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import DataError, Fault
from concordant.experiments.figures import Resampled
from concordant.features.preparation import Inputs
from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.judgements.merging import merge
from concordant.models.regression import forward as regression
from concordant.models.regression.fitting import train_regression
from concordant.stats.measured import Additive, moments, pearson_from_moments
from concordant.stats.resampling import bootstrap_weights
from concordant.training.judged_inputs import fit_preparation, judged_inputs
from concordant.training.material import unfitted_preparation
from concordant.training.recipe import read_recipe
from concordant.training.splitting import draw_empty

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from concordant.encoders.encoders import Track
    from concordant.features.preparation import Preparation
    from concordant.judgements.judged_translations import (
        Floats,
        Ints,
        JudgedPairs,
        RatedTranslations,
    )
    from concordant.training.recipe import Recipe

PAIRS = ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en")
TESTED = "DAseg-newstest2016"
RESAMPLES = 1000
SEED = 0
CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class Predicted:
    """A row of the table: predictions for each tested pair, and the cross-validation score.

    `crossed` is the mean of Pearson's r over folds of the training data, by tested pair; it chooses
    among rows without a look at the test. `calibration` is each model's own, if the recipe has one.
    """

    scores: dict[str, Floats]
    crossed: dict[str, float]
    calibration: dict[str, Floats] = field(default_factory=dict)


def read_rated(data: Path) -> RatedTranslations:
    """Direct assessment into English of WMT15 and WMT16, in the order of Blend's files."""
    both = merge([read(data / "da15"), read(data / "da16")])
    rated = JudgedSet.of(both, "ratings", language_pairs=["*-en"]).rated()
    order = sorted(range(len(rated)), key=lambda i: (rated.places[i][1], *rated.places[i][::2]))
    return replace(rated, rows=np.array(order, dtype=np.int64))


def sides_for(rated: RatedTranslations, pair: str) -> tuple[Ints, Ints]:
    """Which of the rated translations are trained and which are tested on for a language pair."""
    here = np.array([rated.places[i][:2] == (pair, TESTED) for i in rated.rows])
    return np.flatnonzero(~here), np.flatnonzero(here)


def feature_files(folder: Path, rated: RatedTranslations, leave_out: Sequence[str]) -> Inputs:
    """Scores of metrics, one per line for each rated translation in order, as inputs."""
    columns = []
    for path in sorted(folder.iterdir()):
        if path.name in leave_out:
            continue
        values = np.array(path.read_text(encoding="utf-8").split(), dtype=np.float64)
        if len(values) != len(rated):
            message = f"{len(values)} lines, where there are {len(rated)} rated translations"
            raise DataError([Fault(str(path), None, message)])
        columns.append(values)
    features = np.zeros((len(rated.places), len(columns)))
    features[rated.rows] = np.stack(columns, axis=1)
    return Inputs(features, np.zeros((len(rated.places), 2, 0)))


def text_inputs(
    rated: RatedTranslations, features: str, vectors: str, *, track: Track | None = None
) -> Inputs:
    """The inputs of the rated translations that specs name.

    What is learned from texts (idf) is of the rated translations' references, and of no judgement.
    """
    recipe = read_recipe("shimanaka2018").with_values(
        inputs__features=features, inputs__vectors=vectors
    )
    texts = [text for i in rated.rows for text in rated.references[i]]
    preparation = fit_preparation(unfitted_preparation(recipe), texts)
    return judged_inputs(preparation, rated, rated.rows, threads=CORES, track=track)


def leave_one_out(
    rated: RatedTranslations,
    inputs: Inputs,
    *,
    recipe: Recipe | None = None,
    preparation: Preparation | None = None,
    beside: tuple[Inputs, JudgedPairs] | None = None,
    track: Track | None = None,
) -> Predicted:
    """Each pair's translations of WMT16, rated by a model that learned from all the others.

    `recipe` is the paper's, unless another is given; `beside` are judged pairs to learn from too,
    `preparation` makes the inputs of empty translations, where the recipe learns from those.
    """
    recipe = read_recipe("shimanaka2018") if recipe is None else recipe
    regressor = recipe["model.regressor"]
    scores, crossed, lines = {}, {}, {}
    for pair in PAIRS:
        train, test = sides_for(rated, pair)
        taught, empty = rated.take(train), None
        if preparation is not None and recipe["data.empty"]:
            nothing = draw_empty(taught, recipe["data.empty"], recipe["seed"])
            empty = judged_inputs(preparation, nothing, nothing.judged, threads=CORES)
        found = train_regression(recipe, inputs, taught, beside=beside, empty=empty, track=track)
        rows = rated.rows[test]
        scores[pair] = regression.predict(
            regressor, found.params, inputs.features[rows], inputs.vectors[rows]
        )
        crossed[pair] = found.found.score
        if recipe["model.calibrated"]:
            lines[pair] = found.params["calibration"]
    return Predicted(scores, crossed, lines)


def agreement(rated: RatedTranslations, scores: Mapping[str, Floats]) -> dict[str, Resampled]:
    """Pearson's r of each pair, resampled over segments (the same for all rows)."""
    found = {}
    for number, (pair, values) in enumerate(scores.items()):
        human = rated.ratings[rated.rows[sides_for(rated, pair)[1]]]
        unit = np.arange(len(human))
        sums = moments(human - human.mean(), values - values.mean(), unit, len(human))
        measured = Additive(sums, pearson_from_moments, "pearson")
        rng = np.random.default_rng([SEED, number])
        weights = bootstrap_weights(len(human), RESAMPLES, rng)
        found[pair] = Resampled(measured.value(), measured.resample(weights), len(human))
    return found

"""Pairwise networks trained and tested on WMT rankings: what the rows of a paper have in common.

Networks are trained on WMT13, the epoch is chosen on 5,000 pairs of WMT14, and WMT12 is what is
reported, by the strict tau: a tie counts against the metric. All inputs are computed once, and each
row of a table takes the columns it names.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.experiments.figures import Resampled
from concordant.features.preparation import Inputs
from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.models.pairwise import forward as pairwise
from concordant.models.pairwise.fitting import PairSet, train_pairwise
from concordant.specs import parse_specs
from concordant.stats.resampling import bootstrap_weights
from concordant.stats.tau import strict_counts, strict_outcomes
from concordant.training.material import Material, prepare
from concordant.training.recipe import read_recipe
from concordant.training.splitting import draw_segments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from concordant.encoders.encoders import Track
    from concordant.features.preparation import Preparation
    from concordant.judgements.judged_translations import JudgedPairs
    from concordant.training.recipe import Recipe

    Counts = dict[str, np.ndarray]
    Given = dict[str, tuple[Inputs, PairSet]]  # of each side

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
SEEDS = (1, 2, 3)
VALIDATION_PAIRS = 5000
RESAMPLES = 1000
CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class TauRow:
    """A network of one row: its ψ, its sentence vectors, its hidden nodes and its objective.

    `recipe` says all else.
    """

    features: str = ""
    vectors: str = ""
    hidden: int = 4
    objective: str = "logistic"
    recipe: str = "guzman2015"


@dataclass(frozen=True)
class Decided:
    """By how much a row's networks prefer the better translation of each test pair, (seeds, pairs).

    `decisions` are between the two; `scores` are differences of the scores of single translations.
    """

    decisions: np.ndarray
    scores: np.ndarray


@dataclass(frozen=True)
class Prepared:
    """The inputs of every side for several rows at once, and where each row's columns stand."""

    preparation: Preparation
    inputs: dict[str, Inputs]
    pairs: dict[str, PairSet]

    def given(self, row: TauRow) -> Given:
        """The columns of one row."""
        used = self.preparation.features
        columns = {} if used is None else {str(f.spec): len(f.columns) for f in used.features}
        sizes = {str(each.spec): each.dimension for each in self.preparation.vectors}
        psi, x = _places(columns, row.features), _places(sizes, row.vectors)
        return {
            side: (Inputs(each.features[:, psi], each.vectors[:, :, x]), self.pairs[side])
            for side, each in self.inputs.items()
        }


def read_material(data: Path) -> Material:
    """WMT13's judged pairs by majority, 5,000 of WMT14 into English, WMT12's four language pairs.

    Two equal texts that were judged differently are among the test pairs, as in the task's data.
    """
    training = JudgedSet.of(read(data / "wmt13"), "preferences", language_pairs=PAIRS).pairs()
    validation = JudgedSet.of(read(data / "wmt14"), language_pairs=["*-en"]).pairs()
    rng = np.random.default_rng(SEEDS[0])
    rows = np.sort(rng.choice(len(validation), VALIDATION_PAIRS, replace=False))
    test = JudgedSet.of(read(data / "wmt12"), language_pairs=PAIRS).pairs(equal_texts=True)
    sides = {"training": training.majority(), "validation": validation.take(rows), "test": test}
    return Material(sides, ())


def run_rows(
    material: Material, rows: Mapping[str, TauRow], *, track: Track | None = None
) -> dict[str, Decided]:
    """Train the networks of each row, two rows at a time, and have them decide the test pairs."""
    show = track or (lambda items, _: items)
    decided = {}
    for name in dict.fromkeys(row.recipe for row in rows.values()):
        own = {key: row for key, row in rows.items() if row.recipe == name}
        prepared = prepare_rows(read_recipe(name), material, list(own.values()), track)
        with ProcessPoolExecutor(min(2, CORES)) as pool:
            waiting = {key: pool.submit(_run, row, prepared.given(row)) for key, row in own.items()}
            for key, each in show(list(waiting.items()), f"training {name}"):
                decided[key] = each.result()
    return decided


def prepare_rows(
    recipe: Recipe, material: Material, rows: Sequence[TauRow], track: Track | None = None
) -> Prepared:
    """The inputs that any of the rows names, fitted and scaled on the training side."""
    features = " ".join(dict.fromkeys(str(s) for row in rows for s in parse_specs(row.features)))
    vectors = " ".join(dict.fromkeys(str(s) for row in rows for s in parse_specs(row.vectors)))
    recipe = recipe.with_values(inputs__features=features, inputs__vectors=vectors)
    training = draw_segments(material.pairs["training"], recipe["data.segments"], SEEDS[0])
    sides = {**material.pairs, "training": training}
    preparation, inputs = prepare(recipe, Material(sides, ()), threads=CORES, track=track)
    return Prepared(preparation, inputs, {name: PairSet.of(each) for name, each in sides.items()})


def segment_counts(pairs: JudgedPairs, gaps: np.ndarray) -> Counts:
    """Concordant minus other pairs, and all pairs, of each segment of each language pair.

    `gaps` is (seeds, pairs), and seeds are averaged; each table is (segments, 2).
    """
    won = strict_outcomes(gaps).mean(axis=0)
    language = np.array(pairs.language_pair)
    counts = {}
    for name in PAIRS:
        rows = language == name
        counts[name] = strict_counts(won[rows], pairs.segment[rows])
    return counts


def taus(counts: Counts, minus: Counts | None = None) -> dict[str, Resampled]:
    """Strict tau × 100 of each language pair, resampled over segments.

    With `minus`, the difference of two rows on the same resampled segments.
    """
    found = {}
    for name, table in counts.items():
        rng = np.random.default_rng([0, PAIRS.index(name)])
        weights = bootstrap_weights(len(table), RESAMPLES, rng)
        other = np.zeros_like(table) if minus is None else minus[name]
        gap = table[:, 0] - other[:, 0]
        judged = table[:, 1].sum()
        drawn = 100 * (weights @ gap) / (weights @ table[:, 1])
        found[name] = Resampled(float(100 * gap.sum() / judged), drawn, int(judged))
    return found


def plain_counts(material: Material, specs: Sequence[str]) -> dict[str, Counts]:
    """The same counts for features of one column each, without any learning."""
    rows = [TauRow(features=spec) for spec in specs]
    prepared = prepare_rows(read_recipe("guzman2015"), material, rows)
    found = {}
    for row in rows:
        inputs, pairs = prepared.given(row)["test"]
        values = inputs.features[:, 0]
        gaps = values[pairs.better] - values[pairs.worse]
        found[row.features] = segment_counts(material.pairs["test"], gaps[None])
    return found


def force_decisions(there: np.ndarray, margin: np.ndarray) -> np.ndarray:
    """Decisions that must fall: where both orders of a pair cancel out, the one given counts.

    The paper's network sees one order and its output is never exactly a half, so that it has no
    ties; texts that differ in nothing it sees are then right as often as wrong.

    >>> force_decisions(np.array([0.2, -0.2]), np.array([0.0, 0.1])).tolist()
    [0.2, 0.1]
    """
    return np.where(margin == 0, there, margin)


def _run(row: TauRow, given: Given) -> Decided:
    recipe = read_recipe(row.recipe).with_values(
        objective__kind=row.objective, model__hidden=row.hidden
    )
    inputs, pairs = given["test"]
    shape = pairwise.PairwiseShape(
        inputs.vectors.shape[-1],
        inputs.features.shape[-1],
        row.hidden,
        symmetric=recipe["model.symmetric"],
    )
    params, _ = train_pairwise(recipe, shape, given["training"], given["validation"], seeds=SEEDS)
    decisions, scores = [], []
    for seed, each in zip(SEEDS, params, strict=True):
        turned = np.random.default_rng(seed).integers(2, size=len(pairs.better)) > 0
        sign = np.where(turned, -1.0, 1.0)
        first = np.where(turned, pairs.worse, pairs.better)
        second = np.where(turned, pairs.better, pairs.worse)
        texts = pairwise.pair_texts(inputs.vectors[first], inputs.vectors[second])
        asked = texts, inputs.features[first], inputs.features[second]
        there = pairwise.forward(each, shape, *asked)
        decisions.append(sign * force_decisions(there, pairwise.margin(each, shape, *asked)))
        alone = pairwise.standing(each, shape, inputs.vectors, inputs.features)
        scores.append(alone[pairs.better] - alone[pairs.worse])
    return Decided(np.stack(decisions), np.stack(scores))


def _places(sizes: Mapping[str, int], wanted: str) -> list[int]:
    """The columns of the specs wanted, where `sizes` says how many each spec has, in order."""
    start, ranges = 0, {}
    for spec, size in sizes.items():
        ranges[spec] = range(start, start + size)
        start += size
    return [i for spec in parse_specs(wanted) for i in ranges[str(spec)]]

"""Pairwise networks trained and tested on WMT rankings: what the rows of a paper have in common.

Every feature and every sentence vector is computed once for all test sets, and each row of a table
takes those it names. Networks are trained on WMT13, the epoch is chosen on 5,000 pairs of WMT14,
and WMT12 is what is reported, by the strict tau: a tie counts against the metric.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.features.extraction import feature_set
from concordant.features.feature import Context
from concordant.features.preparation import Inputs
from concordant.features.scaling import fit_scaling
from concordant.features.sentence_vectors import sentence_vectors_named
from concordant.judgements.detection import read
from concordant.models.pairwise import PairwiseShape
from concordant.specs import parse_specs
from concordant.stats.resampling import bootstrap_weights, estimate_from
from concordant.training.judged_texts import judged_pairs
from concordant.training.pairwise_training import PairSet, decisions, train_pairwise
from concordant.training.recipe import read_recipe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from concordant.embeddings.encoders import Track
    from concordant.records import Estimate
    from concordant.training.judged_texts import JudgedPairs

    Counts = dict[str, np.ndarray]

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
SEEDS = (1, 2, 3)
VALIDATION_PAIRS = 5000
RESAMPLES = 1000


@dataclass(frozen=True)
class Row:
    """A network of one row: its ψ, its sentence vectors, its hidden nodes and its objective."""

    features: str = ""
    vectors: str = ""
    hidden: int = 4
    objective: str = "logistic"
    changes: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Sets:
    """The judged pairs of the three years, and every column computed of their outputs."""

    pairs: dict[str, JudgedPairs]
    columns: dict[tuple[str, str], Inputs] = field(default_factory=dict)

    def need(self, rows: Sequence[Row], track: Track | None) -> None:
        """Compute what the rows name and is not there yet."""
        features = {str(s) for row in rows for s in parse_specs(row.features)}
        vectors = {str(s) for row in rows for s in parse_specs(row.vectors)}
        show = track or (lambda items, _: items)
        for spec in show(sorted(features | vectors), "computing features"):
            if (spec, "wmt13") not in self.columns:
                compute = _features if spec in features else _vectors
                self.columns.update({(spec, y): v for y, v in compute(spec, self.pairs).items()})

    def inputs(self, row: Row) -> dict[str, Inputs]:
        """The inputs of a row's network, scaled as fitted on the training year."""
        found = {year: self._joined(row, year) for year in self.pairs}
        method = read_recipe("guzman2015")["inputs.scaling"]
        training = found["wmt13"]
        if training.features.shape[-1]:
            scaling = fit_scaling(training.features, method=method)
            found = {y: replace(v, features=scaling.apply(v.features)) for y, v in found.items()}
        if training.vectors.shape[-1]:
            flat = training.vectors.reshape(-1, training.vectors.shape[-1])
            turned = fit_scaling(flat, method=method)
            found = {y: replace(v, vectors=turned.apply(v.vectors)) for y, v in found.items()}
        return found

    def _joined(self, row: Row, year: str) -> Inputs:
        outputs = len(self.pairs[year].hypotheses)
        psi = [self.columns[str(s), year].features for s in parse_specs(row.features)]
        x = [self.columns[str(s), year].vectors for s in parse_specs(row.vectors)]
        return Inputs(
            np.concatenate([np.zeros((outputs, 0)), *psi], axis=1),
            np.concatenate([np.zeros((outputs, 2, 0)), *x], axis=2),
        )


def read_sets(data: Path) -> Sets:
    """WMT13's judged pairs by majority, all of WMT14 into English, WMT12's four language pairs."""
    training = judged_pairs(replace(read(data / "wmt13"), rankings=()), language_pairs=PAIRS)
    validation = judged_pairs(read(data / "wmt14"), language_pairs=["*-en"])
    rng = np.random.default_rng(SEEDS[0])
    rows = np.sort(rng.choice(len(validation), VALIDATION_PAIRS, replace=False))
    test = judged_pairs(read(data / "wmt12"), language_pairs=PAIRS, equal_texts=True)
    return Sets({
        "wmt13": training.majority(),
        "wmt14": validation.take(rows),
        "wmt12": test,
    })


def run_rows(
    sets: Sets, rows: Mapping[str, Row], *, track: Track | None = None
) -> dict[str, Counts]:
    """For each row: concordant minus other pairs and all pairs, by segment, for each language pair.

    Averaged over the seeds; rows are trained in two processes.
    """
    sets.need(list(rows.values()), track)
    show = track or (lambda items, _: items)
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        waiting = {
            name: pool.submit(_run, row, sets.inputs(row), _pair_sets(sets))
            for name, row in rows.items()
        }
        gaps = {name: each.result() for name, each in show(list(waiting.items()), "training")}
    return {name: segment_counts(sets.pairs["wmt12"], each) for name, each in gaps.items()}


def segment_counts(pairs: JudgedPairs, gaps: np.ndarray) -> Counts:
    """Sums by segment of each language pair: (segments, 2); `gaps` is (seeds, pairs)."""
    won = np.where(gaps > 0, 1.0, -1.0).mean(axis=0)
    language = np.array(pairs.language_pair)
    counts = {}
    for name in PAIRS:
        rows = language == name
        _, unit = np.unique(pairs.segment[rows], return_inverse=True)
        table = np.zeros((int(unit.max()) + 1, 2))
        np.add.at(table, unit, np.stack([won[rows], np.ones(int(rows.sum()))], axis=1))
        counts[name] = table
    return counts


def taus(counts: Counts, minus: Counts | None = None) -> dict[str, Estimate]:
    """Strict tau × 100 of each language pair and on average, with intervals over segments.

    With `minus`, the difference of two rows on the same resampled segments.
    """
    values, drawn = {}, {}
    for name, table in counts.items():
        rng = np.random.default_rng([0, PAIRS.index(name)])
        weights = bootstrap_weights(len(table), RESAMPLES, rng)
        other = np.zeros_like(table) if minus is None else minus[name]
        gap = table[:, 0] - other[:, 0]
        values[name] = 100 * gap.sum() / table[:, 1].sum()
        drawn[name] = 100 * (weights @ gap) / (weights @ table[:, 1])
    values["average"] = float(np.mean(list(values.values())))
    drawn["average"] = np.mean(list(drawn.values()), axis=0)
    n = int(sum(table[:, 1].sum() for table in counts.values()))
    return {name: estimate_from(float(values[name]), drawn[name], n) for name in values}


def plain_counts(sets: Sets, spec: str) -> Counts:
    """The same counts for one feature, without any learning."""
    sets.need([Row(features=spec)], None)
    values = sets.columns[spec, "wmt12"].features[:, 0]
    pairs = PairSet.of(sets.pairs["wmt12"])
    return segment_counts(sets.pairs["wmt12"], (values[pairs.better] - values[pairs.worse])[None])


def _pair_sets(sets: Sets) -> dict[str, PairSet]:
    return {year: PairSet.of(pairs) for year, pairs in sets.pairs.items()}


def _run(row: Row, inputs: dict[str, Inputs], pairs: dict[str, PairSet]) -> np.ndarray:
    """The decisions of each seed's network on the test pairs, (seeds, pairs)."""
    recipe = read_recipe("guzman2015").with_values(objective__kind=row.objective, **row.changes)
    shape = PairwiseShape(
        inputs["wmt13"].vectors.shape[-1], inputs["wmt13"].features.shape[-1], row.hidden
    )
    params, _ = train_pairwise(
        recipe,
        shape,
        (inputs["wmt13"], pairs["wmt13"]),
        (inputs["wmt14"], pairs["wmt14"]),
        seeds=SEEDS,
    )
    return np.stack([decisions(each, shape, inputs["wmt12"], pairs["wmt12"]) for each in params])


def _features(spec: str, years: Mapping[str, JudgedPairs]) -> dict[str, Inputs]:
    features = feature_set(spec)
    fitted = features.fit([text for given in years["wmt13"].references for text in given])
    found = {}
    for year, pairs in years.items():
        values = np.zeros((len(pairs.hypotheses), len(features.columns)))
        for rows in pairs.by_test_set().values():
            values[rows] = features.extract(
                [pairs.hypotheses[i] for i in rows],
                [pairs.references[i] for i in rows],
                threads=os.cpu_count() or 1,
                fitted=fitted,
                test_set=list(dict.fromkeys(pairs.references[i] for i in rows)),
            )
        found[year] = Inputs(values, np.zeros((len(values), 2, 0)))
    return found


def _vectors(spec: str, years: Mapping[str, JudgedPairs]) -> dict[str, Inputs]:
    vectors = sentence_vectors_named(spec)
    training = list(dict.fromkeys(t for given in years["wmt13"].references for t in given))
    fitted = None if vectors.fit is None else vectors.fit(training)
    found = {}
    for year, pairs in years.items():
        references = [given[0] for given in pairs.references]
        texts = list(dict.fromkeys([*pairs.hypotheses, *references]))
        row = {text: i for i, text in enumerate(texts)}
        values = vectors.vectors(texts, Context(os.cpu_count() or 1, fitted)).astype(np.float64)
        both = np.stack(
            [values[[row[t] for t in each]] for each in (pairs.hypotheses, references)], axis=1
        )
        found[year] = Inputs(np.zeros((len(both), 0)), both)
    return found

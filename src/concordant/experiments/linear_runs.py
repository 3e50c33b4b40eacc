"""A linear metric trained for sentences, for corpora and for both, and what people say of it.

Into English it is trained on WMT13 and its epoch chosen on WMT14. Out of English there are no
judgements of those years here: it is trained on nine tenths of WMT15's segments and chosen on the
rest, one metric for all target languages. Tested are WMT16's rankings and its direct assessment.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from concordant.evaluation.comparisons import measure
from concordant.evaluation.judged_scorer import JudgedScorer, column_batch
from concordant.evaluation.options import EvaluationOptions
from concordant.experiments.da_systems import with_systems
from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.metrics.score_files import given_scores
from concordant.training.recipe import read_recipe
from concordant.training.training import plan, train_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from concordant.encoders.encoders import Track
    from concordant.evaluation.comparisons import Draws
    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_columns import Column, Floats
    from concordant.metrics.learned import Metric
    from concordant.training.recipe import Recipe

# Name → what of the recipe is changed.
OBJECTIVES = {
    name: {"objective__kind": kind}
    for name, kind in (("sent", "sentence"), ("corpus", "corpus"), ("joint", "joint"))
}


@dataclass(frozen=True)
class LinearEvaluation:
    """One way to test a metric: on which judgements, at which level, by which statistic.

    Where rankings are tested over systems, people's scores are TrueSkill's, as WMT16's own are.
    """

    judgements: Callable[[Path, Sequence[str]], list[Column]]
    statistic: str
    level: str


def into_english(data: Path, name: str = "joint") -> Recipe:
    """A recipe on WMT13, its epoch chosen on WMT14."""
    return _whole(name).with_values(
        data__judgements=[str(data / "wmt13")],
        data__kind="preferences",
        validation__judgements=[str(data / "wmt14")],
    )


def out_of_english(data: Path) -> Recipe:
    """The recipe on nine tenths of WMT15, its epoch chosen on the rest."""
    return _whole("joint").with_values(
        data__judgements=[str(data / "wmt15")],
        data__kind="rankings",
        data__language_pairs=["en-*"],
    )


def _whole(name: str) -> Recipe:
    """A recipe without a test side of its own, which runs all its epochs as the paper does."""
    return read_recipe(name).with_values(test__share=0, optimiser__patience=200)


def train_objectives(
    recipe: Recipe,
    objectives: Mapping[str, Mapping[str, Any]] = OBJECTIVES,
    *,
    track: Track | None = None,
) -> dict[str, Metric]:
    """The metric of each objective, from the same features and judgements."""
    planned = plan(recipe, threads=os.cpu_count() or 1, track=track)
    show = track or (lambda items, _: items)
    return {
        name: train_metric(replace(planned, recipe=recipe.with_values(name=name, **changes))).metric
        for name, changes in show(list(objectives.items()), "training")
    }


def measure_metrics(
    metrics: Mapping[str, Metric], evaluation: LinearEvaluation, data: Path, pairs: Sequence[str],
    inputs: dict[str, Inputs] | None = None,
) -> tuple[dict[str, dict[str, Draws]], list[Column]]:  # fmt: skip
    """Each metric's value and resamples for each language pair, and the columns they come from.

    `inputs` are kept from one evaluation to the next; all metrics see the same.
    """
    shared = {} if inputs is None else inputs
    columns = evaluation.judgements(data, pairs)
    asked = EvaluationOptions(
        level=evaluation.level, statistic=evaluation.statistic, system_scores="trueskill"
    )
    scores = [scores_of(metrics, column, shared) for column in columns]
    found = {}
    for name in metrics:
        given = given_scores(name, {
            column.places: each[name] for column, each in zip(columns, scores, strict=True)
        })  # fmt: skip
        drawn, _ = measure(JudgedScorer(given), columns, evaluation.statistic, asked)
        found[name] = {
            column.pair: drawn[column.name] for column in columns if column.name in drawn
        }
    return found, columns


def scores_of(
    metrics: Mapping[str, Metric], column: Column, inputs: dict[str, Inputs]
) -> dict[str, Floats]:
    """Each metric's scores of a column's translations, whose inputs are computed once."""
    first = next(iter(metrics.values()))
    if column.name not in inputs:
        inputs[column.name] = first.inputs(column_batch(column, first), os.cpu_count() or 1)
    return {name: each.scores_of_inputs(inputs[column.name]) for name, each in metrics.items()}


def _rankings(data: Path, pairs: Sequence[str]) -> list[Column]:
    return JudgedSet.of(read(data / "wmt16"), "rankings", language_pairs=pairs).columns()


def _assessments(data: Path, pairs: Sequence[str]) -> list[Column]:
    return JudgedSet.of(read(data / "da16"), "ratings", language_pairs=pairs).columns()


def _assessed_systems(data: Path, pairs: Sequence[str]) -> list[Column]:
    named = with_systems(read(data / "da16"), read(data / "wmt16"))
    return JudgedSet.of(named, "ratings", language_pairs=pairs).columns()


EVALUATIONS = {
    "RR corpus": LinearEvaluation(_rankings, "pearson", "system"),
    "RR sentence": LinearEvaluation(_rankings, "tau-wmt14", "segment"),
    "DA corpus": LinearEvaluation(_assessed_systems, "pearson", "system"),
    "DA sentence": LinearEvaluation(_assessments, "pearson", "segment"),
}

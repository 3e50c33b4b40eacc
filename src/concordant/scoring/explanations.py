"""Why a metric gave a score: how much each feature moved it, line by line or for a whole system.

A score is a function of one number, the raw total. The total of an output that is average in all
features is the constant; each part says how much a feature moved this output away from it:

    raw total = constant + parts        score = scale(raw total)

Precision, recall and F of the same n-grams say almost the same, and their weights balance each
other; they are added up to one part, and so are all columns of tokens that are matched by the same
vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.features.lexical_features import SCORES
from concordant.metric import CALIBRATION, Metric
from concordant.models import linear, regression_parts
from concordant.scoring.named import resolved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from concordant.features.preparation import Inputs
    from concordant.lexical.texts import Floats
    from concordant.scoring.line_blocks import TextFiles

VECTORS = "sentence vectors"


@dataclass(frozen=True)
class Explained:
    """How the scores of a kind of model are taken apart.

    `parts` of the raw total (outputs, features; with vectors, a last column is theirs), the `total`
    itself, its `constant`, and the `scale` that makes the score of it, in words.
    """

    parts: Callable[[Metric, Inputs], Floats]
    total: Callable[[Metric, Inputs], Floats]
    constant: Callable[[Metric], float]
    scale: Callable[[Metric], str]


@dataclass(frozen=True)
class ExplainedBlock:
    """Consecutive lines: their scores, raw totals, and how much each part moved each total.

    `parts` is (lines, parts); a line's parts and the `constant` add up to its total.
    """

    first: int
    scores: Floats
    totals: Floats
    constant: float
    parts: Floats


@dataclass(frozen=True)
class ExplainedSystem:
    """The means over a system's lines; parts and constant add up to the mean raw total."""

    score: float
    total: float
    constant: float
    parts: Floats


def _regression_parts(metric: Metric, inputs: Inputs) -> Floats:
    regressor = metric.options["regressor"]
    return regression_parts.contributions(regressor, metric.params, inputs.features, inputs.vectors)


def _regression_scale(metric: Metric) -> str:
    if CALIBRATION not in metric.params or metric.options.get("scale") == "raw":
        return "score = raw total"
    intercept, slope = metric.params[CALIBRATION].tolist()
    return f"score = 100 · Φ({intercept:.6g} + {slope:.6g} · raw total), Φ the normal distribution"


EXPLAINED = {
    "linear": Explained(
        lambda metric, inputs: linear.contributions(metric.params, inputs.features),
        lambda metric, inputs: linear.forward(metric.params, inputs.features),
        lambda metric: linear.average_forward(metric.params),
        lambda _: "score = 1 / (1 + exp(−raw total))",
    ),
    "regression": Explained(
        _regression_parts,
        lambda metric, inputs: metric.raw_scores(inputs),
        lambda metric: regression_parts.average_prediction(
            metric.options["regressor"], metric.params
        ),
        _regression_scale,
    ),
}


def explainable(name: str) -> Metric:
    """The metric of a name or a folder, if its scores can be taken apart."""
    metric = resolved(name)
    if not isinstance(metric, Metric):
        raise SpecError(f'only a trained metric can be explained, and "{name}" is none')
    if metric.kind not in EXPLAINED:
        raise SpecError(
            f"{metric.name} is a {metric.kind} metric, whose scores cannot be taken apart; "
            f"those of these kinds can: {', '.join(EXPLAINED)}"
        )
    return metric


def scale_of(metric: Metric) -> str:
    """How a raw total becomes a score, in words."""
    return EXPLAINED[metric.kind].scale(metric)


def part_of(column: str) -> str:
    """The part that a feature's column belongs to.

    >>> part_of("ngrams(chars,3) F2"), part_of("tokens(potion) R idf"), part_of("length words")
    ('ngrams(chars,3)', 'tokens(potion)', 'length words')
    """
    feature, bracket, _ = column.partition(") ")
    if bracket:
        return f"{feature})"
    head, _, tail = column.rpartition(" ")
    return head if head and tail in SCORES else column


def parts_of(metric: Metric) -> list[str]:
    """The parts of a metric's scores, in the order of its features."""
    return list(dict.fromkeys(map(part_of, _columns(metric))))


def _columns(metric: Metric) -> list[str]:
    """What contributions are of: the features, and all sentence vectors as one."""
    prepared = metric.preparation
    return [*prepared.columns, *([VECTORS] if prepared.vectors else [])]


def explain_file(
    metric: Metric, hypothesis: str, files: TextFiles, *, threads: int = 1
) -> Iterator[ExplainedBlock]:
    """The scores of a file of outputs, their raw totals and parts, block by block."""
    how = EXPLAINED[metric.kind]
    constant = how.constant(metric)
    parts = parts_of(metric)
    of_column = [parts.index(part_of(column)) for column in _columns(metric)]
    test_set = _test_set(metric, files)
    for block in files.blocks(hypothesis):
        inputs = metric.preparation.inputs(
            block.hypotheses, block.references, block.sources, threads=threads, test_set=test_set
        )
        moved = np.zeros((len(block.hypotheses), len(parts)))
        np.add.at(moved.T, of_column, how.parts(metric, inputs).T)
        totals = np.asarray(how.total(metric, inputs))
        yield ExplainedBlock(block.first, metric.segment_scores(inputs), totals, constant, moved)


def means_of(explained: Iterator[ExplainedBlock]) -> ExplainedSystem:
    """The score of a system, and the mean total and parts over all its lines."""
    score, total, constant, parts, lines = 0.0, 0.0, 0.0, np.zeros(0), 0
    for block in explained:
        score += float(block.scores.sum())
        total += float(block.totals.sum())
        constant = block.constant
        added = block.parts.sum(axis=0)
        parts = added if not lines else parts + added
        lines += len(block.scores)
    return ExplainedSystem(score / lines, total / lines, constant, parts / lines)


def _test_set(metric: Metric, files: TextFiles) -> list[list[str]] | None:
    """All references, where a feature must know them first (NIST's weights)."""
    used = metric.preparation.features
    if used is None or not any(feature.whole_test_set for feature in used.features):
        return None
    return files.all_references(metric.name)

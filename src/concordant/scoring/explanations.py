"""Why a metric gave a score: how much each feature moved it, line by line or for a whole system.

Parts are of the number that stands behind the score (`Model.explained`): what an output has more,
or less, than one with the training mean of a feature. Precision, recall and F of the same n-grams
say almost the same, and their weights balance each other; they are added up to one part, and so are
all columns of tokens that are matched by the same vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.features.lexical_features import SCORES
from concordant.metric import MODELS, Metric
from concordant.scoring.named import resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from concordant.lexical.texts import Floats
    from concordant.scoring.line_blocks import TextFiles

VECTORS = "sentence vectors"


@dataclass(frozen=True)
class ExplainedBlock:
    """Consecutive lines: their scores, and how much each part moved each, (lines, parts)."""

    first: int
    scores: Floats
    parts: Floats


def explainable(name: str) -> Metric:
    """The metric of a name or a folder, if its scores can be taken apart."""
    metric = resolved(name)
    if not isinstance(metric, Metric):
        raise SpecError(f'only a trained metric can be explained, and "{name}" is none')
    if MODELS[metric.kind].contributions is None:
        kinds = ", ".join(kind for kind, model in MODELS.items() if model.contributions is not None)
        raise SpecError(
            f"{metric.name} is a {metric.kind} metric, whose scores cannot be taken apart; "
            f"those of these kinds can: {kinds}"
        )
    return metric


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
    """The scores of a file of outputs and their parts, block by block."""
    contributions = MODELS[metric.kind].contributions
    assert contributions is not None  # noqa: S101 - `explainable` has seen to it
    parts = parts_of(metric)
    of_column = [parts.index(part_of(column)) for column in _columns(metric)]
    test_set = _test_set(metric, files)
    for block in files.blocks(hypothesis):
        inputs = metric.preparation.inputs(
            block.hypotheses, block.references, block.sources, threads=threads, test_set=test_set
        )
        moved = np.zeros((len(block.hypotheses), len(parts)))
        np.add.at(moved.T, of_column, contributions(metric, inputs).T)
        yield ExplainedBlock(block.first, metric.segment_scores(inputs), moved)


def means_of(explained: Iterator[ExplainedBlock]) -> tuple[float, Floats]:
    """The score of a system, and the mean of each part, over all its lines."""
    scores, parts, lines = 0.0, np.zeros(0), 0
    for block in explained:
        scores += float(block.scores.sum())
        total = block.parts.sum(axis=0)
        parts = total if not lines else parts + total
        lines += len(block.scores)
    return scores / lines, parts / lines


def _test_set(metric: Metric, files: TextFiles) -> list[list[str]] | None:
    """All references, where a feature must know them first (NIST's weights)."""
    used = metric.preparation.features
    if used is None or not any(feature.whole_test_set for feature in used.features):
        return None
    return files.all_references(metric.name)

"""Why a metric gave a score: the contribution of each feature, per line or per system.

A score is a function of one number, the raw total. The total of a translation with average
features is the constant; each part is how much a feature moves the total away from it:

    raw total = constant + parts        score = scale(raw total)

Precision, recall and F of the same n-grams are highly correlated, and their weights offset each
other; they are added up to one part, and so are all columns of tokens that are matched by the same
vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.errors import SpecError
from concordant.features.lexical_features import SCORES
from concordant.metrics.learned import Metric
from concordant.metrics.scorer import Batch
from concordant.models.kinds import explainable_kinds, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from concordant.features.preparation import Inputs
    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scorer import Prepared, Scorer
    from concordant.models.kind import Explanation
    from concordant.scoring.comparison_result import Comparison
    from concordant.scoring.line_blocks import Block

VECTORS = "sentence vectors"
MOST = 500  # segments of a comparison that are explained


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


@dataclass(frozen=True, repr=False)
class ExplainedSegments(Brief):
    """Some segments of several systems explained: `moved` is (systems, segments, parts)."""

    names: tuple[str, ...]
    scale: str
    segments: tuple[int, ...]
    moved: Floats


@dataclass(frozen=True)
class ExplainedSystem:
    """The means over a system's lines; parts and constant add up to the mean raw total."""

    score: float
    total: float
    constant: float
    parts: Floats


def explainable(metric: Scorer) -> Metric:
    """The metric itself; an error if its scores cannot be explained."""
    if not isinstance(metric, Metric):
        raise SpecError(f'only trained metrics can be explained, and "{metric.name}" is not one')
    if kind_of(metric.kind).explanation is None:
        raise SpecError(
            f"{metric.name} is of the kind {metric.kind}, whose scores cannot be explained by "
            f"parts that add up; those of these kinds can: {', '.join(explainable_kinds())}, as in "
            "-m fast"
        )
    return metric


def scale_of(metric: Metric) -> str:
    """How a raw total becomes a score, as text."""
    return _explanation(metric).scale(metric)


def _explanation(metric: Metric) -> Explanation:
    found = kind_of(metric.kind).explanation
    assert found is not None  # noqa: S101 - an explainable metric has one
    return found


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


def explain_blocks(
    metric: Metric, blocks: Iterable[Block], prepared: Prepared, *, threads: int = 1
) -> Iterator[ExplainedBlock]:
    """The scores of blocks of translations, their raw totals and parts."""
    how = _explanation(metric)
    constant = how.constant(metric)
    for block in blocks:
        inputs = metric.inputs(block.batch, threads, prepared)
        totals = np.asarray(how.total(metric, inputs))
        scores = metric.scores_of_inputs(inputs)
        yield ExplainedBlock(block.first, scores, totals, constant, _moved(metric, inputs))


def explain_comparison(
    comparison: Comparison, metrics: Sequence[Scorer], *, most: int = MOST, threads: int = 1
) -> dict[str, ExplainedSegments]:
    """The segments where systems differ most, explained by each metric that can say why."""
    segments = comparison.metrics[0].by_spread()[:most]
    references, sources = comparison.references, comparison.sources
    given = [references[i] for i in segments]
    beside = None if sources is None else [sources[i] for i in segments]
    batches = [
        Batch([texts[i] for i in segments], given, beside)
        for texts in comparison.translations.values()
    ]
    found = {}
    for metric in metrics:
        if isinstance(metric, Metric) and kind_of(metric.kind).explanation is not None:
            prepared = metric.prepare(references)
            moved = [_moved(metric, metric.inputs(each, threads, prepared)) for each in batches]
            names, scale = tuple(parts_of(metric)), scale_of(metric)
            found[metric.name] = ExplainedSegments(names, scale, tuple(segments), np.stack(moved))
    return found


def _moved(metric: Metric, inputs: Inputs) -> Floats:
    """How far each part (columns) moved each raw total (rows)."""
    parts = parts_of(metric)
    of_column = [parts.index(part_of(column)) for column in _columns(metric)]
    found = np.asarray(_explanation(metric).parts(metric, inputs))
    moved = np.zeros((len(found), len(parts)))
    np.add.at(moved.T, of_column, found.T)
    return moved


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

"""A metric's scores in one column beside what people said: the points of a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.evaluation.system_scores import human_scores
from concordant.judgements.judged_columns import Pairs

if TYPE_CHECKING:
    from concordant.evaluation.comparisons import Draws
    from concordant.evaluation.judged_scorer import JudgedScorer
    from concordant.evaluation.options import EvaluationOptions
    from concordant.judgements.judged_columns import Column, Floats


@dataclass(frozen=True, repr=False)
class ScorePoints(Brief):
    """Scores of translations or systems (`scores`), and people's scores of the same (`human`).

    Where people judged `pairs`, `scores` says how far the metric prefers one translation of each,
    from 0, and `human` is 1 where people prefer that one too, 0 where they do not, and 1/2 where
    the metric has no preference.
    """

    metric: str
    column: str
    scores: Floats
    human: Floats
    pairs: bool = False


def score_points(
    scorer: JudgedScorer, column: Column, asked: EvaluationOptions, draws: Draws
) -> ScorePoints:
    """The points of a metric in a column; of judged pairs those that people did not tie."""
    if column.kind == "system ratings" and column.ratings is not None:
        return ScorePoints(scorer.name, column.name, draws.points(), column.ratings)
    if asked.level == "system":
        human = human_scores(column, method=asked.system_scores)
        return ScorePoints(scorer.name, column.name, draws.points(), human)
    if column.ratings is not None:
        return ScorePoints(scorer.name, column.name, scorer.scores(column), column.ratings)
    assert column.pairs is not None  # noqa: S101 - a column has ratings or pairs
    apart = ~column.pairs.tie
    pairs = Pairs(*(each[apart] for each in vars(column.pairs).values()))
    decide = scorer.decisions(column)
    if decide is None:
        scores = scorer.scores(column)
        gaps = scores[pairs.better] - scores[pairs.worse]
    else:
        gaps = decide(pairs)
    agreed = np.where(gaps > 0, 1.0, np.where(gaps < 0, 0.0, 0.5))
    return ScorePoints(scorer.name, column.name, np.abs(gaps), agreed, pairs=True)

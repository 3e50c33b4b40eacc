"""The linear kind: its options, the shapes of its arrays, its scores and margins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.models.kind import ModelKind
from concordant.models.linear.explanation import EXPLANATION
from concordant.models.linear.forward import LinearShape, kept_sizes, margin, sentence_scores
from concordant.models.options import Option

if TYPE_CHECKING:
    from concordant.models.kind import Fitted


def sizes(metric: Fitted) -> dict[str, tuple[int, ...]]:
    """The shape of every array of a trained metric."""
    return kept_sizes(LinearShape(len(metric.preparation.columns), int(metric.options["hidden"])))


KIND = ModelKind(
    "features weighed and added up (Stanojević and Sima'an 2017)",
    {"hidden": Option()},
    sizes,
    lambda metric, seen: sentence_scores(metric.params, seen.features),
    lambda metric, one, two: margin(metric.params, one.features, two.features),
    explanation=EXPLANATION,
)

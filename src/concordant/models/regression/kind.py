"""The regression kind: its options, the shapes of its arrays, its scores and margins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.models.kind import ModelKind
from concordant.models.options import Option
from concordant.models.regression import checks, forward
from concordant.models.regression.explanation import EXPLANATION

if TYPE_CHECKING:
    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_translations import Floats
    from concordant.models.kind import Fitted


def sizes(metric: Fitted) -> dict[str, tuple[int, ...]]:
    """The shape of every array of a trained metric."""
    prepared = metric.preparation
    features = len(prepared.columns)
    wide = forward.width(features, prepared.dimension, len(prepared.anchors))
    return checks.sizes(metric.options["regressor"], metric.params, wide, features)


def raw(metric: Fitted, seen: Inputs) -> Floats:
    """The predicted rating of each translation."""
    regressor = metric.options["regressor"]
    return forward.predict(regressor, metric.params, seen.features, seen.vectors)


def score(metric: Fitted, seen: Inputs) -> Floats:
    """The predicted rating, or the share of translations that people are expected to rate lower."""
    if "calibration" not in metric.params or metric.options.get("scale") == "raw":
        return raw(metric, seen)
    return forward.calibrate(raw(metric, seen), metric.params["calibration"])


def margin(metric: Fitted, first: Inputs, second: Inputs) -> Floats:
    """By how much the first is preferred, in [-1/2, 1/2]."""
    gap = raw(metric, first) - raw(metric, second)
    return forward.preference(float(metric.params["noise"][0]), gap)


KIND = ModelKind(
    "a rating predicted from sentence vectors and features (Shimanaka et al. 2018)",
    {
        "regressor": Option(allowed=tuple(forward.REGRESSORS)),
        "scale": Option(allowed=("raw",), optional=True),
    },
    sizes,
    score,
    margin,
    raw=raw,
    check=lambda metric: checks.check_values(metric.params),
    explanation=EXPLANATION,
)

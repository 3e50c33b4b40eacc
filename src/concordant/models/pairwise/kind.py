"""The pairwise kind: its options, the shapes of its arrays, its scores and margins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.models.functions import sigmoid
from concordant.models.kind import ModelKind
from concordant.models.options import SWITCH, Option
from concordant.models.pairwise import forward

if TYPE_CHECKING:
    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_translations import Floats
    from concordant.models.kind import Fitted


def shape_of(metric: Fitted) -> forward.PairwiseShape:
    """The shape of a pairwise network, from a metric's options and inputs."""
    prepared = metric.preparation
    return forward.PairwiseShape(
        prepared.dimension,
        len(prepared.columns),
        int(metric.options["hidden"]),
        prepared.anchors,
        bool(metric.options["symmetric"]),
    )


def score(metric: Fitted, seen: Inputs) -> Floats:
    """The score of each translation alone, in (0, 1)."""
    found = forward.standing(metric.params, shape_of(metric), seen.vectors, seen.features)
    return np.asarray(sigmoid(found))


def margin(metric: Fitted, first: Inputs, second: Inputs) -> Floats:
    """By how much the first is preferred, in [-1/2, 1/2]."""
    texts = forward.pair_texts(first.vectors, second.vectors)
    inputs = (texts, first.features, second.features)
    return np.asarray(forward.margin(metric.params, shape_of(metric), *inputs))


KIND = ModelKind(
    "a network that compares two translations (Guzmán et al. 2015)",
    {"hidden": Option(), "symmetric": SWITCH},
    lambda metric: forward.sizes(shape_of(metric)),
    score,
    margin,
)

"""The tree-lstm kind: its options, the shapes of its arrays, its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.syntax.word_trees import chains
from concordant.errors import ConcordantError
from concordant.models.kind import ModelKind
from concordant.models.options import SWITCH, Option
from concordant.models.tree_lstm.forward import GRADES, TreeShape, grades_of, sizes

if TYPE_CHECKING:
    from concordant.features.preparation import Inputs
    from concordant.features.tree_inputs import TreeInputs
    from concordant.judgements.judged_translations import Floats
    from concordant.models.functions import Params
    from concordant.models.kind import Fitted


def shape_of(metric: Fitted) -> TreeShape:
    """The shape of a Tree-LSTM, from a metric's options and inputs."""
    if metric.preparation.trees is None:
        raise ConcordantError(f"{metric.name} reads trees, but its inputs name none")
    return TreeShape(
        metric.preparation.trees.dimension,
        int(metric.options["memory"]),
        int(metric.options["hidden"]),
        bool(metric.options["output_gate"]),
    )


def tree_scores(params: Params, shape: TreeShape, structure: str, given: TreeInputs) -> Floats:
    """Similarity of each translation to its closest reference, in [0, 1]."""
    trees = chains(given.trees) if structure == "sequence" else given.trees
    grades = grades_of(params, shape, trees, given.table, given.pairs)
    best = np.ones(len(given))
    np.maximum.at(best, given.output, grades)
    return np.asarray((best - 1.0) / (GRADES - 1.0))


def score(metric: Fitted, seen: Inputs) -> Floats:
    """How close each translation is to its reference, in [0, 1]."""
    if seen.trees is None:
        raise ConcordantError(f"{metric.name} reads trees; it was given none")
    structure = str(metric.options["structure"])
    return tree_scores(metric.params, shape_of(metric), structure, seen.trees)


KIND = ModelKind(
    "a Tree-LSTM that reads translation and reference (Gupta et al. 2015)",
    {
        "hidden": Option(least=1),
        "memory": Option(least=1),
        "structure": Option(allowed=("tree", "sequence")),
        "output_gate": SWITCH,
    },
    lambda metric: sizes(shape_of(metric)),
    score,
)

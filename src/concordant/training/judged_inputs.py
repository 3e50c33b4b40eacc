"""The scaled inputs of judged translations, computed one test set at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.features.preparation import Inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.encoders.encoders import Track
    from concordant.features.preparation import Preparation
    from concordant.judgements.judged_translations import Ints, JudgedTranslations


def fit_preparation(preparation: Preparation, texts: Sequence[str]) -> Preparation:
    """The preparation, with what its inputs learn from texts (idf, projections)."""
    fitted = {} if preparation.features is None else preparation.features.fit(texts)
    fitted |= {str(each.spec): each.fit(texts) for each in preparation.vectors if each.fit}
    if preparation.trees is not None:
        fitted[str(preparation.trees.spec)] = preparation.trees.fit()
    return replace(preparation, fitted=fitted)


def judged_inputs(
    preparation: Preparation,
    judged: JudgedTranslations,
    used: Ints,
    *,
    threads: int = 1,
    track: Track | None = None,
) -> Inputs:
    """The inputs of the used translations, each test set by itself (NIST weighs by test set).

    Those of other translations are 0.
    """
    wanted = np.zeros(len(judged.translations), dtype=bool)
    wanted[used] = True
    features = np.zeros((len(judged.translations), len(preparation.columns)))
    shape = (len(judged.translations), 1 + len(preparation.anchors), preparation.dimension)
    vectors = np.zeros(shape)
    by_test_set = replace(preparation, trees=None)  # trees are of a text alone
    for together in judged.by_test_set().values():
        rows = [i for i in together if wanted[i]]
        if not rows:
            continue
        found = by_test_set.inputs(
            [judged.translations[i] for i in rows],
            [judged.references[i] for i in rows],
            [judged.sources[i] for i in rows],
            threads=threads,
            test_set=list(dict.fromkeys(judged.references[i] for i in together)),
            track=track,
        )
        features[rows], vectors[rows] = found.features, found.vectors
    trees = preparation.tree_inputs(judged.translations, judged.references, track=track)
    return Inputs(
        features, vectors, trees, preparation.texts(judged.translations, judged.references)
    )


def scaled_inputs(preparation: Preparation, inputs: Inputs) -> Inputs:
    """Inputs on the scale that was fitted."""
    features, vectors = inputs.features, inputs.vectors
    if preparation.feature_scaling is not None:
        features = preparation.feature_scaling.apply(features)
    if preparation.vector_scaling is not None:
        vectors = preparation.vector_scaling.apply(vectors)
    return Inputs(features, vectors, inputs.trees, inputs.texts)

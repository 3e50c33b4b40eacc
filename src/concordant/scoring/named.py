"""Everything that can score a file, by name: a measure, a feature of vectors, a trained metric.

A trained metric or a feature counts a segment's score and the segment, so that a system's score is
their mean; a measure has counts of its own. Either way the rest of scoring sees the same two steps.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.bundle import is_bundle, load
from concordant.errors import SpecError, nearest
from concordant.features.extraction import FeatureSet
from concordant.features.registry import KINDS, feature_named
from concordant.lexical.measures import MEASURES, Measure, Steps, is_measure, measure_named
from concordant.specs import Spec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.lexical.texts import Floats
    from concordant.metric import Metric

    Texts = Sequence[Sequence[str]]


def scorer_named(name: str) -> Measure:
    """What scores under a name, or the metric in a folder; unknown names list the known ones."""
    if is_measure(name):
        return measure_named(name)
    if name.partition("(")[0].strip() in KINDS:
        return _feature(name)
    if name and is_bundle(Path(name)):
        return _metric(load(name))
    known = [*MEASURES, "tokens(…)", "sentence(…)"]
    raise SpecError(
        f'metric "{name}" is not one of {", ".join(known)}, nor the folder of a trained metric'
        f"{nearest(name, list(MEASURES))}"
    )


def _metric(metric: Metric) -> Measure:
    if "source" in metric.preparation.anchors:
        raise SpecError(f"{metric.name} compares with the source; rank with it: concordant rank -s")

    def scores(hypotheses: Sequence[str], references: Texts, threads: int, **known: Any) -> Floats:
        return metric.segment_scores(
            metric.preparation.inputs(hypotheses, references, threads=threads, **known)
        )

    used = metric.preparation.features
    whole = used is not None and any(feature.whole_test_set for feature in used.features)
    prepare = (lambda references: {"test_set": references}) if whole else None
    return _mean_of(metric.name, scores, metric.signature, prepare)


def _feature(name: str) -> Measure:
    feature = feature_named(name)
    if feature.main is None:
        raise SpecError(f"{name} is several features and no metric; train one with them")
    features, main = FeatureSet((feature,)), feature.main

    def scores(hypotheses: Sequence[str], references: Texts, threads: int, **known: Any) -> Floats:
        return features.extract(hypotheses, references, threads=threads, **known)[:, main]

    def prepare(references: Texts) -> Mapping[str, object]:
        """Fitted on the references of the whole test set, whatever block is scored."""
        return {"fitted": features.fit([text for given in references for text in given])}

    fits = feature.fit is not None
    signature = f"metric:{feature.spec}|{feature.signature}"
    signature += "|fitted:on the references" if fits else ""
    return _mean_of(str(feature.spec), scores, lambda: signature, prepare if fits else None)


def _mean_of(
    name: str,
    scores: Callable[..., Floats],
    signature: Callable[[], str],
    prepare: Callable[[Texts], Mapping[str, object]] | None,
) -> Measure:
    def counts(
        hypotheses: Sequence[str], references: Texts, *, threads: int = 1, **known: Any
    ) -> Floats:
        found = scores(hypotheses, references, threads, **known)
        return np.stack([found, np.ones(len(found))], axis=-1)

    def mean(counted: Floats) -> Floats:
        return np.asarray(counted[..., 0] / np.maximum(counted[..., 1], 1.0))

    return Measure(Spec(name), {}, 1, Steps(counts, mean, mean, prepare, signature))

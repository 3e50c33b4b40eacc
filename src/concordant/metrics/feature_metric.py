"""A feature with one main column as a metric: `tokens(potion)`, `sentence(minilm)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.errors import SpecError
from concordant.features.encoded_features import cosines
from concordant.features.extraction import FeatureSet
from concordant.features.feature import Context, distinct_texts
from concordant.features.sentence_vectors import VECTOR_KINDS, sentence_vectors_named
from concordant.metrics.scope import Scope
from concordant.metrics.scorer import NOTHING, AveragingScorer, Needs, count_scores
from concordant.resources.table import PARTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.features.feature import Feature
    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scorer import Batch, Prepared


@dataclass(frozen=True, repr=False)
class FeatureMetric(AveragingScorer, Brief):
    """The main column of a feature; what it learns, it learns from the references it scores."""

    feature: Feature
    sign = 1
    averages = True
    scale = ""

    def __post_init__(self) -> None:
        if self.feature.main is None:
            raise SpecError(
                f"{self.feature.spec} is several features, not a metric; train one with them"
            )

    @property
    def name(self) -> str:
        """The feature as it is spelled."""
        return str(self.feature.spec)

    @property
    def scope(self) -> Scope:
        """The texts that it is made for: those in the languages of its part."""
        spec = self.feature.spec
        part = PARTS.get(spec.arguments[0]) if spec.arguments else None
        return Scope(() if part is None else tuple(part.languages.split()))

    @property
    def needs(self) -> Needs:
        """All references where something is fitted on them; a network is shared by systems."""
        fits = self.feature.fit is not None
        return Needs(test_set=fits, network=FeatureSet((self.feature,)).has_network)

    def prepare(self, references: Sequence[Sequence[str]]) -> Prepared:
        """What is fitted on the references of the whole test set, whatever batch is scored."""
        if self.feature.fit is None:
            return NOTHING
        texts = [text for given in references for text in given]
        return {"fitted": FeatureSet((self.feature,)).fit(texts)}

    def counts(self, batch: Batch, *, threads: int = 1, prepared: Prepared = NOTHING) -> Floats:
        """Each translation's value of the main column and 1."""
        values = FeatureSet((self.feature,)).extract(
            batch.translations, batch.references, threads=threads, **prepared
        )
        return count_scores(values[:, self.feature.main or 0])

    def aggregate_scores(
        self,
        candidates: Sequence[str],
        references: Sequence[str],
        weights: Floats,
        *,
        threads: int = 1,
    ) -> Floats:
        """The cosine of each candidate's vector with the mean vector of all references."""
        spec = self.feature.spec
        if spec.name not in VECTOR_KINDS or self.feature.fit is not None:
            return super().aggregate_scores(candidates, references, weights, threads=threads)
        texts, (rows, others) = distinct_texts(candidates, references)
        found = sentence_vectors_named(spec).vectors(texts, Context(threads)).astype(np.float64)
        mean = (found[others] * weights[:, None]).sum(axis=0)
        return cosines(np.vstack([found, mean]), rows, np.full(len(rows), len(found)))

    def signature(self, *, level: str) -> str:  # noqa: ARG002 - the same at both
        """The feature, what it is made of, and where what it fits was fitted."""
        fitted = "|fitted:on the references" if self.feature.fit is not None else ""
        return f"metric:{self.name}|{self.feature.signature}{fitted}"

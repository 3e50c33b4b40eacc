"""Several features side by side: one matrix, one name for every column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.features.registry import Feature, feature_named
from concordant.specs import parse_specs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.lexical.texts import Floats


@dataclass(frozen=True)
class FeatureSet:
    """Features in order; `str` gives the list of specs that `feature_set` parses."""

    features: tuple[Feature, ...]

    def __str__(self) -> str:
        return " ".join(str(feature.spec) for feature in self.features)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, in order."""
        return tuple(column for feature in self.features for column in feature.columns)

    def extract(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, threads: int = 1
    ) -> Floats:
        """The values of every column for every segment: (segments, columns)."""
        parts = [
            feature.extract(hypotheses, references, threads=threads) for feature in self.features
        ]
        return np.concatenate(parts, axis=1)


def feature_set(text: str) -> FeatureSet:
    """The features that a list of specs spells, parted by blanks or commas.

    >>> features = feature_set("bleu skipgrams(2)")
    >>> str(features), features.columns[1], features.extract(["a b"], [["a b"]]).shape
    ('bleu skipgrams(2)', 'skipgrams(2) P', (1, 6))
    """
    features = tuple(feature_named(spec) for spec in parse_specs(text))
    if not features:
        raise SpecError("no features; name some, such as bleu or ngrams(chars,1-5)")
    names = [column for feature in features for column in feature.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SpecError(f"the same column twice: {', '.join(twice[:3])}")
    return FeatureSet(features)

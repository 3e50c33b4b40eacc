"""Several features side by side: one matrix, one name for every column."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.errors import SpecError
from concordant.features.encoded_pass import extract_together
from concordant.features.feature import Context
from concordant.features.registry import feature_named
from concordant.metrics.lexical.texts import check_texts
from concordant.specs import parse_specs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from concordant.encoders.encoders import Encoder, Track
    from concordant.features.feature import Feature, Fitted
    from concordant.metrics.batch import Grid
    from concordant.metrics.lexical.texts import Floats


@dataclass(frozen=True, repr=False)
class FeatureSet(Brief):
    """Features in order; `str` gives the list of specs that `feature_set` parses."""

    features: tuple[Feature, ...]

    def __str__(self) -> str:
        return " ".join(str(feature.spec) for feature in self.features)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, in order."""
        return tuple(column for feature in self.features for column in feature.columns)

    @property
    def has_network(self) -> bool:
        """Whether token states of a network are among them; a table of vectors has depth 0."""
        encodings = (feature.encoding for feature in self.features)
        return any(each is not None and each.encoder.depth != 0 for each in encodings)

    def fit(self, references: Sequence[str]) -> dict[str, Fitted]:
        """What the features learn from training references, by spec; most learn nothing."""
        distinct = list(dict.fromkeys(references))
        return {str(f.spec): f.fit(distinct) for f in self.features if f.fit is not None}

    def extract(
        self,
        translations: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        threads: int = 1,
        fitted: Mapping[str, Fitted] | None = None,
        test_set: Sequence[Sequence[str]] | None = None,
        track: Track | None = None,
        sentences: Iterable[Encoder] = (),
        grid: Grid | None = None,
    ) -> Floats:
        """The values of every column for every segment: (segments, columns).

        `test_set` are the references of the whole test set if these segments are only a part of it.
        What was not fitted before is fitted on them. `sentences` are encoders whose
        sentence vectors will be asked for next: they come from the same pass. `grid` has the
        candidates and the references where the segments are every pair of them.
        """
        translations, references = check_texts(translations, references)
        whole = references if test_set is None else test_set
        known = dict(fitted or {})
        unknown = [f for f in self.features if f.fit is not None and str(f.spec) not in known]
        known.update(FeatureSet(tuple(unknown)).fit([text for given in whole for text in given]))
        by_the_way = (f.sentence_encoder for f in self.features if f.sentence_encoder is not None)
        context = Context(threads, None, whole, track, (*sentences, *by_the_way), grid)
        parts = dict(extract_together(self.features, translations, references, known, context))
        for feature in self.features:
            if feature.extract is not None:
                own = replace(context, fitted=known.get(str(feature.spec)))
                parts[str(feature.spec)] = feature.extract(translations, references, context=own)
        return np.concatenate([parts[str(feature.spec)] for feature in self.features], axis=1)


def feature_set(text: str) -> FeatureSet:
    """The features that a list of specs spells, separated by white space or commas.

    >>> features = feature_set("bleu skipgrams(2)")
    >>> str(features), features.columns[1], features.extract(["a b"], [["a b"]]).shape
    ('bleu skipgrams(2)', 'skipgrams(2) P', (1, 6))
    """
    features = tuple(feature_named(spec) for spec in parse_specs(text))
    if not features:
        raise SpecError("no features; name some, such as bleu or ngrams(chars,1-5)")
    names = Counter(column for feature in features for column in feature.columns)
    twice = sorted(name for name, times in names.items() if times > 1)
    if twice:
        raise SpecError(f"columns are given twice: {', '.join(twice[:3])}")
    return FeatureSet(features)

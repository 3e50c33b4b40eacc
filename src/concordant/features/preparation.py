"""Texts → what a model sees: features and sentence vectors, as fitted and scaled in training."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError, SpecError
from concordant.features.feature import Context
from concordant.lexical.texts import checked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from concordant.embeddings.encoders import Track
    from concordant.features.extraction import FeatureSet
    from concordant.features.feature import Fitted
    from concordant.features.scaling import Scaling
    from concordant.features.sentence_vectors import SentenceVectors
    from concordant.features.tree_inputs import TreeInputs, TreeReader
    from concordant.lexical.texts import Floats

ANCHORS = ("reference", "source")


@dataclass(frozen=True)
class Inputs:
    """What a model sees of some outputs: ψ (outputs, features), and vectors of their texts.

    `vectors` is (outputs, 1 + anchors, dimension): the output's, then those it is compared with.
    `trees` are for models that read sentences word by word, None for all others.
    """

    features: Floats
    vectors: Floats
    trees: TreeInputs | None = None

    def take(self, rows: npt.NDArray[np.int64] | slice) -> Inputs:
        """The inputs of some of the outputs, in this order."""
        if self.trees is None:
            return Inputs(self.features[rows], self.vectors[rows])
        chosen = np.arange(len(self.features))[rows]
        return Inputs(self.features[rows], self.vectors[rows], self.trees.take(chosen))


@dataclass(frozen=True)
class Preparation:
    """How texts become a model's inputs: features, vectors, trees, as fitted and scaled."""

    features: FeatureSet | None
    vectors: tuple[SentenceVectors, ...] = ()
    anchors: tuple[str, ...] = ("reference",)
    fitted: Mapping[str, Fitted] = field(default_factory=dict)
    feature_scaling: Scaling | None = None
    vector_scaling: Scaling | None = None
    trees: TreeReader | None = None

    @property
    def dimension(self) -> int:
        """The length of a text's vector, all sentence vectors one after the other."""
        return sum(each.dimension for each in self.vectors)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the feature columns."""
        return () if self.features is None else self.features.columns

    @property
    def needs_references(self) -> bool:
        """Whether anything of it compares with references."""
        return self.features is not None or "reference" in self.anchors

    def check_given(self, *, reference: bool, source: bool) -> None:
        """Refuse texts that lack what an output is compared with."""
        if not reference and self.needs_references:
            raise ConcordantError("this metric compares with references; give them with -r")
        if not source and "source" in self.anchors:
            raise ConcordantError("this metric compares with the source; give it with -s")

    def inputs(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        sources: Sequence[str] | None = None,
        *,
        threads: int = 1,
        test_set: Sequence[Sequence[str]] | None = None,
        track: Track | None = None,
    ) -> Inputs:
        """The scaled inputs of outputs; several references' vectors are averaged."""
        if self.features is None:
            features = np.zeros((len(hypotheses), 0))
        else:
            features = self.features.extract(
                hypotheses,
                references,
                threads=threads,
                fitted=self.fitted,
                test_set=test_set,
                track=track,
                sentences=[v.encoder for v in self.vectors if v.encoder is not None],
            )
        if self.feature_scaling is not None:
            features = self.feature_scaling.apply(features)
        texts = self._texts(hypotheses, references, sources)
        vectors = self.text_vectors(texts, threads=threads, track=track)
        if self.vector_scaling is not None:
            vectors = self.vector_scaling.apply(vectors)
        return Inputs(features, vectors, self.tree_inputs(hypotheses, references, track=track))

    def tree_inputs(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        track: Track | None = None,
    ) -> TreeInputs | None:
        """The trees of outputs and references; None where nothing reads them."""
        if self.trees is None:
            return None
        fitted = self.fitted.get(str(self.trees.spec), {})  # nothing, where no words are filled in
        return self.trees.read(hypotheses, references, fitted, track)

    def text_vectors(
        self, texts: Sequence[Sequence[Sequence[str]]], *, threads: int, track: Track | None
    ) -> Floats:
        """The unscaled vectors, (outputs, 1 + anchors, dimension).

        `texts` has for each place (the output, then the anchors) one or more texts an output.
        """
        shape = (len(texts[0]), len(texts), self.dimension)
        if self.dimension == 0:
            return np.zeros(shape)
        flat = [text for place in texts for given in place for text in given]
        owner = np.repeat(
            np.arange(shape[0] * shape[1]), [len(given) for place in texts for given in place]
        )
        distinct = list(dict.fromkeys(flat))
        row = {text: i for i, text in enumerate(distinct)}
        found = np.concatenate([self._vectors(each, distinct, threads, track)
                                for each in self.vectors], axis=1)  # fmt: skip
        sums = np.zeros((shape[0] * shape[1], self.dimension))
        np.add.at(sums, owner, found[[row[text] for text in flat]])
        counts = np.bincount(owner, minlength=len(sums))
        means = sums / np.maximum(counts, 1)[:, None]
        return means.reshape(shape[1], shape[0], self.dimension).swapaxes(0, 1)

    def _vectors(
        self, each: SentenceVectors, texts: Sequence[str], threads: int, track: Track | None
    ) -> Floats:
        fitted = self.fitted.get(str(each.spec))
        if each.fit is not None and fitted is None:
            raise ConcordantError(f"{each.spec} has not been fitted on training texts")
        context = Context(threads, fitted, None, track)
        return each.vectors(texts, context).astype(np.float64)

    def _texts(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        sources: Sequence[str] | None,
    ) -> list[list[tuple[str, ...]]]:
        if "source" in self.anchors and sources is None:
            raise ConcordantError("this metric compares with the source; give the source texts too")
        if "reference" in self.anchors:
            checked(hypotheses, references)
        if sources is not None and len(sources) != len(hypotheses):
            raise ConcordantError(f"{len(hypotheses)} hypotheses, but {len(sources)} sources")
        places: dict[str, list[tuple[str, ...]]] = {
            "reference": [tuple(given) for given in references],
            "source": [(text,) for text in sources or ()],
        }
        return [[(text,) for text in hypotheses], *[places[name] for name in self.anchors]]


def check_anchors(anchors: Sequence[str]) -> tuple[str, ...]:
    """The texts an output is compared with, all of them known and none twice."""
    wrong = [name for name in anchors if name not in ANCHORS]
    if wrong or len(set(anchors)) < len(anchors):
        raise SpecError(f"anchors {', '.join(anchors)} are not some of {', '.join(ANCHORS)}")
    return tuple(anchors)

"""Texts → what a model sees: features and sentence vectors, as fitted and scaled in training."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError, SpecError
from concordant.features.feature import Context
from concordant.features.scaling import check_scaling
from concordant.metrics.lexical.texts import check_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from concordant.encoders.encoders import Track
    from concordant.features.extraction import FeatureSet
    from concordant.features.feature import Feature, Fitted
    from concordant.features.scaling import Scaling
    from concordant.features.sentence_vectors import SentenceVectors
    from concordant.features.tree_inputs import TreeInputs, TreeReader
    from concordant.metrics.batch import Grid
    from concordant.metrics.lexical.texts import Floats

ANCHORS = ("reference", "source")


@dataclass(frozen=True, repr=False)
class Texts(Brief):
    """Translations and the references of each, for models that read them in so many threads."""

    translations: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    threads: int = 1

    def take(self, rows: npt.NDArray[np.int64]) -> Texts:
        """The texts of some of the translations, in this order."""
        chosen = rows.tolist()
        return Texts(
            tuple(self.translations[i] for i in chosen),
            tuple(self.references[i] for i in chosen),
            self.threads,
        )


@dataclass(frozen=True, repr=False)
class Inputs(Brief):
    """A model's inputs: ψ (translations, features), and vectors of the texts.

    `vectors` is (translations, 1 + anchors, dimension): the translation's, then the anchors'.
    `trees` are for models that read sentences word by word, `texts` for those that read the texts
    themselves; None for all others.
    """

    features: Floats
    vectors: Floats
    trees: TreeInputs | None = None
    texts: Texts | None = None

    def take(self, rows: npt.NDArray[np.int64] | slice) -> Inputs:
        """The inputs of some of the translations, in this order."""
        chosen = np.arange(len(self.features))[rows]
        trees = None if self.trees is None else self.trees.take(chosen)
        texts = None if self.texts is None else self.texts.take(chosen)
        return Inputs(self.features[rows], self.vectors[rows], trees, texts)


@dataclass(frozen=True, repr=False)
class Preparation(Brief):
    """How texts become a model's inputs: features, vectors, trees, as fitted and scaled."""

    features: FeatureSet | None
    vectors: tuple[SentenceVectors, ...] = ()
    anchors: tuple[str, ...] = ("reference",)
    fitted: Mapping[str, Fitted] = field(default_factory=dict)
    feature_scaling: Scaling | None = None
    vector_scaling: Scaling | None = None
    trees: TreeReader | None = None
    reads_texts: bool = False

    @property
    def dimension(self) -> int:
        """The length of a text's vector, all sentence vectors one after the other."""
        return sum(each.dimension for each in self.vectors)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the feature columns."""
        return () if self.features is None else self.features.columns

    @property
    def scalings(self) -> dict[str, Scaling]:
        """The scalings that there are, of features and of vectors."""
        both = {"features": self.feature_scaling, "vectors": self.vector_scaling}
        return {place: scaling for place, scaling in both.items() if scaling is not None}

    def description(self) -> dict[str, Any]:
        """What it is made of besides arrays, as a bundle keeps it."""
        return {
            "features": "" if self.features is None else str(self.features),
            "vectors": " ".join(str(each.spec) for each in self.vectors),
            "anchors": list(self.anchors),
            **({} if self.trees is None else {"trees": str(self.trees.spec)}),
            **{f"{place}_scaling": each.method for place, each in self.scalings.items()},
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """What was fitted, by name, as a bundle keeps it."""
        arrays: dict[str, np.ndarray] = {}
        for place, scaling in self.scalings.items():
            arrays[f"scaling.{place}.centre"] = scaling.centre
            arrays[f"scaling.{place}.spread"] = scaling.spread
            arrays[f"scaling.{place}.constant"] = np.array(scaling.constant, dtype=np.int64)
        for spec, fitted in self.fitted.items():
            arrays.update({f"fitted.{spec}.{name}": value for name, value in fitted.items()})
        return arrays

    def check_fitted(self) -> None:
        """Raise unless everything that is learned in training is there, and fits its input."""
        for place, columns in (("features", len(self.columns)), ("vectors", self.dimension)):
            if place in self.scalings:
                check_scaling(self.scalings[place], columns, place)
        learned = {str(f.spec): f.check for f in self._learning() if f.check is not None}
        foreign = [spec for spec in self.fitted if spec not in learned]
        if foreign:
            raise ConcordantError(
                f"there are fitted values for {foreign[0]}, which is not an input"
            )
        for spec, check in learned.items():
            try:
                check(self.fitted.get(spec, {}))
            except ConcordantError as fault:
                raise ConcordantError(f"what was fitted for {spec} is invalid: {fault}") from fault

    def _learning(self) -> list[Feature | SentenceVectors | TreeReader]:
        """The inputs that learn something from training texts."""
        features = () if self.features is None else self.features.features
        trees = () if self.trees is None else (self.trees,)
        return [
            *(each for each in features if each.fit is not None),
            *(each for each in self.vectors if each.fit is not None),
            *trees,
        ]

    @property
    def needs_references(self) -> bool:
        """Whether anything of it compares with references."""
        features = self.features is not None and not self.compares_sources
        return features or "reference" in self.anchors

    @property
    def compares_sources(self) -> bool:
        """Whether features compare the translation with its source, for there is no reference."""
        return "source" in self.anchors and "reference" not in self.anchors

    def inputs(
        self,
        translations: Sequence[str],
        references: Sequence[Sequence[str]],
        sources: Sequence[str] | None = None,
        *,
        threads: int = 1,
        test_set: Sequence[Sequence[str]] | None = None,
        track: Track | None = None,
        grid: Grid | None = None,
    ) -> Inputs:
        """The scaled inputs of translations; several references' vectors are averaged."""
        texts = self._texts(translations, references, sources)
        with np.errstate(over="ignore", invalid="ignore"):
            if self.features is None:
                features = np.zeros((len(translations), 0))
            else:
                features = self.features.extract(
                    translations,
                    texts[1] if self.compares_sources else references,
                    threads=threads,
                    fitted=self.fitted,
                    test_set=test_set,
                    track=track,
                    sentences=[v.encoder for v in self.vectors if v.encoder is not None],
                    grid=None if self.compares_sources else grid,
                )
            if self.feature_scaling is not None:
                features = self.feature_scaling.apply(features)
            vectors = self.text_vectors(texts, threads=threads, track=track)
            if self.vector_scaling is not None:
                vectors = self.vector_scaling.apply(vectors)
            trees = self.tree_inputs(translations, references, track=track)
        if not (np.isfinite(features).all() and np.isfinite(vectors).all()):
            raise ConcordantError("an input is not finite: the fitted numbers are too large")
        return Inputs(
            features, vectors, trees, self.texts(translations, references, threads=threads)
        )

    def texts(
        self,
        translations: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        threads: int = 1,
    ) -> Texts | None:
        """The texts themselves; None where nothing reads them."""
        if not self.reads_texts:
            return None
        return Texts(tuple(translations), tuple(tuple(given) for given in references), threads)

    def tree_inputs(
        self,
        translations: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        track: Track | None = None,
    ) -> TreeInputs | None:
        """The trees of translations and references; None where nothing reads them."""
        if self.trees is None:
            return None
        fitted = self.fitted.get(str(self.trees.spec), {})  # nothing, where no words are filled in
        return self.trees.read(translations, references, fitted, track)

    def text_vectors(
        self, texts: Sequence[Sequence[Sequence[str]]], *, threads: int, track: Track | None
    ) -> Floats:
        """The unscaled vectors, (translations, 1 + anchors, dimension).

        `texts` has for each place (translation, then anchors) one or more texts per translation.
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
            raise ConcordantError(f"{each.spec} must be fitted on training texts first")
        context = Context(threads, fitted, None, track)
        return each.vectors(texts, context).astype(np.float64)

    def _texts(
        self,
        translations: Sequence[str],
        references: Sequence[Sequence[str]],
        sources: Sequence[str] | None,
    ) -> list[list[tuple[str, ...]]]:
        if "source" in self.anchors and sources is None:
            raise ConcordantError("this metric needs the source; give the source texts too")
        if "reference" in self.anchors:
            check_texts(translations, references)
        if sources is not None and len(sources) != len(translations):
            raise ConcordantError(f"{len(translations)} translations, but {len(sources)} sources")
        places: dict[str, list[tuple[str, ...]]] = {
            "reference": [tuple(given) for given in references],
            "source": [(text,) for text in (() if sources is None else sources)],
        }
        return [[(text,) for text in translations], *[places[name] for name in self.anchors]]


def check_anchors(anchors: Sequence[str]) -> tuple[str, ...]:
    """The texts a translation is compared with, all of them known and none twice."""
    wrong = [name for name in anchors if name not in ANCHORS]
    if wrong or len(set(anchors)) < len(anchors):
        raise SpecError(f"anchors {', '.join(anchors)} are not some of {', '.join(ANCHORS)}")
    return tuple(anchors)

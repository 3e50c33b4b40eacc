"""A metric: features, sentence vectors and scaling, a model, and a signature. What a user holds.

A metric takes texts and gives numbers, better when higher. It knows nothing of how it was trained
or where it is kept. What a model does with its inputs stands in the table `MODELS`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant._version import __version__
from concordant.arguments import text_list, thread_count
from concordant.brief import Brief
from concordant.embeddings.word_trees import chains
from concordant.errors import ConcordantError
from concordant.lexical.scope import Scope
from concordant.lexical.scored_texts import check_given, language_code, scores_of
from concordant.models import linear, pairwise, regression, tree_lstm
from concordant.models.namespace import sigmoid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.embeddings.encoders import Track
    from concordant.features.preparation import Inputs, Preparation
    from concordant.features.tree_inputs import TreeInputs
    from concordant.lexical.texts import Floats
    from concordant.records import Scores

    Params = dict[str, np.ndarray]

CALIBRATION = "calibration"  # the parameter that turns raw scores into shares
RAW = "(scale=raw)"  # how a name asks for raw scores


@dataclass(frozen=True)
class Model:
    """What a kind of model can do with its inputs.

    `sizes` are the shapes of its parameters. `score` gives each output a number, in [0, 1] or on
    the scale of the ratings that a regression learned from; `margin` by how much the first of two
    is preferred, None for a model that only compares scores. `effects` says what one deviation of
    each feature moves, None if a model cannot say. `raw` are scores before calibration. `check`
    raises where parameters have impossible values.
    """

    title: str
    sizes: Callable[[Metric], dict[str, tuple[int, ...]]]
    score: Callable[[Metric, Inputs], Floats]
    margin: Callable[[Metric, Inputs, Inputs], Floats] | None = None
    effects: Callable[[Metric], Floats] | None = None
    raw: Callable[[Metric, Inputs], Floats] | None = None
    check: Callable[[Metric], None] | None = None


@dataclass(frozen=True, repr=False)
class Metric(Brief):
    """Texts → numbers, better when higher; `languages` it is made for, by code (none: any)."""

    name: str
    kind: str
    preparation: Preparation
    params: Params
    options: Mapping[str, Any] = field(default_factory=dict)
    card: str = field(default="", repr=False)
    languages: tuple[str, ...] = ()

    def score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        sources: Sequence[str] | None = None,
        *,
        language: str | None = None,
        threads: int = 1,
        track: Track | None = None,
    ) -> Scores:
        """The score of each output with what is suspicious about it, and their mean.

        `language`, as in "de", is what the texts are in, for flags and warnings.
        """
        given = (hypotheses, references, sources)
        check_given(given, referenced=self.preparation.needs_references)
        inputs = self.preparation.inputs(*given, threads=thread_count(threads), track=track)
        segments = self.segment_scores(inputs)
        return scores_of(
            self.name, given, segments, float(np.mean(segments)),
            (self.signature(), self.signature()), self.scope, language_code(language),
        )  # fmt: skip

    @property
    def scope(self) -> Scope:
        """The texts that it is made for."""
        return Scope(self.languages)

    def segment_scores(self, inputs: Inputs) -> Floats:
        """The score of each output from its inputs."""
        return self._finite(lambda: MODELS[self.kind].score(self, inputs))

    def raw_scores(self, inputs: Inputs) -> Floats:
        """The scores before calibration: a regression's predicted ratings; else the same."""
        raw = MODELS[self.kind].raw
        return self.segment_scores(inputs) if raw is None else raw(self, inputs)

    def uncalibrated(self) -> Metric:
        """The same metric with raw scores, where it turns them into shares."""
        if CALIBRATION not in self.params:
            raise ConcordantError(f"the scores of {self.name} are raw; leave out {RAW}")
        return replace(self, name=self.name + RAW, options={**self.options, "scale": "raw"})

    def prefer(
        self,
        first: Sequence[str],
        second: Sequence[str],
        references: Sequence[Sequence[str]],
        sources: Sequence[str] | None = None,
        *,
        threads: int = 1,
    ) -> Floats:
        """The probability that `first` is better than `second`, for each segment."""
        given = (first, references, sources)
        check_given(given, referenced=self.preparation.needs_references)
        if len(text_list(second, "second")) != len(first):
            raise ConcordantError(f"{len(first)} first outputs, but {len(second)} second ones")
        threads = thread_count(threads)
        both = [*first, *second]
        again = None if sources is None else [*sources, *sources]
        inputs = self.preparation.inputs(
            both, [*references, *references], again, threads=threads, test_set=references
        )
        n = len(first)
        return self.preferences(inputs.take(slice(None, n)), inputs.take(slice(n, None)))

    def preferences(self, first: Inputs, second: Inputs) -> Floats:
        """The probability that the first output is better, from the inputs of both."""
        return np.asarray(0.5 + self.margins(first, second))

    def margins(self, first: Inputs, second: Inputs) -> Floats:
        """By how much the first output is preferred, in [-1/2, 1/2], from the inputs of both."""
        margin = MODELS[self.kind].margin
        if margin is not None:
            return self._finite(lambda: margin(self, first, second))
        return 0.5 * np.sign(self.segment_scores(first) - self.segment_scores(second))

    def _finite(self, compute: Callable[[], Floats]) -> Floats:
        """Numbers of outputs; an error where weights are so large that they give none."""
        with np.errstate(over="ignore", invalid="ignore"):
            found = compute()
        if not np.isfinite(found).all():
            raise ConcordantError(
                f"{self.name} gives a score that is not finite: its weights are too large"
            )
        return found

    @property
    def digest(self) -> str:
        """All that changes scores but the parts, in twelve hexadecimal digits."""
        found = hashlib.sha256(json.dumps(self.description(), sort_keys=True).encode())
        for name, array in sorted(self.arrays().items()):
            found.update(f"{name} {array.dtype.str} {array.shape}".encode())
            found.update(np.ascontiguousarray(array).tobytes())
        return found.hexdigest()[:12]

    def description(self) -> dict[str, dict[str, Any]]:
        """Inputs, scaling, model and its options, as a bundle keeps them beside the arrays."""
        return {
            "inputs": self.preparation.description(),
            "model": {"kind": self.kind, **self.options},
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """Every array of the metric by name, as a bundle keeps them."""
        params = {f"params.{name}": value for name, value in self.params.items()}
        return {**params, **self.preparation.arrays()}

    @property
    def parts(self) -> str:
        """What it needs that is not in the package, in eight hexadecimal digits; "" if nothing."""
        used = self.preparation.features
        names = [each.signature for each in self.preparation.vectors]
        names += [] if self.preparation.trees is None else [self.preparation.trees.signature]
        names += [] if used is None else [f.outside for f in used.features if f.outside]
        return hashlib.sha256("|".join(names).encode()).hexdigest()[:8] if names else ""

    def signature(self) -> str:
        """What computes the numbers: the metric, its weights, its parts, the version."""
        inside = [f"parts:{self.parts}"] if self.parts else []
        return "|".join([
            f"metric:{self.name}", f"model:{self.kind}", f"sha256:{self.digest}", *inside,
            f"concordant:{__version__}",
        ])  # fmt: skip


def pairwise_shape(metric: Metric) -> pairwise.PairwiseShape:
    """The shape of a pairwise network, from a metric's options and inputs."""
    prepared = metric.preparation
    return pairwise.PairwiseShape(
        prepared.dimension,
        len(prepared.columns),
        int(metric.options["hidden"]),
        prepared.anchors,
        bool(metric.options["symmetric"]),
    )


def _pairwise_score(metric: Metric, inputs: Inputs) -> Floats:
    shape = pairwise_shape(metric)
    found = pairwise.standing(metric.params, shape, inputs.vectors, inputs.features)
    return np.asarray(sigmoid(found))


def _pairwise_sizes(metric: Metric) -> dict[str, tuple[int, ...]]:
    return pairwise.sizes(pairwise_shape(metric))


def _pairwise_margin(metric: Metric, first: Inputs, second: Inputs) -> Floats:
    texts = np.concatenate([first.vectors[:, :1], second.vectors[:, :1], first.vectors[:, 1:]], 1)
    shape = pairwise_shape(metric)
    return np.asarray(pairwise.margin(metric.params, shape, texts, first.features, second.features))


def _linear_sizes(metric: Metric) -> dict[str, tuple[int, ...]]:
    features = len(metric.preparation.columns)
    return linear.kept_sizes(linear.LinearShape(features, int(metric.options["hidden"])))


def _regression_sizes(metric: Metric) -> dict[str, tuple[int, ...]]:
    prepared = metric.preparation
    wide = regression.width(len(prepared.columns), prepared.dimension, len(prepared.anchors))
    features = len(prepared.columns)
    return regression.sizes(metric.options["regressor"], metric.params, wide, features)


def _regression_score(metric: Metric, inputs: Inputs) -> Floats:
    raw = metric.raw_scores(inputs)
    if CALIBRATION not in metric.params or metric.options.get("scale") == "raw":
        return raw
    return regression.calibrated(raw, metric.params[CALIBRATION])


def _regression_raw(metric: Metric, inputs: Inputs) -> Floats:
    regressor = metric.options["regressor"]
    return regression.predict(regressor, metric.params, inputs.features, inputs.vectors)


def _regression_margin(metric: Metric, first: Inputs, second: Inputs) -> Floats:
    gap = metric.raw_scores(first) - metric.raw_scores(second)
    return regression.preferred(float(metric.params["noise"][0]), gap)


def tree_shape(metric: Metric) -> tree_lstm.TreeShape:
    """The shape of a Tree-LSTM, from a metric's options and inputs."""
    if metric.preparation.trees is None:
        raise ConcordantError(f"{metric.name} reads trees, but its inputs name none")
    return tree_lstm.TreeShape(
        metric.preparation.trees.dimension,
        int(metric.options["memory"]),
        int(metric.options["hidden"]),
        bool(metric.options["output_gate"]),
    )


def tree_scores(
    params: Params, shape: tree_lstm.TreeShape, structure: str, given: TreeInputs
) -> Floats:
    """How close each output is to its reference, in [0, 1]; of several references the closest."""
    trees = chains(given.trees) if structure == "sequence" else given.trees
    grades = tree_lstm.grades_of(params, shape, trees, given.table, given.pairs)
    best = np.ones(len(given))
    np.maximum.at(best, given.output, grades)
    return np.asarray((best - 1.0) / (tree_lstm.GRADES - 1.0))


def _tree_score(metric: Metric, inputs: Inputs) -> Floats:
    if inputs.trees is None:
        raise ConcordantError(f"{metric.name} reads trees; it was given none")
    structure = str(metric.options["structure"])
    return tree_scores(metric.params, tree_shape(metric), structure, inputs.trees)


MODELS = {
    "pairwise": Model(
        "a network that compares two outputs (Guzmán et al. 2015)",
        _pairwise_sizes,
        _pairwise_score,
        _pairwise_margin,
    ),
    "linear": Model(
        "features weighed and added up (Stanojević and Sima'an 2017)",
        _linear_sizes,
        lambda metric, inputs: linear.sentence_scores(metric.params, inputs.features),
        lambda metric, one, two: linear.margin(metric.params, one.features, two.features),
        effects=lambda metric: linear.effects(metric.params),
    ),
    "regression": Model(
        "a rating predicted from sentence vectors and features (Shimanaka et al. 2018)",
        _regression_sizes,
        _regression_score,
        _regression_margin,
        raw=_regression_raw,
        check=lambda metric: regression.check_values(metric.params),
    ),
    "tree-lstm": Model(
        "a Tree-LSTM that reads output and reference (Gupta et al. 2015)",
        lambda metric: tree_lstm.sizes(tree_shape(metric)),
        _tree_score,
    ),
}

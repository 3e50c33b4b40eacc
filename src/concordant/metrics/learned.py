"""A trained metric: features, sentence vectors and scaling, a model, and a signature.

A metric maps texts to numbers, better when higher. It does not know how it was trained
or where it is kept. What a model does with its inputs says its kind (models/kinds.py).
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
from concordant.errors import ConcordantError
from concordant.metrics.lexical.scope import Scope
from concordant.metrics.lexical.scored_texts import check_given, language_code, scores_of
from concordant.models.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.encoders.encoders import Track
    from concordant.features.preparation import Inputs, Preparation
    from concordant.metrics.lexical.texts import Floats
    from concordant.records import Scores

    Params = dict[str, np.ndarray]

CALIBRATION = "calibration"  # the parameter that turns raw scores into shares
RAW = "(scale=raw)"  # how a name asks for raw scores


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
        """The score and the flags of each translation, and the mean score.

        `language`, as in "de", is the target language, for flags and warnings.
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
        """The score of each translation from its inputs."""
        return self._finite(lambda: kind_of(self.kind).score(self, inputs))

    def raw_scores(self, inputs: Inputs) -> Floats:
        """The scores before calibration: a regression's predicted ratings; else the same."""
        raw = kind_of(self.kind).raw
        return self.segment_scores(inputs) if raw is None else raw(self, inputs)

    def uncalibrated(self) -> Metric:
        """The same metric with raw instead of calibrated scores."""
        if CALIBRATION not in self.params:
            raise ConcordantError(f"the scores of {self.name} are always raw; leave out {RAW}")
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
            raise ConcordantError(f"{len(first)} first translations, {len(second)} second ones")
        threads = thread_count(threads)
        both = [*first, *second]
        again = None if sources is None else [*sources, *sources]
        inputs = self.preparation.inputs(
            both, [*references, *references], again, threads=threads, test_set=references
        )
        n = len(first)
        return self.preferences(inputs.take(slice(None, n)), inputs.take(slice(n, None)))

    def preferences(self, first: Inputs, second: Inputs) -> Floats:
        """The probability that the first translation is better, from the inputs of both."""
        return np.asarray(0.5 + self.margins(first, second))

    def margins(self, first: Inputs, second: Inputs) -> Floats:
        """How far the first translation is preferred, in [-1/2, 1/2], from the inputs of both."""
        margin = kind_of(self.kind).margin
        if margin is not None:
            return self._finite(lambda: margin(self, first, second))
        return 0.5 * np.sign(self.segment_scores(first) - self.segment_scores(second))

    def _finite(self, compute: Callable[[], Floats]) -> Floats:
        """The scores; an error if weights are so large that one is not finite."""
        with np.errstate(over="ignore", invalid="ignore"):
            found = compute()
        if not np.isfinite(found).all():
            raise ConcordantError(
                f"{self.name} gives a score that is not finite: its weights are too large"
            )
        return found

    @property
    def digest(self) -> str:
        """A hash, in twelve hexadecimal digits, of all that changes scores except the parts."""
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
        """A hash, in eight hexadecimal digits, of the installed parts it needs; "" if none."""
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

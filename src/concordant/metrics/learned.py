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
from concordant.brief import Brief
from concordant.errors import ConcordantError
from concordant.metrics.scope import Scope
from concordant.metrics.scorer import NOTHING, AveragingScorer, Needs, count_scores
from concordant.models.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.features.preparation import Inputs, Preparation
    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scorer import Batch, Prepared

    Params = dict[str, np.ndarray]

CALIBRATION = "calibration"  # the parameter that turns raw scores into shares
RAW = "(scale=raw)"  # how a name asks for raw scores


@dataclass(frozen=True)
class About:
    """What a metric says of itself in `[about]` of metric.toml, for people.

    `scale` is what a score means, `languages` are the codes of those it is made for (none: any).
    """

    title: str = ""
    scale: str = ""
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Metric(AveragingScorer, Brief):
    """A learned metric: texts → numbers, better when higher."""

    name: str
    kind: str
    preparation: Preparation
    params: Params
    options: Mapping[str, Any] = field(default_factory=dict)
    card: str = field(default="", repr=False)
    about: About = About()
    sign = 1

    @property
    def scale(self) -> str:
        """What a score means."""
        raw = "learned from human ratings; a predicted rating, in standard deviations"
        return raw if self.options.get("scale") == "raw" else self.about.scale

    @property
    def scope(self) -> Scope:
        """The texts that it is made for."""
        return Scope(self.about.languages)

    @property
    def needs(self) -> Needs:
        """What its inputs ask for."""
        used = self.preparation.features
        return Needs(
            references=self.preparation.needs_references,
            sources="source" in self.preparation.anchors,
            test_set=used is not None and any(each.whole_test_set for each in used.features),
            network=used is not None and used.has_network,
        )

    def prepare(self, references: Sequence[Sequence[str]]) -> Prepared:
        """The references of the whole test set, where a feature depends on them."""
        return {"test_set": references} if self.needs.test_set else NOTHING

    def counts(self, batch: Batch, *, threads: int = 1, prepared: Prepared = NOTHING) -> Floats:
        """Each translation's score and 1."""
        return count_scores(self.scores_of_inputs(self.inputs(batch, threads, prepared)))

    @property
    def compares(self) -> bool:
        """Whether its model compares two translations, and not only their scores."""
        return kind_of(self.kind).margin is not None

    def margins(
        self, first: Batch, second: Batch, *, threads: int = 1, prepared: Prepared = NOTHING
    ) -> Floats:
        """How far each first translation is preferred, in [-1/2, 1/2]."""
        distinct, rows = first.joined(second).distinct()
        inputs = self.inputs(distinct, threads, prepared)
        return self.margins_of_inputs(*(inputs.take(each) for each in np.split(rows, 2)))

    def inputs(self, batch: Batch, threads: int, prepared: Prepared = NOTHING) -> Inputs:
        """What the model sees of texts."""
        return self.preparation.inputs(
            batch.translations,
            batch.references,
            batch.sources,
            threads=threads,
            grid=batch.grid,
            **prepared,
        )

    def scores_of_inputs(self, inputs: Inputs) -> Floats:
        """The score of each translation from its inputs."""
        return self._finite(lambda: kind_of(self.kind).score(self, inputs))

    def margins_of_inputs(self, first: Inputs, second: Inputs) -> Floats:
        """How far the first translation is preferred, in [-1/2, 1/2], from the inputs of both."""
        margin = kind_of(self.kind).margin
        if margin is not None:
            return self._finite(lambda: margin(self, first, second))
        return 0.5 * np.sign(self.scores_of_inputs(first) - self.scores_of_inputs(second))

    def raw_scores(self, inputs: Inputs) -> Floats:
        """The scores before calibration: a regression's predicted ratings; else the same."""
        raw = kind_of(self.kind).raw
        return self.scores_of_inputs(inputs) if raw is None else raw(self, inputs)

    def uncalibrated(self) -> Metric:
        """The same metric with raw instead of calibrated scores."""
        if CALIBRATION not in self.params:
            raise ConcordantError(f"the scores of {self.name} are always raw; leave out {RAW}")
        return replace(self, name=self.name + RAW, options={**self.options, "scale": "raw"})

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

    def signature(self, *, level: str = "system") -> str:  # noqa: ARG002 - the same at both
        """What computes the numbers: the metric, its weights, its parts, the version."""
        inside = [f"parts:{self.parts}"] if self.parts else []
        return "|".join([
            f"metric:{self.name}", f"model:{self.kind}", f"sha256:{self.digest}", *inside,
            f"concordant:{__version__}",
        ])  # fmt: skip

# ruff: noqa: D102 - what a member of a protocol is, its class says
"""What a kind of model is: what it can do with its inputs, and how it is fitted.

Models stand below metrics and training. What they take from these is said here by the attributes
they read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from concordant.models.loop import Optimiser

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from concordant.features.preparation import Inputs, Preparation
    from concordant.judgements.judged_systems import JudgedSystems
    from concordant.judgements.judged_translations import Floats, JudgedPairs, RatedTranslations
    from concordant.models.functions import Params
    from concordant.models.loop import Progress, TrainingRun
    from concordant.models.options import Option


class Fitted(Protocol):
    """A metric as its model sees it: parameters, options, and how its inputs are prepared."""

    @property
    def name(self) -> str: ...
    @property
    def params(self) -> Params: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def preparation(self) -> Preparation: ...


@dataclass(frozen=True)
class Lessons:
    """What there is to learn from, by the side of a split."""

    pairs: Mapping[str, JudgedPairs]
    rated: Mapping[str, RatedTranslations]
    corpora: Mapping[str, JudgedSystems]


class RecipeValues(Protocol):
    """The values of a recipe by their keys."""

    def __getitem__(self, key: str, /) -> Any: ...


@dataclass(frozen=True)
class Explanation:
    """How the scores of a kind of model are taken apart.

    `parts` of the raw total (outputs, features; with vectors, a last column is theirs), the `total`
    itself, its `constant`, and the `scale` that makes the score of it, in words. `effects` says
    what one deviation of each feature moves, None if a model cannot say.
    """

    parts: Callable[[Fitted, Inputs], Floats]
    total: Callable[[Fitted, Inputs], Floats]
    constant: Callable[[Fitted], float]
    scale: Callable[[Fitted], str]
    effects: Callable[[Fitted], Floats] | None = None


@dataclass(frozen=True)
class ModelKind:
    """What a kind of model can do with its inputs.

    `options` are what it keeps besides its parameters, `sizes` the shapes of these. `score` gives
    each translation a number, in [0, 1] or on the scale of the ratings that a regression learned
    from; `margin` by how much the first of two is preferred, None for a model that only compares
    scores. `raw` are scores before calibration. `check` raises where parameters have impossible
    values. `explanation` is None where scores cannot be taken apart. `reads_texts`: the texts are
    its inputs. `whole` names the parameters that are whole numbers of 8 bits.
    """

    title: str
    options: Mapping[str, Option]
    sizes: Callable[[Fitted], dict[str, tuple[int, ...]]]
    score: Callable[[Fitted, Inputs], Floats]
    margin: Callable[[Fitted, Inputs, Inputs], Floats] | None = None
    raw: Callable[[Fitted, Inputs], Floats] | None = None
    check: Callable[[Fitted], None] | None = None
    explanation: Explanation | None = None
    reads_texts: bool = False
    whole: Callable[[Fitted], frozenset[str]] = lambda _: frozenset()


@dataclass(frozen=True)
class Learned:
    """The parameters of one model, the course of its training, and facts for the record.

    `crossed` are its scores of the training side by models that did not learn from them, where it
    was cross-validated.
    """

    params: Params
    progress: Progress | None
    facts: dict[str, Any] = field(default_factory=dict)
    crossed: np.ndarray | None = None


@dataclass(frozen=True)
class Trainer:
    """How one kind of model is trained.

    `options` are what the metric keeps besides its parameters, `describe` says them in words,
    `faults` what a recipe asks for that this kind cannot do. `learns_from` is "pairs", "ratings",
    or "any": ratings where there are any, else pairs.
    `alone` are keys of recipes that other kinds would pass over in silence.
    """

    objectives: tuple[str, ...]
    options: Callable[[RecipeValues], dict[str, Any]]
    describe: Callable[[RecipeValues], str]
    train: Callable[[RecipeValues, Fitted, Lessons, Mapping[str, Inputs], TrainingRun], Learned]
    faults: Callable[[RecipeValues], list[str]]
    learns_from: str = "pairs"
    alone: tuple[str, ...] = ()


def optimiser_of(recipe: RecipeValues) -> Optimiser:
    """The optimiser that a recipe names."""
    keys = ("kind", "rate", "decay", "epochs", "patience", "averaged")
    return Optimiser(*(recipe[f"optimiser.{key}"] for key in keys))


def round_weights(params: Params) -> Params:
    """Weights as they are kept: no judgement is worth more than seven digits."""
    return {name: value.astype(np.float32) for name, value in params.items()}


def describe_hidden(recipe: RecipeValues) -> str:
    """A hidden layer in words."""
    nodes = recipe["model.hidden"]
    return f"{nodes} hidden nodes" if nodes else "no hidden layer"

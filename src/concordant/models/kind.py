# ruff: noqa: D102 - what a member of a protocol is, its class says
"""What a kind of model is: what it can do with its inputs, and how it is fitted.

Models stand below features, metrics and training. What they take from these is said here by the
attributes they read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from concordant.encoders.encoders import Track
    from concordant.encoders.syntax.word_trees import WordTrees
    from concordant.models.loop import Progress
    from concordant.models.options import Option
    from concordant.models.search import Ledger

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Params = dict[str, np.ndarray]


class SeenTrees(Protocol):
    """The trees of translations and references, and their comparisons."""

    @property
    def trees(self) -> WordTrees: ...
    @property
    def table(self) -> npt.NDArray[np.float32]: ...
    @property
    def output(self) -> Ints: ...
    @property
    def pairs(self) -> Ints: ...
    def take(self, rows: Ints) -> SeenTrees: ...
    def __len__(self) -> int: ...


class Seen(Protocol):
    """What a model sees of translations: features, vectors of their texts, trees."""

    @property
    def features(self) -> Floats: ...
    @property
    def vectors(self) -> Floats: ...
    @property
    def trees(self) -> SeenTrees | None: ...


class Fitted(Protocol):
    """A metric as its model sees it: parameters, options, and how its inputs are prepared."""

    @property
    def name(self) -> str: ...
    @property
    def params(self) -> Params: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def preparation(self) -> Any: ...


class PairRows(Protocol):
    """Judged pairs by their rows, the better one first; see training's judged pairs."""

    @property
    def better(self) -> Ints: ...
    @property
    def worse(self) -> Ints: ...
    @property
    def weight(self) -> Floats: ...
    @property
    def tie(self) -> Bools | None: ...
    @property
    def ratings(self) -> Floats | None: ...
    def __len__(self) -> int: ...


class CorpusRows(Protocol):
    """Judged systems by the rows of their translations, and pairs of them, the better one first."""

    @property
    def names(self) -> tuple[tuple[str, str, str], ...]: ...
    @property
    def rows(self) -> tuple[Ints, ...]: ...
    @property
    def human(self) -> Floats: ...
    @property
    def better(self) -> Ints: ...
    @property
    def worse(self) -> Ints: ...
    @property
    def gap(self) -> Floats: ...
    def __len__(self) -> int: ...


class RatedRows(Protocol):
    """Rated translations: the rows that teach, and ratings of all."""

    @property
    def rows(self) -> Ints: ...
    @property
    def ratings(self) -> Floats: ...
    @property
    def group(self) -> Ints: ...
    @property
    def places(self) -> tuple[tuple[str, str, int], ...]: ...
    def __len__(self) -> int: ...


class Lessons(Protocol):
    """What there is to learn from, by the side of a split."""

    @property
    def pairs(self) -> Mapping[str, PairRows]: ...
    @property
    def rated(self) -> Mapping[str, RatedRows]: ...
    @property
    def corpora(self) -> Mapping[str, CorpusRows]: ...


class RecipeValues(Protocol):
    """The values of a recipe by their keys."""

    def __getitem__(self, key: str) -> Any: ...


@dataclass(frozen=True)
class Explanation:
    """How the scores of a kind of model are taken apart.

    `parts` of the raw total (outputs, features; with vectors, a last column is theirs), the `total`
    itself, its `constant`, and the `scale` that makes the score of it, in words. `effects` says
    what one deviation of each feature moves, None if a model cannot say.
    """

    parts: Callable[[Fitted, Seen], Floats]
    total: Callable[[Fitted, Seen], Floats]
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
    values. `explanation` is None where scores cannot be taken apart.
    """

    title: str
    options: Mapping[str, Option]
    sizes: Callable[[Fitted], dict[str, tuple[int, ...]]]
    score: Callable[[Fitted, Seen], Floats]
    margin: Callable[[Fitted, Seen, Seen], Floats] | None = None
    raw: Callable[[Fitted, Seen], Floats] | None = None
    check: Callable[[Fitted], None] | None = None
    explanation: Explanation | None = None


@dataclass(frozen=True)
class Learnt:
    """The parameters of one model, the course of its training, and facts for the record.

    `crossed` are its scores of the training side by models that did not learn from them, where it
    was cross-validated.
    """

    params: Params
    progress: Progress | None
    facts: dict[str, Any] = field(default_factory=dict)
    crossed: np.ndarray | None = None


@dataclass(frozen=True)
class TrainingRun:
    """How a run goes on: where an earlier one stood, what keeps it, and what shows it.

    `keep` is called after each epoch, `ledger` is where a search writes down what it tried.
    """

    resume: Progress | None = None
    keep: Callable[[Progress], None] = lambda _: None
    ledger: Ledger | None = None
    track: Track | None = None


@dataclass(frozen=True)
class Trainer:
    """How one kind of model is trained.

    `options` are what the metric keeps besides its parameters, `describe` says them in words,
    `faults` what a recipe asks for that this kind cannot do. `learns_from` is "pairs" or "ratings".
    `alone` are keys of recipes that other kinds would pass over in silence.
    """

    objectives: tuple[str, ...]
    options: Callable[[RecipeValues], dict[str, Any]]
    describe: Callable[[RecipeValues], str]
    train: Callable[[RecipeValues, Fitted, Lessons, Mapping[str, Seen], TrainingRun], Learnt]
    faults: Callable[[RecipeValues], list[str]]
    learns_from: str = "pairs"
    alone: tuple[str, ...] = ()


def round_weights(params: Params) -> Params:
    """Weights as they are kept: no judgement is worth more than seven digits."""
    return {name: value.astype(np.float32) for name, value in params.items()}


def describe_hidden(recipe: RecipeValues) -> str:
    """A hidden layer in words."""
    nodes = recipe["model.hidden"]
    return f"{nodes} hidden nodes" if nodes else "no hidden layer"

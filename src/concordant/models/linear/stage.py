"""The steps of a linear model's training: what a step sees, its cost and its gradient by hand.

A step sees a mini-batch of judged pairs, one pair of corpora, or one of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.models.linear.gradient import gradient_of, outputs_and_layer
from concordant.models.linear.margins import margin_pairs
from concordant.models.linear.objectives import (
    corpus_margin,
    corpus_margin_slope,
    corpus_score,
    corpus_score_slope,
    joint,
    sentence_margin,
    sentence_margin_slope,
)
from concordant.models.loop import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from concordant.judgements.judged_systems import JudgedSystems
    from concordant.judgements.judged_translations import Floats, Ints, JudgedPairs
    from concordant.models.functions import Params
    from concordant.models.kind import RecipeValues
    from concordant.models.linear.margins import MarginPairs


@dataclass(frozen=True)
class LinearSide:
    """The training or validation data of one side; `features` are of all translations."""

    features: Floats
    pairs: MarginPairs
    corpora: JudgedSystems | None

    @classmethod
    def of(
        cls,
        recipe: RecipeValues,
        features: Floats,
        pairs: JudgedPairs,
        corpora: JudgedSystems | None,
    ) -> LinearSide:
        """The side as a recipe's objective wants it."""
        return cls(features, margin_pairs(pairs, recipe["objective.margin"]), corpora)


def corpora_of(side: LinearSide) -> JudgedSystems:
    """The judged systems of a side; an error if there are none."""
    if side.corpora is None or not len(side.corpora):
        raise ConcordantError("there are no judged corpora to compare")
    return side.corpora


def linear_stage(recipe: RecipeValues, side: LinearSide, alphas: Sequence[float]) -> Stage:
    """The gradient of the recipe's objective, and mini-batches of a side; `alphas` by run."""
    kind = recipe["objective.kind"]
    parts: dict[str, StagePart] = {}
    if kind in {"sentence", "joint"}:
        parts["sentence"] = _sentence_part(recipe, side)
    if kind in {"corpus", "joint"}:
        parts["corpus"] = _corpus_part(recipe, side)
    share = np.array(alphas, dtype=np.float32)
    steps = max(recipe["optimiser.steps"], *(part.steps for part in parts.values()))

    def gradient(params: Params, batch: dict[str, Ints]) -> tuple[np.ndarray, Params]:
        found = {name: part.gradient(params, batch[name]) for name, part in parts.items()}
        if kind in found:
            return found[kind]
        (cost, slopes), (other, more) = found["sentence"], found["corpus"]
        by_run = {name: share.reshape(-1, *[1] * (slopes[name].ndim - 1)) for name in slopes}
        mixed = {name: joint(slopes[name], more[name], by_run[name]) for name in slopes}
        return joint(cost, other, share), mixed

    def batches(rngs: Sequence[np.random.Generator]) -> Iterator[dict[str, Ints]]:
        drawn = {
            name: np.stack([_rounds(rng, part.count, steps * part.size) for rng in rngs])
            for name, part in parts.items()
        }
        for step in range(steps):
            yield {
                name: drawn[name][:, step * part.size : (step + 1) * part.size]
                for name, part in parts.items()
            }

    return Stage(kind, gradient, batches)


@dataclass(frozen=True)
class StagePart:
    """One of the two costs: of `count` things that are judged, `size` are in a step.

    `gradient` is given the numbers of the things, (runs, size); it gives the cost of each run and
    its slope in every parameter.
    """

    count: int
    size: int
    gradient: Callable[[Params, Ints], tuple[np.ndarray, Params]]

    @property
    def steps(self) -> int:
        """How many steps go through all of them."""
        return -(-self.count // self.size)


def _sentence_part(recipe: RecipeValues, side: LinearSide) -> StagePart:
    features = side.features.astype(np.float32)
    pairs, width = side.pairs, recipe["objective.tie_width"]
    margin = pairs.margin.astype(np.float32)

    def gradient(params: Params, numbers: Ints) -> tuple[np.ndarray, Params]:
        size = numbers.shape[1]
        seen = features[np.concatenate([pairs.better[numbers], pairs.worse[numbers]], axis=1)]
        outputs, layer = outputs_and_layer(params, seen)
        gaps = outputs[:, :size] - outputs[:, size:]
        wanted = margin[numbers], None if pairs.tie is None else pairs.tie[numbers]
        steep = sentence_margin_slope(gaps, *wanted, tie_width=width)
        slope = np.concatenate([steep, -steep], axis=1)
        cost = sentence_margin(gaps, *wanted, tie_width=width)
        return cost, gradient_of(params, seen, layer, slope)

    count = len(pairs.better)
    return StagePart(count, min(recipe["optimiser.batch"], count), gradient)


def _corpus_part(recipe: RecipeValues, side: LinearSide) -> StagePart:
    corpora, heat = corpora_of(side), np.float32(recipe["objective.temperature"])
    whole = [side.features[rows].astype(np.float32) for rows in corpora.rows]
    gap = corpora.gap.astype(np.float32)

    def one(params: Params, number: int) -> tuple[float, Params]:
        """The cost of one pair of corpora and its slopes, for one run."""
        both = [whole[corpora.better[number]], whole[corpora.worse[number]]]
        (better, high), (worse, low) = (outputs_and_layer(params, each) for each in both)
        apart = corpus_score(better, temperature=heat) - corpus_score(worse, temperature=heat)
        steep = np.float32(corpus_margin_slope(apart, gap[number]))
        rise, fall = (corpus_score_slope(each, temperature=heat) for each in (better, worse))
        up = gradient_of(params, both[0], high, steep * rise)
        down = gradient_of(params, both[1], low, steep * fall)
        cost = float(corpus_margin(apart, gap[number]))
        return cost, {name: up[name] - down[name] for name in up}

    def gradient(params: Params, numbers: Ints) -> tuple[np.ndarray, Params]:
        found = [
            one({name: value[run] for name, value in params.items()}, int(number))
            for run, number in enumerate(numbers[:, 0])
        ]
        slopes = {name: np.stack([slope[name] for _, slope in found]) for name in params}
        return np.array([cost for cost, _ in found]), slopes

    return StagePart(len(corpora), 1, gradient)


def _rounds(rng: np.random.Generator, count: int, length: int) -> Ints:
    """So many numbers below `count`: all of them in random order, then all again, and so on."""
    rounds = -(-length // count)
    return np.concatenate([rng.permutation(count) for _ in range(rounds)])[:length]

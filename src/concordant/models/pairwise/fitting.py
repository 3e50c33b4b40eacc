"""A pairwise network learned from judged pairs (Guzmán et al. 2015, §3.3, §4.4, §6.4).

The features of every translation are computed once, before the first epoch. Which of a pair stands
first is drawn anew in each epoch, so that neither place is better by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError
from concordant.models.kind import Learnt, Trainer, round_weights
from concordant.models.loop import Optimiser, Stage, train
from concordant.models.pairwise import forward as pairwise
from concordant.models.pairwise.gradient import cost_and_gradient
from concordant.models.pairwise.kind import shape_of
from concordant.models.pairwise.objectives import PAIR_OBJECTIVES
from concordant.stats.tau import strict_tau

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from concordant.models.kind import (
        Fitted,
        Ints,
        Lessons,
        PairRows,
        RecipeValues,
        Seen,
        TrainingRun,
    )
    from concordant.models.loop import Progress

    Params = dict[str, np.ndarray]

CHUNK = 100  # mini-batches gathered at once


@dataclass(frozen=True)
class PairSet:
    """Judged pairs by their rows: the better output's first."""

    better: Ints
    worse: Ints

    @classmethod
    def of(cls, pairs: PairRows) -> PairSet:
        """The rows of judged pairs, a pair that was judged n times n times."""
        times = pairs.weight.astype(np.int64)
        return cls(np.repeat(pairs.better, times), np.repeat(pairs.worse, times))


def train_pairwise(
    recipe: RecipeValues,
    shape: pairwise.PairwiseShape,
    training: tuple[Seen, PairSet],
    validation: tuple[Seen, PairSet],
    *,
    seeds: Sequence[int],
    resume: Progress | None = None,
    after_epoch: Callable[[Progress], None] | None = None,
) -> tuple[list[Params], Progress]:
    """The weights of a network for each seed, at the epoch with the best tau on validation."""
    initial = [pairwise.initial(shape, np.random.default_rng(seed)) for seed in seeds]
    names = recipe["objective.kind"].split("+")
    stages = [_stage(name, recipe, shape, training) for name in names]
    optimiser = Optimiser(
        recipe["optimiser.kind"], recipe["optimiser.rate"], recipe["optimiser.decay"],
        recipe["optimiser.epochs"], recipe["optimiser.patience"], recipe["optimiser.averaged"],
    )  # fmt: skip

    def validate(params: Params) -> float:
        return tau(decisions(params, shape, *validation))

    return train(
        initial, stages, validate, optimiser, seeds=seeds, resume=resume, after_epoch=after_epoch
    )


def decisions(
    params: Params, shape: pairwise.PairwiseShape, inputs: Seen, pairs: PairSet
) -> np.ndarray:
    """For each pair by how much the better translation is preferred: above 0 is concordant."""
    texts = pair_texts(inputs.vectors, pairs.better, pairs.worse)
    features = inputs.features[pairs.better], inputs.features[pairs.worse]
    return np.asarray(pairwise.margin(params, shape, texts, *features))


def pair_texts(vectors: np.ndarray, first: Ints, second: Ints) -> np.ndarray:
    """The vectors of pairs in a network's order: first and second translation, anchors."""
    one, two = vectors[first], vectors[second]
    return np.concatenate([one[..., :1, :], two[..., :1, :], one[..., 1:, :]], axis=-2)


def tau(gaps: np.ndarray) -> float:
    """The strict tau of decisions, in [-1, 1]: a tie counts against."""
    if len(gaps) == 0:
        raise ConcordantError("there are no judged pairs to validate on")
    return strict_tau(gaps)


def _stage(
    name: str, recipe: RecipeValues, shape: pairwise.PairwiseShape, training: tuple[Seen, PairSet]
) -> Stage:
    objective = PAIR_OBJECTIVES[name]
    keys = {"gamma": "objective.gamma", "beta": "objective.beta"} if objective.swapped else {}
    options = {option: np.float32(recipe[key]) for option, key in keys.items()}

    def gradient(params: Params, batch: tuple[Any, ...]) -> tuple[np.ndarray, Params]:
        *inputs, sign = batch

        def slopes(there: Any, back: Any) -> tuple[Any, Any, Any]:
            odds = (there, back) if objective.swapped else (there,)
            found = objective.slope(*odds, sign, **options)
            both = found if objective.swapped else (found, None)
            return objective.cost(*odds, sign, **options), *both

        return cost_and_gradient(params, shape, tuple(inputs), slopes, both=objective.swapped)

    inputs, pairs = training
    return Stage(name, gradient, _batches(inputs, pairs, recipe["optimiser.batch"]))


def _batches(
    inputs: Seen, pairs: PairSet, size: int
) -> Callable[[Sequence[np.random.Generator]], Iterator[tuple[Any, ...]]]:
    """Mini-batches of an epoch: vectors, both ψ, and which of the two is better; runs in front."""
    vectors = inputs.vectors.astype(np.float32)
    features = inputs.features.astype(np.float32)
    count = len(pairs.better)

    def batches(rngs: Sequence[np.random.Generator]) -> Iterator[tuple[Any, ...]]:
        order = np.stack([rng.permutation(count) for rng in rngs])
        swap = np.stack([rng.integers(2, size=count) for rng in rngs]) > 0
        for start in range(0, count, CHUNK * size):
            rows, turn = (each[:, start : start + CHUNK * size] for each in (order, swap))
            better, worse = pairs.better[rows], pairs.worse[rows]
            first, second = np.where(turn, worse, better), np.where(turn, better, worse)
            texts = pair_texts(vectors, first, second)
            sign = np.where(turn, np.float32(-1), np.float32(1))
            parts = (texts, features[first], features[second], sign)
            for place in range(0, rows.shape[1], size):
                yield tuple(part[:, place : place + size] for part in parts)

    return batches


def _train_pairwise(
    recipe: RecipeValues,
    metric: Fitted,
    material: Lessons,
    inputs: Mapping[str, Seen],
    run: TrainingRun,
) -> Learnt:
    sides = material.pairs
    (params,), progress = train_pairwise(
        recipe,
        shape_of(metric),
        (inputs["training"], PairSet.of(sides["training"])),
        (inputs["validation"], PairSet.of(sides["validation"])),
        seeds=[recipe["seed"]],
        resume=run.resume,
        after_epoch=run.keep,
    )
    return Learnt(round_weights(params), progress)


def _pairwise_faults(recipe: RecipeValues) -> list[str]:
    wrong = []
    if recipe["objective.ties"] != "leave-out":
        wrong.append("objective.ties is for linear models; leave it out")
    return wrong


TRAINER = Trainer(
    ("logistic", "kendall", "logistic+kendall"),
    lambda recipe: {"hidden": recipe["model.hidden"], "symmetric": recipe["model.symmetric"]},
    lambda recipe: f"{recipe['model.hidden']} nodes a group",
    _train_pairwise,
    _pairwise_faults,
)

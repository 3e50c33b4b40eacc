"""A pairwise network learned from judged pairs (Guzmán et al. 2015, §3.3, §4.4, §6.4).

The features of every translation are computed once, before the first epoch. Which of a pair stands
first is drawn anew in each epoch, so that neither place is better by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError
from concordant.models.kind import Learned, Trainer, optimiser_of, round_weights
from concordant.models.loop import FROM_THE_START, Stage, train
from concordant.models.pairwise import forward as pairwise
from concordant.models.pairwise.gradient import cost_and_gradient
from concordant.models.pairwise.kind import shape_of
from concordant.models.pairwise.objectives import PAIR_OBJECTIVES
from concordant.stats.tau import strict_tau

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_translations import Ints, JudgedPairs
    from concordant.models.functions import Params
    from concordant.models.kind import Fitted, Lessons, RecipeValues
    from concordant.models.loop import Progress, TrainingRun

CHUNK = 100  # mini-batches gathered at once


@dataclass(frozen=True)
class PairSet:
    """Judged pairs by their rows: the better translation's first."""

    better: Ints
    worse: Ints

    @classmethod
    def of(cls, pairs: JudgedPairs) -> PairSet:
        """The rows of judged pairs, a pair that was judged n times n times."""
        times = pairs.weight.astype(np.int64)
        return cls(np.repeat(pairs.better, times), np.repeat(pairs.worse, times))


def train_pairwise(
    recipe: RecipeValues,
    shape: pairwise.PairwiseShape,
    training: tuple[Inputs, PairSet],
    validation: tuple[Inputs, PairSet],
    *,
    seeds: Sequence[int],
    run: TrainingRun = FROM_THE_START,
) -> tuple[list[Params], Progress]:
    """The weights of a network for each seed, at the epoch with the best tau on validation."""
    initial = [pairwise.initial(shape, np.random.default_rng(seed)) for seed in seeds]
    names = recipe["objective.kind"].split("+")
    stages = [_stage(name, recipe, shape, training) for name in names]

    def validate(params: Params) -> float:
        return tau(decisions(params, shape, *validation))

    return train(initial, stages, validate, optimiser_of(recipe), seeds=seeds, run=run)


def decisions(
    params: Params, shape: pairwise.PairwiseShape, inputs: Inputs, pairs: PairSet
) -> np.ndarray:
    """For each pair by how much the better translation is preferred: above 0 is concordant."""
    texts = pairwise.pair_texts(inputs.vectors[pairs.better], inputs.vectors[pairs.worse])
    features = inputs.features[pairs.better], inputs.features[pairs.worse]
    return np.asarray(pairwise.margin(params, shape, texts, *features))


def tau(gaps: np.ndarray) -> float:
    """The strict tau of decisions, in [-1, 1]: a tie counts against."""
    if len(gaps) == 0:
        raise ConcordantError("there are no judged pairs to validate on")
    return strict_tau(gaps)


def _stage(
    name: str, recipe: RecipeValues, shape: pairwise.PairwiseShape, training: tuple[Inputs, PairSet]
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
    inputs: Inputs, pairs: PairSet, size: int
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
            texts = pairwise.pair_texts(vectors[first], vectors[second])
            sign = np.where(turn, np.float32(-1), np.float32(1))
            parts = (texts, features[first], features[second], sign)
            for place in range(0, rows.shape[1], size):
                yield tuple(part[:, place : place + size] for part in parts)

    return batches


def _train_pairwise(
    recipe: RecipeValues,
    metric: Fitted,
    lessons: Lessons,
    inputs: Mapping[str, Inputs],
    run: TrainingRun,
) -> Learned:
    sides = lessons.pairs
    (params,), progress = train_pairwise(
        recipe,
        shape_of(metric),
        (inputs["training"], PairSet.of(sides["training"])),
        (inputs["validation"], PairSet.of(sides["validation"])),
        seeds=[recipe["seed"]],
        run=run,
    )
    return Learned(round_weights(params), progress)


def _pairwise_faults(recipe: RecipeValues) -> list[str]:
    if recipe["objective.ties"] == "leave-out":
        return []
    return ["objective.ties is for linear models; leave it out"]


TRAINER = Trainer(
    ("logistic", "kendall", "logistic+kendall"),
    lambda recipe: {"hidden": recipe["model.hidden"], "symmetric": recipe["model.symmetric"]},
    lambda recipe: f"{recipe['model.hidden']} nodes a group",
    _train_pairwise,
    _pairwise_faults,
)

"""A pairwise network learnt from judged pairs (Guzmán et al. 2015, §3.3, §4.4, §6.4).

The features of every output are computed once, before the first epoch. Which of a pair stands
first is drawn anew in each epoch, so that neither place is better by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError
from concordant.models import pairwise
from concordant.training.loop import Optimiser, Stage, torch_module, train
from concordant.training.objectives import kendall, logistic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from concordant.features.preparation import Inputs
    from concordant.training.judged_texts import Ints, JudgedPairs
    from concordant.training.loop import Progress
    from concordant.training.recipe import Recipe

    Params = dict[str, np.ndarray]

CHUNK = 100  # mini-batches gathered at once


@dataclass(frozen=True)
class PairSet:
    """Judged pairs by their rows in `Inputs`: the better output's first."""

    better: Ints
    worse: Ints

    @classmethod
    def of(cls, pairs: JudgedPairs) -> PairSet:
        """The rows of judged pairs, a pair that was judged n times n times."""
        times = pairs.weight.astype(np.int64)
        return cls(np.repeat(pairs.better, times), np.repeat(pairs.worse, times))


def train_pairwise(
    recipe: Recipe,
    shape: pairwise.PairwiseShape,
    training: tuple[Inputs, PairSet],
    validation: tuple[Inputs, PairSet],
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
        recipe["optimiser.epochs"], recipe["optimiser.patience"],
    )  # fmt: skip

    def validate(params: Params) -> float:
        return tau(decisions(params, shape, *validation))

    return train(
        initial, stages, validate, optimiser, seeds=seeds, resume=resume, after_epoch=after_epoch
    )


def decisions(
    params: Params, shape: pairwise.PairwiseShape, inputs: Inputs, pairs: PairSet
) -> np.ndarray:
    """For each pair by how much the better output is preferred: above 0 is concordant."""
    texts = np.concatenate(
        [
            inputs.vectors[pairs.better][:, :1],
            inputs.vectors[pairs.worse][:, :1],
            inputs.vectors[pairs.better][:, 1:],
        ],
        axis=1,
    )
    features = inputs.features[pairs.better], inputs.features[pairs.worse]
    return np.asarray(pairwise.margin(params, shape, texts, *features))


def tau(gaps: np.ndarray) -> float:
    """The strict tau of decisions, in [-1, 1]: a tie counts against."""
    if len(gaps) == 0:
        raise ConcordantError("there are no judged pairs to validate on")
    return float(np.mean(np.where(gaps > 0, 1.0, -1.0)))


def _stage(
    name: str, recipe: Recipe, shape: pairwise.PairwiseShape, training: tuple[Inputs, PairSet]
) -> Stage:
    torch = torch_module()
    inputs, pairs = training
    masked = shape.hidden > 0 and shape.vector > 0
    mask = torch.from_numpy(pairwise.seen(shape)) if masked else None

    def cost(params: dict[str, Any], batch: tuple[Any, ...]) -> Any:
        vectors, first, second, sign = batch
        if mask is not None:
            params = {**params, "hidden_weights": params["hidden_weights"] * mask}
        if name == "logistic":
            return logistic(pairwise.forward(params, shape, vectors, first, second), sign)
        there, back = pairwise.both_ways(params, shape, vectors, first, second)
        gamma, beta = recipe["objective.gamma"], recipe["objective.beta"]
        return kendall(there, back, sign, gamma=gamma, beta=beta)

    return Stage(name, cost, _batches(inputs, pairs, recipe["optimiser.batch"]))


def _batches(
    inputs: Inputs, pairs: PairSet, size: int
) -> Callable[[Sequence[np.random.Generator]], Iterator[tuple[Any, ...]]]:
    """Mini-batches of an epoch: vectors, both ψ, and which of the two is better; runs in front."""
    torch = torch_module()
    vectors = torch.from_numpy(inputs.vectors.astype(np.float32))
    features = torch.from_numpy(inputs.features.astype(np.float32))
    better, worse = torch.from_numpy(pairs.better), torch.from_numpy(pairs.worse)
    count = len(better)
    places = [0, vectors.shape[1], *range(1, vectors.shape[1])]  # first, second, anchors

    def batches(rngs: Sequence[np.random.Generator]) -> Iterator[tuple[Any, ...]]:
        order = torch.from_numpy(np.stack([rng.permutation(count) for rng in rngs]))
        swap = torch.from_numpy(np.stack([rng.integers(2, size=count) for rng in rngs]) > 0)
        for start in range(0, count, CHUNK * size):
            rows = order[:, start : start + CHUNK * size]
            turn = swap[:, start : start + CHUNK * size]
            first = torch.where(turn, worse[rows], better[rows])
            second = torch.where(turn, better[rows], worse[rows])
            seen = torch.cat([vectors[first], vectors[second][:, :, :1]], dim=2)[:, :, places]
            parts = (seen, features[first], features[second], torch.where(turn, -1.0, 1.0))
            yield from zip(*(torch.split(part, size, dim=1) for part in parts), strict=True)

    return batches

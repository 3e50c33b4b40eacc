"""The training loop: epochs of mini-batches, early stopping, the best epoch kept.

It does not know the model: it is given the gradient of a batch and a score on
validation data. Several runs with different seeds go in parallel: a mini-batch of thirty
pairs keeps a processor busy with bookkeeping, and three of them cost less than three times one. An
epoch's random numbers depend on the seed, the stage and the epoch alone, so that an interrupted
training continues with the same result.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError
from concordant.models.optimisers import OPTIMISERS, flatten, initial_state, unflatten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from concordant.encoders.encoders import Track
    from concordant.models.functions import Params
    from concordant.models.search import Ledger

    Batch = Any
    Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Optimiser:
    """Optimiser settings: rule, learning rate, weight decay (L2), epochs and patience.

    A run stops after `patience` epochs without a better validation score. With `averaged`, an
    epoch is judged by the mean of its weights over its batches (Polyak and Juditsky 1992):
    the mean of noisy steps is closer to the optimum than the last one.
    """

    rule: str = "adagrad"
    rate: float = 0.01
    decay: float = 1e-4
    epochs: int = 30
    patience: int = 5
    averaged: bool = False


@dataclass(frozen=True)
class Stage:
    """The gradient of a batch, and an epoch's batches; logistic, then Kendall, is two stages.

    `gradient` gives the cost (runs,) and the slope of every parameter. `batches` is given one
    generator a run; the arrays of a batch have the runs on their first axis.
    """

    name: str
    gradient: Callable[[Params, Batch], tuple[np.ndarray, Params]]
    batches: Callable[[Sequence[np.random.Generator]], Iterable[Batch]]


@dataclass(frozen=True)
class Epoch:
    """What one epoch of one run reached; `score` is higher when better."""

    run: int
    epoch: int
    stage: str
    cost: float
    score: float
    seconds: float


@dataclass(repr=False)
class Progress(Brief):
    """The state of a training, enough to continue it. The first axis is the runs."""

    flat: np.ndarray
    state: dict[str, np.ndarray]
    best: np.ndarray
    best_score: np.ndarray
    best_epoch: np.ndarray
    epoch: int = 0
    stage: int = 0
    stage_start: int = 0
    history: list[Epoch] = field(default_factory=list)


@dataclass(frozen=True)
class TrainingRun:
    """How a run goes on: where an earlier one stood, what keeps it, and what shows it.

    `keep` is called after each epoch, `ledger` is where a search writes down what it tried, `say`
    is given lines of progress.
    """

    resume: Progress | None = None
    keep: Callable[[Progress], None] = lambda _: None
    ledger: Ledger | None = None
    track: Track | None = None
    say: Callable[[str], None] = lambda _: None


FROM_THE_START = TrainingRun()


def train(
    initial: Sequence[Params],
    stages: Sequence[Stage],
    validate: Callable[[Params], float],
    optimiser: Optimiser,
    *,
    seeds: Sequence[int],
    run: TrainingRun = FROM_THE_START,
) -> tuple[list[Params], Progress]:
    """Each run's parameters at its best epoch (the latest of equals), and the course of it all."""
    shapes = {name: value.shape for name, value in initial[0].items()}
    progress = run.resume if run.resume is not None else begin(initial, optimiser)
    while progress.stage < len(stages):
        while not _stop(progress, optimiser).all():
            _run_epoch(progress, stages[progress.stage], shapes, validate, optimiser, seeds)
            run.keep(progress)
        progress.stage += 1
        if progress.stage < len(stages):
            progress.flat = progress.best.copy()
            progress.state = initial_state(optimiser.rule, progress.flat)
            progress.stage_start = progress.epoch
    return [unflatten(best.copy(), shapes) for best in progress.best], progress


def begin(initial: Sequence[Params], optimiser: Optimiser) -> Progress:
    """A training before its first epoch."""
    flat = np.stack([flatten(params) for params in initial]).astype(np.float32)
    runs = len(initial)
    none = np.full(runs, -np.inf), np.zeros(runs, dtype=np.int64)
    return Progress(flat, initial_state(optimiser.rule, flat), flat.copy(), *none)


def _stop(progress: Progress, optimiser: Optimiser) -> np.ndarray:
    """Which runs have used up their epochs or patience in this stage, (runs,)."""
    done = progress.epoch - progress.stage_start >= optimiser.epochs
    since_best = progress.epoch - np.maximum(progress.best_epoch, progress.stage_start)
    return np.asarray(done | (since_best >= optimiser.patience))


def _run_epoch(
    progress: Progress,
    stage: Stage,
    shapes: Shapes,
    validate: Callable[[Params], float],
    optimiser: Optimiser,
    seeds: Sequence[int],
) -> None:
    """One epoch of every run; those that have stopped are carried along and change nothing."""
    started = time.perf_counter()
    going = ~_stop(progress, optimiser)
    within = progress.epoch - progress.stage_start
    rngs = [np.random.default_rng([seed, progress.stage, within]) for seed in seeds]
    costs, mean = _descend(progress, stage, shapes, optimiser, rngs)
    reached = mean if optimiser.averaged else progress.flat
    progress.epoch += 1
    for run in np.flatnonzero(going):
        score = validate(unflatten(reached[run].copy(), shapes))
        seconds = time.perf_counter() - started
        progress.history.append(
            Epoch(int(run), progress.epoch, stage.name, float(costs[run]), score, seconds)
        )
        if score >= progress.best_score[run]:
            progress.best[run] = reached[run]
            progress.best_score[run], progress.best_epoch[run] = score, progress.epoch


def _descend(
    progress: Progress,
    stage: Stage,
    shapes: Shapes,
    optimiser: Optimiser,
    rngs: Sequence[np.random.Generator],
) -> tuple[np.ndarray, np.ndarray]:
    """One pass over the batches, in place; the means of cost, (runs,), and of all weights."""
    step, _ = OPTIMISERS[optimiser.rule]
    flat, decay = progress.flat, np.float32(optimiser.decay)
    params = unflatten(flat, shapes)  # views of the one array: a step on it moves them all
    slope = np.empty_like(flat)
    slopes = unflatten(slope, shapes)
    total, mean, count = np.zeros(len(flat)), np.zeros_like(flat, dtype=np.float64), 0
    with np.errstate(over="ignore", invalid="ignore"):  # divergence is told below
        for batch in stage.batches(rngs):
            cost, gradient = stage.gradient(params, batch)
            for name, value in gradient.items():
                slopes[name][...] = value
            slope += decay * flat
            step(flat, slope, progress.state, optimiser.rate)
            total += cost
            mean += flat
            count += 1
    if not np.isfinite(flat).all():
        raise ConcordantError(
            f"training diverged in epoch {progress.epoch + 1}: the weights are not finite; "
            "set a smaller optimiser.rate"
        )
    return total / max(count, 1), (mean / max(count, 1)).astype(np.float32)

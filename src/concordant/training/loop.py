"""The training loop: epochs of mini-batches, the best epoch kept, stopped when it stops helping.

What is trained is none of its business: it is given a cost of a batch and a score on validation
data. An epoch's random numbers depend on the seed and the epoch alone, so that a run which was
interrupted goes on as if it had not been.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError
from concordant.training.optimisers import OPTIMISERS, flatten, initial_state, unflatten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Tensor = Any
    Batch = Any
    Params = dict[str, np.ndarray]


@dataclass(frozen=True)
class Optimiser:
    """How to go down: the rule, its rate, the weight decay (L2), how long and how patiently.

    Training stops after `patience` epochs without a better validation score.
    """

    rule: str = "adagrad"
    rate: float = 0.01
    decay: float = 1e-4
    epochs: int = 30
    patience: int = 5


@dataclass(frozen=True)
class Epoch:
    """What one epoch reached; `score` is higher when better."""

    epoch: int
    stage: str
    cost: float
    score: float
    seconds: float


@dataclass(frozen=True)
class Stage:
    """A cost with the batches of an epoch: logistic first, then Kendall, is two stages."""

    name: str
    cost: Callable[[dict[str, Tensor], Batch], Tensor]
    batches: Callable[[np.random.Generator], Iterable[Batch]]


@dataclass
class Progress:
    """Where a run stands; all that is needed to go on with it."""

    flat: np.ndarray
    state: dict[str, np.ndarray]
    best: np.ndarray
    best_score: float = -np.inf
    best_epoch: int = 0
    epoch: int = 0
    stage: int = 0
    stage_start: int = 0
    history: list[Epoch] = field(default_factory=list)


def train(
    initial: Params,
    stages: list[Stage],
    validate: Callable[[Params], float],
    optimiser: Optimiser,
    *,
    seed: int,
    resume: Progress | None = None,
    after_epoch: Callable[[Progress], None] | None = None,
) -> tuple[Params, Progress]:
    """The parameters of the best epoch (the latest of equals), and the course of the run."""
    shapes = {name: value.shape for name, value in initial.items()}
    progress = resume if resume is not None else begin(initial, optimiser)
    while progress.stage < len(stages):
        _run_stage(progress, stages[progress.stage], shapes, validate, optimiser, seed, after_epoch)
        progress.stage += 1
        if progress.stage < len(stages):
            _next_stage(progress, optimiser)
    best = unflatten(progress.best, shapes)
    return {name: np.array(value) for name, value in best.items()}, progress


def begin(initial: Params, optimiser: Optimiser) -> Progress:
    """A run before its first epoch."""
    flat = flatten(initial).astype(np.float32)
    return Progress(flat, _zeros(optimiser, flat), flat.copy())


def _next_stage(progress: Progress, optimiser: Optimiser) -> None:
    """Begin the next stage from the best parameters of the one before."""
    progress.flat = progress.best.copy()
    progress.state = _zeros(optimiser, progress.flat)
    progress.stage_start = progress.epoch


def _zeros(optimiser: Optimiser, flat: np.ndarray) -> dict[str, np.ndarray]:
    import torch  # noqa: PLC0415 - heavy

    state = initial_state(optimiser.rule, torch.from_numpy(flat))
    return {name: value.numpy() for name, value in state.items()}


def _run_stage(
    progress: Progress,
    stage: Stage,
    shapes: Mapping[str, tuple[int, ...]],
    validate: Callable[[Params], float],
    optimiser: Optimiser,
    seed: int,
    after_epoch: Callable[[Progress], None] | None,
) -> None:
    while not _finished(progress, optimiser):
        started = time.perf_counter()
        rng = np.random.default_rng([seed, progress.epoch])
        cost = _run_epoch(progress, stage, shapes, optimiser, rng)
        params = {name: np.array(v) for name, v in unflatten(progress.flat, shapes).items()}
        score = validate(params)
        progress.epoch += 1
        seconds = time.perf_counter() - started
        progress.history.append(Epoch(progress.epoch, stage.name, cost, score, seconds))
        if score >= progress.best_score:
            progress.best = progress.flat.copy()
            progress.best_score, progress.best_epoch = score, progress.epoch
        if after_epoch is not None:
            after_epoch(progress)


def _finished(progress: Progress, optimiser: Optimiser) -> bool:
    done = progress.epoch - progress.stage_start
    since_best = progress.epoch - max(progress.best_epoch, progress.stage_start)
    return done >= optimiser.epochs or since_best >= optimiser.patience


def _run_epoch(
    progress: Progress,
    stage: Stage,
    shapes: Mapping[str, tuple[int, ...]],
    optimiser: Optimiser,
    rng: np.random.Generator,
) -> float:
    """One pass over the batches, in place; the mean cost of a batch."""
    import torch  # noqa: PLC0415 - heavy

    step, _ = OPTIMISERS[optimiser.rule]
    flat = torch.from_numpy(progress.flat)
    # Views of the one vector: a step on it moves them all, and each has its own gradient.
    params = {name: v.requires_grad_(True) for name, v in unflatten(flat, shapes).items()}
    leaves = list(params.values())
    state = {name: torch.from_numpy(value) for name, value in progress.state.items()}
    total, count = torch.zeros(()), 0
    for batch in stage.batches(rng):
        cost = stage.cost(params, batch)
        gradients = torch.autograd.grad(cost, leaves)
        with torch.no_grad():
            gradient = torch.cat([each.reshape(-1) for each in gradients])
            gradient.add_(flat, alpha=optimiser.decay)
            step(flat, gradient, state, optimiser.rate)
            total += cost.detach()
        count += 1
    if not np.isfinite(progress.flat).all():
        raise ConcordantError(
            f"training diverged in epoch {progress.epoch + 1}: the weights are no longer numbers; "
            "try a smaller rate"
        )
    return float(total) / max(count, 1)


def history_rows(progress: Progress) -> list[dict[str, Any]]:
    """The course of a run as records."""
    return [asdict(epoch) for epoch in progress.history]

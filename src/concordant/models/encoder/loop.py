"""The training loop: epochs of steps, the best epoch on held-out judgements, progress.

An epoch is a number of steps. The order of lessons follows from the seed and the number of the
step, and a step from the weights and Adam's averages before it, so that these and the number of
epochs are all that an interrupted training needs to go on exactly.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.networks.model_folder import require
from concordant.models.loop import Epoch, Progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.models.encoder.learner import Learner, Schedule
    from concordant.models.encoder.lessons import Curriculum

STAGE = "encoder"


def train(
    learner: Learner,
    course: Curriculum,
    schedule: Schedule,
    *,
    epoch: int,
    validate: Callable[[Learner], float],
    resume: Progress | None = None,
    keep: Callable[[Progress], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
) -> Progress:
    """Train to the last step of the schedule; `epoch` is its number of steps.

    `keep` is given the progress after each epoch, `validate` a number that is higher when better.
    """
    progress = _begin(learner) if resume is None else resume
    _take_up(learner, progress, epoch)
    while learner.step < schedule.steps:
        started = time.perf_counter()
        cost = _run_epoch(learner, course, schedule, min(epoch, schedule.steps - learner.step), say)
        score = validate(learner)
        progress.epoch += 1
        progress.flat = learner.flat.numpy().copy()[None]
        progress.state = {
            "first": learner.first.numpy().copy()[None],
            "second": learner.second.numpy().copy()[None],
        }
        seconds = time.perf_counter() - started
        progress.history.append(Epoch(0, progress.epoch, STAGE, cost, score, seconds))
        if score >= progress.best_score[0]:
            progress.best = progress.flat.copy()
            progress.best_score, progress.best_epoch = np.array([score]), np.array([progress.epoch])
        keep(progress)
    return progress


def _run_epoch(
    learner: Learner, course: Curriculum, schedule: Schedule, steps: int, say: Callable[[str], None]
) -> float:
    """The mean cost of some steps."""
    started, told, total = time.monotonic(), time.monotonic(), 0.0
    for done in range(1, steps + 1):
        total += learner.learn(course.step(learner.step), schedule)
        now = time.monotonic()
        if now - told > 10:
            told = now
            left = (now - started) / done * (schedule.steps - learner.step) / 60
            say(
                f"step {learner.step} of {schedule.steps}: loss {total / done:.4f}, "
                f"{left:.0f} min left"
            )
    return total / max(steps, 1)


def _begin(learner: Learner) -> Progress:
    """The progress before the first step."""
    flat = learner.flat.numpy().copy()[None]
    zeros = {"first": np.zeros_like(flat), "second": np.zeros_like(flat)}
    return Progress(flat, zeros, flat.copy(), np.full(1, -np.inf), np.zeros(1, dtype=np.int64))


def _take_up(learner: Learner, progress: Progress, epoch: int) -> None:
    """Set a learner to where a training stood."""
    torch = require("torch")
    learner.flat = torch.from_numpy(progress.flat[0].copy())
    learner.first = torch.from_numpy(progress.state["first"][0].copy())
    learner.second = torch.from_numpy(progress.state["second"][0].copy())
    learner.step = progress.epoch * epoch

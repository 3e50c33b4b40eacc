"""How many more judgements until a metric trained on this campaign beats one that ships.

The recipe `lexical` is trained on growing shares of the judgements, and each is held against the
same segments that were left out, beside the shipped metric. A curve a − b/√n through the points
says where it would cross. Points and shipped metric are drawn anew from their intervals, as if they
were independent, for an interval of the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.judgements.judged_translations import JudgedPairs
from concordant.judging.settings import SHIPPED_ENGLISH, SHIPPED_OTHER
from concordant.metrics.find import load
from concordant.stats.quantiles import central_shares, whole_quantiles
from concordant.training.held_out import tau_estimate
from concordant.training.recipe import read_recipe
from concordant.training.training import learning_curve, plan

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.records import Estimate
    from concordant.stats.arrays import Floats

RECIPE = "lexical"
DRAWS = 2000
Z = 1.959964  # half a 95 % interval, in deviations
NEVER = 10**9  # more judgements than anyone collects


@dataclass(frozen=True)
class Outlook:
    """A learning curve, the shipped metric on the same segments, and where they would cross.

    `points` are judged pairs and agreement. `needed` is None where the curve stays below.
    """

    shipped: str
    points: tuple[tuple[int, Estimate], ...]
    reached: Estimate
    needed: int | None
    low: int | None
    high: int | None

    @property
    def sentence(self) -> str:
        """What it means."""
        pairs, last = self.points[-1]
        if last.value > self.reached.value:
            return (
                f"With {pairs:,} judged pairs the trained metric has {last.value:.3f} and beats "
                f"{self.shipped} ({self.reached.value:.3f}) on segments left out."
            )
        bounds = f"{_count(self.low)} to {_count(self.high)}"
        return (
            f"With {pairs:,} judged pairs the trained metric has {last.value:.3f}, {self.shipped} "
            f"{self.reached.value:.3f} on segments left out. It would need {_count(self.needed)} "
            f"judged pairs ({bounds})."
        )


def outlook(path: Path) -> Outlook:
    """The learning curve of a campaign and what it promises; an error if too little was judged."""
    recipe = read_recipe(RECIPE).with_values(data__judgements=[str(path.absolute())])
    planned = plan(recipe)
    sides = planned.material.sides
    held_out = next((sides[name] for name in ("test", "validation") if len(sides[name])), None)
    if not isinstance(held_out, JudgedPairs):
        raise ConcordantError("too little was judged to leave segments out")
    english = set(held_out.language_pair) <= {""} or all(
        each.endswith("-en") for each in held_out.language_pair
    )
    shipped = SHIPPED_ENGLISH if english else SHIPPED_OTHER
    reached = _agreement(shipped, held_out)
    points = tuple((pairs, estimate) for _, pairs, estimate in learning_curve(planned))
    numbers = np.array([pairs for pairs, _ in points], dtype=np.float64)
    values = np.array([[estimate.value for _, estimate in points]])
    needed = _crossing(numbers, values, np.array([reached.value]))[0]
    rng = np.random.default_rng(0)
    spread = np.array([_deviation(estimate) for _, estimate in points])
    drawn = _crossing(
        numbers,
        values + spread * rng.standard_normal((DRAWS, len(points))),
        reached.value + _deviation(reached) * rng.standard_normal(DRAWS),
    )
    low, high = whole_quantiles(drawn.astype(np.int64), central_shares(0.95))
    return Outlook(shipped, points, reached, *map(_known, (needed, low, high)))


def _agreement(name: str, pairs: JudgedPairs) -> Estimate:
    """The strict tau of a shipped metric on judged pairs."""
    scores = load(name).score(pairs.translations, pairs.references).segments
    return tau_estimate(scores[pairs.better] - scores[pairs.worse], pairs.segment)


def _crossing(numbers: Floats, values: Floats, bar: Floats) -> Floats:
    """Where a − b/√n, fitted to each row of values, reaches the bar; NEVER if it does not."""
    slope_of = -1 / np.sqrt(numbers)
    centred = slope_of - slope_of.mean()
    slope = (values - values.mean(axis=1, keepdims=True)) @ centred / (centred @ centred)
    ceiling = values.mean(axis=1) - slope * slope_of.mean()
    gap = ceiling - bar
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where((gap > 0) & (slope > 0), (slope / gap) ** 2, NEVER)
    flat = (slope <= 0) & (values.mean(axis=1) > bar)
    return np.where(flat, numbers.min(), np.clip(np.ceil(found), 1, NEVER))


def _deviation(estimate: Estimate) -> float:
    if estimate.low is None or estimate.high is None:
        return 0.0
    return (estimate.high - estimate.low) / (2 * Z)


def _known(number: float) -> int | None:
    return None if number >= NEVER else int(number)


def _count(number: int | None) -> str:
    return "more than can be foreseen" if number is None else f"about {number:,}"

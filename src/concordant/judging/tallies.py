"""What judgements have said of each system so far, as sums that are quick to read."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.judging.allocation import (
    Neighbours,
    pair_doubts,
    pair_lacks,
    rating_doubts,
    rating_lacks,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.stats.arrays import Floats

    Shown = Sequence[Sequence[int]]  # for each translation on the screen, its systems from 1


class PairTallies:
    """Wins and ties of every two systems, weighted."""

    def __init__(self, systems: int) -> None:
        self.wins = np.zeros((systems, systems))
        self.ties = np.zeros((systems, systems))

    def add(self, shown: Shown, answer: Mapping[str, Any], weight: float, sign: int = 1) -> None:
        """Count a ranking; with sign -1, take it back."""
        ranked = [
            (system - 1, rank)
            for systems, rank in zip(shown, answer["ranks"], strict=True)
            for system in systems
        ]
        for (one, first), (other, second) in itertools.combinations(ranked, 2):
            if first == second:
                self.ties[one, other] += sign * weight
                self.ties[other, one] += sign * weight
            elif first < second:
                self.wins[one, other] += sign * weight
            else:
                self.wins[other, one] += sign * weight

    def lacks(self) -> Floats:
        """How many judgements each two systems lack."""
        return pair_lacks(self.wins, self.ties)

    def doubts(self) -> Neighbours:
        """How doubtful the order of neighbours is."""
        return pair_doubts(self.wins)


class RatingTallies:
    """Number, sum and sum of squares of every system's ratings."""

    def __init__(self, systems: int) -> None:
        self.sums = np.zeros((3, systems))

    def add(self, shown: Shown, answer: Mapping[str, Any], _weight: float, sign: int = 1) -> None:
        """Count a rating; with sign -1, take it back."""
        score = float(answer["score"])
        for system in shown[0]:
            self.sums[:, system - 1] += sign * np.array([1.0, score, score**2])

    def lacks(self) -> Floats:
        """How many ratings each system lacks; one that has none comes first."""
        if (self.sums[0] < 2).any():
            return np.asarray(self.sums[0] < 2, dtype=np.float64)
        return rating_lacks(*self.sums)

    def doubts(self) -> Neighbours:
        """How doubtful the order of neighbours is; there are none before all are rated."""
        if (self.sums[0] < 2).any():
            none = np.zeros(0, dtype=np.int64)
            return Neighbours(none, none, np.zeros(0))
        return rating_doubts(*self.sums)

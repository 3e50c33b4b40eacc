"""Judged systems: all of a system's translations that there are, and people's score of it.

Systems are compared within a test set and language pair, the only place where people did.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from concordant.judgements.judged_translations import Floats, Ints, JudgedPairs

    Name = tuple[str, str, str]
    SystemScores = Callable[[JudgedPairs, Mapping[Name, list[int]]], dict[Name, float]]

# What readers call translations whose file names no system: one text of a segment, not a system.
NO_SYSTEM = re.compile(r"output-\d+|mt-system")


@dataclass(frozen=True)
class JudgedSystems:
    """Systems, the rows of their translations, people's scores; and pairs, the better one first.

    `names` are language pair, test set and system.
    """

    names: tuple[Name, ...]
    rows: tuple[Ints, ...]
    human: Floats
    better: Ints
    worse: Ints

    def __len__(self) -> int:
        return len(self.better)

    @property
    def gap(self) -> Floats:
        """By how much people scored the better system of each pair higher, above 0."""
        return self.human[self.better] - self.human[self.worse]


def judged_systems(pairs: JudgedPairs, score: SystemScores) -> JudgedSystems:
    """The systems of judged pairs with a human score, and all pairs of them with different scores.

    `score` gives people's score of each system by its name, from the pairs and the systems' rows.
    """
    rows: dict[Name, list[int]] = {}
    for row in range(len(pairs.places)) if pairs.own is None else pairs.own:
        pair, testset, _ = pairs.places[row]
        rows.setdefault((pair, testset, pairs.systems[row]), []).append(int(row))
    scores = score(pairs, rows)
    names = [name for name in rows if name in scores and not NO_SYSTEM.fullmatch(name[2])]
    number = {name: i for i, name in enumerate(names)}
    couples = [
        (one, other) if scores[one] > scores[other] else (other, one)
        for one, other in itertools.combinations(names, 2)
        if one[:2] == other[:2] and scores[one] != scores[other]
    ]
    return JudgedSystems(
        tuple(names),
        tuple(np.array(rows[name], dtype=np.int64) for name in names),
        np.array([scores[name] for name in names]),
        np.array([number[better] for better, _ in couples], dtype=np.int64),
        np.array([number[worse] for _, worse in couples], dtype=np.int64),
    )

"""Judged outputs → judged corpora: what a system translated, and how people score the system.

A corpus is all of a system's outputs that there are, judged or not: whole test sets where the texts
have them, else the judged outputs. People's score of a system comes from the judgements on the same
side of a split: Expected Wins (Koehn 2012), as in Stanojević and Sima'an 2017, §2.2, or the mean of
ratings. Systems are compared within a test set and language pair, the only place where people did.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.stats.system_ratings import VARIANTS
from concordant.training.judged_outputs import references_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.records import Collection
    from concordant.training.judged_texts import Floats, Ints, JudgedPairs

    Name = tuple[str, str, str]

# What readers call outputs whose file names no system: one text of a segment, not a system.
NO_SYSTEM = re.compile(r"output-\d+|mt-system")


@dataclass(frozen=True)
class JudgedCorpora:
    """Systems, the rows of their outputs, people's scores; and pairs of them, the better one first.

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


def with_whole_systems(pairs: JudgedPairs, collection: Collection) -> JudgedPairs:
    """The same pairs, and as further outputs what their systems translated and nobody judged."""
    texts = {(each.pair, each.name): each for each in collection.testsets}
    judged = list(zip(pairs.places, pairs.systems, strict=True))
    known, referenced = set(judged), any(pairs.references)
    hypotheses, references, sources, more = [], [], [], []
    for pair, testset, system in dict.fromkeys((p, t, system) for (p, t, _), system in judged):
        found = texts[pair, testset]
        for segment, text in found.outputs[system].items():
            given = references_of(found, segment)
            if ((pair, testset, segment), system) in known or (referenced and not given):
                continue
            hypotheses.append(text)
            references.append(given)
            sources.append(found.source.get(segment, ""))
            more.append(((pair, testset, segment), system))
    unrated = np.full(len(more), np.nan)
    return replace(
        pairs,
        hypotheses=(*pairs.hypotheses, *hypotheses),
        references=(*pairs.references, *references),
        sources=(*pairs.sources, *sources),
        places=(*pairs.places, *(place for place, _ in more)),
        systems=(*pairs.systems, *(system for _, system in more)),
        ratings=None if pairs.ratings is None else np.concatenate([pairs.ratings, unrated]),
    )


def judged_corpora(pairs: JudgedPairs, *, human: str = "wins") -> JudgedCorpora:
    """The systems of judged pairs that people scored, and all pairs of them that people told apart.

    `human` names people's score of a system: see HUMAN_SCORES.
    """
    rows: dict[Name, list[int]] = {}
    for row in range(len(pairs.places)) if pairs.own is None else pairs.own:
        pair, testset, _ = pairs.places[row]
        rows.setdefault((pair, testset, pairs.systems[row]), []).append(int(row))
    scores = HUMAN_SCORES[human](pairs, rows)
    names = [name for name in rows if name in scores and not NO_SYSTEM.fullmatch(name[2])]
    number = {name: i for i, name in enumerate(names)}
    couples = [
        (one, other) if scores[one] > scores[other] else (other, one)
        for one, other in itertools.combinations(names, 2)
        if one[:2] == other[:2] and scores[one] != scores[other]
    ]
    return JudgedCorpora(
        tuple(names),
        tuple(np.array(rows[name], dtype=np.int64) for name in names),
        np.array([scores[name] for name in names]),
        np.array([number[better] for better, _ in couples], dtype=np.int64),
        np.array([number[worse] for _, worse in couples], dtype=np.int64),
    )


def refuse_no_corpora(sides: Mapping[str, JudgedCorpora]) -> None:
    """Training on corpora needs two systems to compare, on the sides trained and validated on."""
    for name in ("training", "validation"):
        if not len(sides[name]):
            systems = len(sides[name].names)
            raise ConcordantError(
                f"for {name} there are no two systems that people told apart ({systems} have a "
                "name and a score); give judgements that name systems, or set objective.kind = "
                '"sentence"'
            )


def _expected_wins(pairs: JudgedPairs, rows: Mapping[Name, Sequence[int]]) -> dict[Name, float]:
    """Each system's mean chance to win against another, in [0, 1]; ties do not count."""
    systems: dict[tuple[str, str], list[Name]] = {}
    for name in rows:
        systems.setdefault(name[:2], []).append(name)
    decided = np.ones(len(pairs), dtype=bool) if pairs.tie is None else ~pairs.tie
    wins: dict[tuple[Name, Name], float] = {}
    for better, worse, count in zip(
        pairs.better[decided], pairs.worse[decided], pairs.weight[decided], strict=True
    ):
        pair, testset, _ = pairs.places[better]
        key = ((pair, testset, pairs.systems[better]), (pair, testset, pairs.systems[worse]))
        wins[key] = wins.get(key, 0.0) + count
    scores: dict[Name, float] = {}
    for names in systems.values():
        won = np.array([[wins.get((one, other), 0.0) for other in names] for one in names])
        found = VARIANTS["expected-wins"](won, won.T, np.zeros_like(won))
        scores |= {n: float(v) for n, v in zip(names, found, strict=True) if not np.isnan(v)}
    return scores


def _mean_ratings(pairs: JudgedPairs, rows: Mapping[Name, Sequence[int]]) -> dict[Name, float]:
    """Each system's mean rating, where 0 is the lowest rating of an output and 1 the highest."""
    if pairs.ratings is None:
        raise ConcordantError(
            'objective.systems = "ratings" needs ratings of outputs; these judgements have none'
        )
    low, high = np.nanmin(pairs.ratings), np.nanmax(pairs.ratings)
    if low == high:
        raise ConcordantError(f"every rating is {low:g}; there is nothing to learn from")
    shares = (pairs.ratings - low) / (high - low)
    found = {name: shares[list(of)] for name, of in rows.items()}
    return {n: float(np.nanmean(v)) for n, v in found.items() if not np.isnan(v).all()}


# Name of people's score of a system → how it is had from judged pairs and the systems' rows.
HUMAN_SCORES: dict[
    str, Callable[[JudgedPairs, Mapping[Name, Sequence[int]]], dict[Name, float]]
] = {"wins": _expected_wins, "ratings": _mean_ratings}

"""The best candidate of a list: by its score, or by consensus, with how certain that is.

By consensus (minimum Bayes risk: Kumar and Byrne 2004; Eikema and Aziz 2020), a candidate's
expected score is its mean score against the pseudo-references. How certain the choice is says a
bootstrap over these: the share of resamples in which the chosen one stays the best.

With an aggregate, candidates meet one combination of all pseudo-references instead (Vamvas and
Sennrich 2024). It costs time in proportion to the texts instead of their product, and gives another
choice now and then; nothing is resampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.arrays import product
from concordant.reranking.utilities import utilities
from concordant.stats.quantiles import percentile_interval
from concordant.stats.resampling import bootstrap_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scorer import Prepared, Scorer
    from concordant.reranking.lists import CandidateList


@dataclass(frozen=True)
class Choice:
    """The chosen candidate of a list; `place` counts from 0, `scores` has those of all candidates.

    `score` is the expected score where the choice is by consensus, and then `low` and `high` are
    its interval and `certainty` is the share of resamples in which the same text is the best; None
    where nothing was resampled.
    """

    name: str
    place: int
    text: str
    score: float
    scores: Floats
    low: float | None = None
    high: float | None = None
    certainty: float | None = None


@dataclass(frozen=True)
class Consensus:
    """How a consensus is found: exactly, or with an aggregate of the pseudo-references."""

    aggregate: bool = False
    resamples: int = 1000
    seed: int = 0


def best_of(each: CandidateList, scores: Floats, sign: int = 1) -> Choice:
    """The candidate with the best score, the first of equal ones."""
    place = int(np.argmax(sign * scores))
    return Choice(each.name, place, each.candidates[place], float(scores[place]), scores)


def best_by_consensus(
    each: CandidateList,
    metric: Scorer,
    how: Consensus,
    number: int = 0,
    *,
    threads: int = 1,
    prepared: Prepared,
) -> Choice:
    """The candidate with the best expected score; `number` is the list's, for its random draws."""
    candidates, owner = _distinct(each.candidates)
    own = each.pseudo_references is None
    references, column = (candidates, owner) if own else _distinct(each.compared)
    shares = each.shares()
    if how.aggregate:
        weights = np.bincount(column, shares, len(references)).astype(np.float64)
        found = metric.aggregate_scores(candidates, references, weights, threads=threads)
        return best_of(each, found[owner], metric.sign)
    table = utilities(
        metric, candidates, references, each.source, threads=threads, prepared=prepared
    )
    counted = np.flatnonzero(shares > 0)
    table, shares = table[:, column[counted]], shares[counted]  # (distinct, pseudo-references)
    expected = product(table, shares)
    choice = best_of(each, expected[owner], metric.sign)
    if how.resamples == 0 or len(shares) < 2:
        return choice
    rng = np.random.default_rng([how.seed, number])
    return _with_certainty(choice, metric.sign * table, shares, int(owner[choice.place]), how, rng,
                           metric.sign)  # fmt: skip


def _with_certainty(
    choice: Choice,
    table: Floats,
    shares: Floats,
    chosen: int,
    how: Consensus,
    rng: np.random.Generator,
    sign: int,
) -> Choice:
    """The choice with its interval and certainty, over resampled pseudo-references."""
    drawn = bootstrap_weights(len(shares), how.resamples, rng) * shares
    drawn /= drawn.sum(axis=1, keepdims=True)
    expected = product(table, drawn.T)  # (distinct candidates, resamples)
    certainty = float((expected[chosen] >= expected.max(axis=0)).mean())
    low, high = percentile_interval(sign * expected[chosen])
    return Choice(
        choice.name, choice.place, choice.text, choice.score, choice.scores, low, high, certainty
    )


def _distinct(texts: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """Each text once, and for each text its place there."""
    place: dict[str, int] = {}
    rows = np.array([place.setdefault(text, len(place)) for text in texts], dtype=np.int64)
    return list(place), rows

"""Tunes a small log-linear re-ranker for BLEU: k-best MERT (Och 2003) on counts, not on texts.

The lists are invented: each candidate is a reference of the example test set with words lost,
doubled or moved, and three scores of an imaginary decoder, of which one is noise. Weights are found
on the first half of the lists, and measured on the second.

    python examples/tune.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from concordant import load
from concordant.reranking.lists import CandidateList
from concordant.reranking.statistics import ListStatistics, list_statistics

Floats = npt.NDArray[np.float64]
METRIC = load("bleu")
CANDIDATES = 20
DIRECTIONS = 20


def invented_lists(rng: np.random.Generator) -> list[CandidateList]:
    """A list for each reference; `lm` and `tm` see some of the damage, `noise` sees nothing."""
    path = Path(__file__).parent / "de-en/reference-1.txt"
    lists = []
    for number, reference in enumerate(path.read_text(encoding="utf-8").splitlines()):
        candidates, features = [], []
        for _ in range(CANDIDATES):
            words, lost = damaged(reference.split(), rng)
            lm, tm = -len(words) - 6 * rng.random(), -2 * lost - 8 * rng.random()
            candidates.append(" ".join(words))
            features.append((lm, tm, 10 * rng.random()))
        name = str(number)
        lists.append(CandidateList(name, tuple(candidates), (reference,), features=tuple(features)))
    return lists


def damaged(words: list[str], rng: np.random.Generator) -> tuple[list[str], int]:
    """The words after up to six changes, and how many there were."""
    words, changes = list(words), int(rng.integers(7))
    for _ in range(changes):
        place, kind = int(rng.integers(len(words))), rng.integers(3)
        if kind == 0 and len(words) > 3:
            del words[place]
        elif kind == 1:
            words.insert(place, words[place])
        else:
            words.insert(int(rng.integers(len(words))), words.pop(place))
    return words, changes


def choice(each: ListStatistics, weights: Floats) -> int:
    """The candidate with the highest weighted sum of features."""
    return int(np.argmax(each.features @ weights))


def corpus_score(lists: list[ListStatistics], weights: Floats) -> float:
    """BLEU of the chosen candidates of all lists: a function of the sum of their counts."""
    total = sum(each.counts[choice(each, weights)] for each in lists)
    return float(METRIC.system_scores(np.asarray(total)))


def best_step(
    lists: list[ListStatistics], weights: Floats, direction: Floats
) -> tuple[float, float]:
    """The best score along weights + step · direction, and the step.

    Along a line every candidate's sum is a straight line in the step, so that the choice of a list
    changes only where two of them cross. Between neighbouring crossings the counts stay the same.
    """
    changes: list[tuple[float, Floats]] = []
    total = np.zeros(lists[0].counts.shape[1])
    for each in lists:
        heights, slopes = each.features @ weights, each.features @ direction
        best = int(np.lexsort((heights, -slopes))[-1])  # far on the left
        total = total + each.counts[best]
        step = -np.inf
        while True:
            steeper = np.flatnonzero(slopes > slopes[best])
            if not len(steeper):
                break
            crossings = (heights[best] - heights[steeper]) / (slopes[steeper] - slopes[best])
            first = crossings.min()
            nearest = steeper[crossings == first]
            after = int(nearest[np.argmax(slopes[nearest])])
            step = max(step, float(first))
            changes.append((step, each.counts[after] - each.counts[best]))
            best = after
    changes.sort(key=lambda change: change[0])
    steps = np.array([step for step, _ in changes])
    if not len(steps):
        return float(METRIC.system_scores(total)), 0.0
    sums = total + np.vstack([np.zeros_like(total), np.cumsum([c for _, c in changes], axis=0)])
    middles = np.concatenate([[steps[0] - 1], (steps[1:] + steps[:-1]) / 2, [steps[-1] + 1]])
    scores = METRIC.system_scores(sums)
    inside = np.concatenate([[True], np.diff(steps) > 1e-9, [True]])  # not where two lists change
    best = int(np.argmax(np.where(inside, scores, -np.inf)))
    return float(scores[best]), float(middles[best])


def tune(lists: list[ListStatistics], rng: np.random.Generator) -> Floats:
    """Weights with the best score: along each feature and random directions, until none helps."""
    weights = np.ones(lists[0].features.shape[1])
    score = corpus_score(lists, weights)
    while True:
        directions = [*np.eye(len(weights)), *rng.normal(size=(DIRECTIONS, len(weights)))]
        found = [best_step(lists, weights, each) for each in directions]
        (best, step), direction = max(
            zip(found, directions, strict=True), key=lambda pair: pair[0][0]
        )
        if best <= score + 1e-9:
            return weights
        score, weights = best, weights + step * direction


def main() -> None:
    """Tune on one half of the lists, measure on the other."""
    rng = np.random.default_rng(1)
    lists = list(list_statistics(invented_lists(rng), METRIC))
    train, test = lists[::2], lists[1::2]
    before = np.ones(lists[0].features.shape[1])
    after = tune(train, rng)
    for name, some in (("tuned on", train), ("held out", test)):
        print(
            f"BLEU {name}: {corpus_score(some, before):.2f} with equal weights, "
            f"{corpus_score(some, after):.2f} tuned"
        )


if __name__ == "__main__":
    main()

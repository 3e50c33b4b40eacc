"""Systems, or the translations of each segment, ranked by a metric's pairwise decisions.

Every translation is compared with every other of its segment. Within a segment they are ranked by
their mean probability of being preferred; systems by that over all segments, with Bradley–Terry
strengths, intervals from resampled segments and clusters by rank ranges.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError
from concordant.metrics.scorer import Batch, check_batch
from concordant.stats.quantiles import percentile_interval
from concordant.stats.ranks import clusters, ranges_from_resamples, ranks_of
from concordant.stats.resampling import bootstrap_weights
from concordant.stats.system_ratings import bradley_terry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.stats.arrays import Floats, Ints

    # Wraps the steps of a long run with words for them, as a progress bar does.
    Track = Callable[[Sequence[slice], str], Iterable[slice]]

RESAMPLES = 1000
BLOCK = 500  # segments compared at a time


@dataclass(frozen=True, repr=False)
class RoundRobin(Brief):
    """Who is preferred to whom: `chance[s, i, j]` that translation i of segment s is better than j.

    `scores` are the metric's scores of single translations, (segments, systems).
    """

    systems: tuple[str, ...]
    chance: Floats
    scores: Floats

    @property
    def mean_chance(self) -> Floats:
        """Each translation's mean chance against the others of its segment, (segments, systems)."""
        return np.asarray(self.chance.sum(axis=2) / (len(self.systems) - 1))

    @property
    def segment_ranks(self) -> Ints:
        """The rank of each translation in its segment, 1 for the best; ties share the better."""
        return ranks_of(self.mean_chance)


@dataclass(frozen=True)
class Standing:
    """A system's result: mean probability of being preferred, its interval, and the rank range.

    `strength` is Bradley–Terry's, with mean 0 over the systems; `score` the mean of the scores of
    single translations; `cluster` counts from 1, the best.
    """

    system: str
    chance: float
    low: float
    high: float
    strength: float
    score: float
    best_rank: int
    worst_rank: int
    cluster: int


def round_robin(
    metric: Scorer,
    translations: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None = None,
    *,
    threads: int = 1,
    track: Track | None = None,
) -> RoundRobin:
    """Every translation against every other of its segment, some segments at a time."""
    if len(translations) < 2:
        raise ConcordantError(f"{len(translations)} system cannot be ranked; give at least two")
    for name, texts in translations.items():
        if len(texts) != len(references):
            raise ConcordantError(
                f"{name} has {len(texts)} translations, but there are {len(references)} references"
            )
    if len(references) == 0:
        raise ConcordantError("there are no segments to rank")
    whole = [Batch(texts, references, sources) for texts in translations.values()]
    check_batch(whole[0], metric)
    how: dict[str, Any] = {"threads": threads, "prepared": metric.prepare(references)}
    blocks = [slice(first, first + BLOCK) for first in range(0, len(references), BLOCK)]
    games = [
        _games(metric, [each.take(rows) for each in whole], how)
        for rows in (blocks if track is None else track(blocks, "comparing"))
    ]
    chance, scores = (np.concatenate(parts) for parts in zip(*games, strict=True))
    return RoundRobin(tuple(translations), chance, scores)


def _games(
    metric: Scorer, systems: Sequence[Batch], how: Mapping[str, Any]
) -> tuple[Floats, Floats]:
    """The chances of some segments' translations against each other, and their scores."""
    k, n = len(systems), len(systems[0])
    together = systems[0].joined(*systems[1:])
    scores = metric.segment_scores(metric.counts(together, **how)).reshape(k, n).T
    chance = np.zeros((n, k, k))
    pairs = list(combinations(range(k), 2))
    if metric.compares:
        first, second = (
            systems[pairs[0][side]].joined(*(systems[pair[side]] for pair in pairs[1:]))
            for side in (0, 1)
        )
        margins = metric.margins(first, second, **how).reshape(len(pairs), n)
    else:  # what it scores once need not be read again
        margins = np.array([np.sign(scores[:, i] - scores[:, j]) for i, j in pairs])
        margins *= 0.5 * metric.sign
    for (i, j), margin in zip(pairs, margins, strict=True):
        chance[:, i, j] = 0.5 + margin
        chance[:, j, i] = 1.0 - chance[:, i, j]
    return chance, scores


def standings(games: RoundRobin, *, seed: int = 0, resamples: int = RESAMPLES) -> list[Standing]:
    """The systems from best to worst, with intervals and clusters over resampled segments."""
    by_segment = games.mean_chance  # (segments, systems)
    n, k = by_segment.shape
    weights = bootstrap_weights(n, resamples, np.random.default_rng(seed)) / n
    resampled = weights @ by_segment
    intervals = [percentile_interval(resampled[:, i]) for i in range(k)]
    ranges = ranges_from_resamples(resampled)
    group = clusters(ranges)
    strength = bradley_terry(games.chance.sum(axis=0))
    mean = by_segment.mean(axis=0)
    order = sorted(range(k), key=lambda i: (-mean[i], games.systems[i]))
    return [
        Standing(
            games.systems[i], float(mean[i]), *intervals[i], float(strength[i]),
            float(games.scores[:, i].mean()), int(ranges[i, 0]), int(ranges[i, 1]), group[i],
        )
        for i in order
    ]  # fmt: skip

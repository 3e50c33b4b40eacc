"""Systems, or the translations of each segment, ranked by a metric's pairwise decisions.

Every translation is compared with every other of its segment. Within a segment they are ranked by
their mean probability of being preferred; systems by that over all segments, with Bradley–Terry
strengths, intervals from resampled segments and clusters by rank ranges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError
from concordant.models.kinds import kind_of
from concordant.stats.quantiles import percentile_interval
from concordant.stats.ranks import clusters, ranges_from_resamples, ranks_of
from concordant.stats.resampling import bootstrap_weights
from concordant.stats.system_ratings import bradley_terry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.encoders.encoders import Track
    from concordant.metrics.learned import Metric
    from concordant.stats.arrays import Floats, Ints

RESAMPLES = 1000


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
    metric: Metric,
    outputs: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None = None,
    *,
    threads: int = 1,
    track: Track | None = None,
) -> RoundRobin:
    """Every translation against every other of its segment."""
    if len(outputs) < 2:
        raise ConcordantError(f"{len(outputs)} system cannot be ranked; give at least two")
    for name, texts in outputs.items():
        if len(texts) != len(references):
            raise ConcordantError(
                f"{name} has {len(texts)} translations, but there are {len(references)} references"
            )
    if len(references) == 0:
        raise ConcordantError("there are no segments to rank")
    systems = tuple(outputs)
    inputs = metric.preparation.inputs(
        [text for texts in outputs.values() for text in texts],
        [given for _ in systems for given in references],
        None if sources is None else [text for _ in systems for text in sources],
        threads=threads,
        test_set=references,
        track=track,
    )
    n, k = len(references), len(systems)
    of = [inputs.take(slice(i * n, (i + 1) * n)) for i in range(k)]
    scores = metric.segment_scores(inputs).reshape(k, n).T
    chance = np.zeros((n, k, k))
    for i in range(k):
        for j in range(i + 1, k):
            if kind_of(metric.kind).margin is None:  # what it scores once need not be read again
                chance[:, i, j] = 0.5 + 0.5 * np.sign(scores[:, i] - scores[:, j])
            else:
                chance[:, i, j] = metric.preferences(of[i], of[j])
            chance[:, j, i] = 1.0 - chance[:, i, j]
    return RoundRobin(systems, chance, scores)


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

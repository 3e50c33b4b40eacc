"""On which segments metrics disagree about systems: there a person's word is worth most.

Looked at are a few thousand blocks drawn at random, so that a large campaign starts at once; the
others are as good as these. The score of each metric is standardised over them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.find import find
from concordant.scoring.in_memory import score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.judging.campaign import Campaign
    from concordant.metrics.scorer import Scorer
    from concordant.stats.arrays import Floats, Ints

METRICS = ("bleu", "chrf", "ter")  # quick ones, of different kinds
MOST_BLOCKS = 1000


@dataclass(frozen=True)
class Disagreement:
    """Standardised scores (metrics, blocks, systems), higher is better, of some blocks."""

    blocks: Ints
    scores: Floats

    def of(self, systems: Sequence[int]) -> Floats:
        """How far metrics disagree about these systems on each block, above 0.

        The deviation, over metrics, of the difference of two systems; its mean over all pairs.
        """
        chosen = self.scores[:, :, list(systems)]
        differences = chosen[:, :, :, None] - chosen[:, :, None, :]
        one, other = np.triu_indices(len(systems), 1)
        spread = differences[:, :, one, other].std(axis=0).mean(axis=1)
        return np.asarray(spread + 1e-3)


def disagreement_of(
    campaign: Campaign,
    blocks: Sequence[range],
    texts: Callable[[int], tuple[str | None, list[str], dict[int, str]]],
    *,
    metrics: Sequence[str] = METRICS,
) -> Disagreement | None:
    """The disagreement on blocks of a campaign; None where there are no references."""
    rng = np.random.default_rng([campaign.settings.seed, 1])
    drawn = np.sort(rng.permutation(len(blocks))[:MOST_BLOCKS])
    rows: list[tuple[int, int, str, list[str]]] = []
    for place, block in enumerate(drawn.tolist()):
        for segment in blocks[block]:
            _, references, translations = texts(segment)
            if not references:
                return None
            rows += [(place, system - 1, text, references) for system, text in translations.items()]
    scores = np.stack([
        _standardised(each, rows, len(drawn), len(campaign.systems)) for each in find(metrics)
    ])
    return Disagreement(drawn, scores)


def _standardised(
    metric: Scorer, rows: Sequence[tuple[int, int, str, list[str]]], blocks: int, systems: int
) -> Floats:
    """A metric's mean score of each block and system, (blocks, systems), mean 0 and deviation 1."""
    texts = [text for _, _, text, _ in rows]
    scores = score(texts, [references for *_, references in rows], metric=metric).segments
    places = np.array([place for place, *_ in rows]), np.array([system for _, system, *_ in rows])
    sums, counts = np.zeros((blocks, systems)), np.zeros((blocks, systems))
    np.add.at(sums, places, metric.sign * scores)
    np.add.at(counts, places, 1.0)
    means = sums / np.maximum(counts, 1)
    return np.asarray((means - means.mean()) / max(float(means.std()), 1e-9))

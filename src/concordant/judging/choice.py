"""What to ask next: some systems, and a segment (or a document) to show them on.

Systems first: those that lack judgements (`allocation`), or at random. Then the segment:
at random, or, with the policy "both", likelier where metrics disagree about these systems. A share
of either choice is always random. How much likelier a segment was than at random is its weight,
so that weighted estimates are those of segments at random; the choice of systems needs no weights,
because scores are means over opponents.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.judging.disagreement import Disagreement
    from concordant.judging.settings import CampaignSettings
    from concordant.judging.tallies import PairTallies, RatingTallies

TRIES = 60  # draws that may fall on what a judge has seen, before all that is left is listed
MOST_LISTED = 200_000

Seen = set[tuple[int, tuple[int, ...]]]  # block and systems, from 0


@dataclass(frozen=True)
class NextBlock:
    """A block of segments (one, or a document in order), systems from 1, and the weight."""

    block: int
    systems: tuple[int, ...]
    weight: float


def blocks_of(documents: Sequence[str | None]) -> list[range]:
    """The segments (from 1) of each document, or each alone; a name that returns is another one.

    >>> blocks_of(["a", "a", "b"]), blocks_of([None, None])
    ([range(1, 3), range(3, 4)], [range(1, 2), range(2, 3)])
    """
    found: list[range] = []
    for segment, name in enumerate(documents, 1):
        if found and name is not None and documents[segment - 2] == name:
            found[-1] = range(found[-1].start, segment + 1)
        else:
            found.append(range(segment, segment + 1))
    return found


def choose(
    settings: CampaignSettings,
    tallies: PairTallies | RatingTallies,
    blocks: int,
    seen: Seen,
    rng: np.random.Generator,
    *,
    systems: int,
    disagreement: Disagreement | None = None,
    fits: Callable[[int, tuple[int, ...]], bool] = lambda *_: True,
) -> NextBlock | None:
    """The next block and systems for a judge; None if there is nothing that they have not seen.

    `fits` says whether a block can be shown: equal texts cannot be compared.
    """
    count = min(settings.places, systems)
    of_judge = {block for block, _ in seen}
    for attempt in range(TRIES):
        chosen = _systems(settings, tallies, systems, count, rng)
        block, weight = _block(settings, chosen, blocks, rng, disagreement)
        new = block not in of_judge or (attempt >= TRIES // 2 and (block, chosen) not in seen)
        if new and fits(block, chosen):
            return NextBlock(block, tuple(each + 1 for each in chosen), weight)
    sets = list(itertools.islice(itertools.combinations(range(systems), count), 1000))
    listed = itertools.islice(itertools.product(range(blocks), sets), MOST_LISTED)
    left = [each for each in listed if each not in seen]
    for i in rng.permutation(len(left)).tolist():
        block, chosen = left[i]
        if fits(block, chosen):
            return NextBlock(block, tuple(each + 1 for each in chosen), 1.0)
    return None


def _systems(
    settings: CampaignSettings,
    tallies: PairTallies | RatingTallies,
    systems: int,
    count: int,
    rng: np.random.Generator,
) -> tuple[int, ...]:
    """The systems of a screen, in ascending order."""
    everyone = count == systems
    if everyone or settings.policy == "random" or rng.random() < settings.random_share:
        return tuple(sorted(rng.choice(systems, count, replace=False).tolist()))
    lacks = tallies.lacks()
    if lacks.ndim == 1:
        return (int(rng.choice(systems, p=shares_of(lacks))),)
    one, other = np.triu_indices(systems, 1)
    first = int(rng.choice(len(one), p=shares_of(lacks[one, other])))
    chosen = [int(one[first]), int(other[first])]
    while len(chosen) < count:
        worth = lacks[chosen].sum(axis=0)
        worth[chosen] = -1.0
        chosen.append(int(worth.argmax()))
    return tuple(sorted(chosen))


def _block(
    settings: CampaignSettings,
    chosen: tuple[int, ...],
    blocks: int,
    rng: np.random.Generator,
    disagreement: Disagreement | None,
) -> tuple[int, float]:
    """A block and its weight: how likely it is at random, divided by how likely it was."""
    if settings.policy != "both" or disagreement is None or len(chosen) < 2:
        return int(rng.integers(blocks)), 1.0
    among = len(disagreement.blocks)
    shares = shares_of(disagreement.of(chosen))
    mixed = settings.random_share / among + (1 - settings.random_share) * shares
    place = int(rng.choice(among, p=mixed / mixed.sum()))
    return int(disagreement.blocks[place]), float(1 / (among * mixed[place]))


def shares_of(
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Numbers as probabilities; equal ones if all are 0."""
    total = values.sum()
    if not np.isfinite(total) or total <= 0:
        return np.full(len(values), 1 / len(values))
    return np.asarray(values / total)

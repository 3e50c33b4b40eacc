"""How good each candidate would be if a pseudo-reference were the right translation.

Each text is read and encoded once: a metric gets the distinct candidates and pseudo-references as
a grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.scorer import NOTHING, Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scorer import Prepared, Scorer

MOST_PAIRS = 1 << 16  # counted at once


def utilities(
    metric: Scorer,
    candidates: Sequence[str],
    references: Sequence[str],
    source: str | None = None,
    *,
    threads: int = 1,
    prepared: Prepared = NOTHING,
) -> Floats:
    """The score of every candidate against every pseudo-reference: (candidates, references).

    >>> from concordant.metrics.find import load
    >>> utilities(load("chrf"), ["a cat", "a dog"], ["a cat", "a dog"]).round(1).tolist()
    [[100.0, 6.2], [6.2, 100.0]]
    """
    rows = max(1, MOST_PAIRS // len(references))
    parts = []
    for begin in range(0, len(candidates), rows):
        some = candidates if rows >= len(candidates) else candidates[begin : begin + rows]
        counts = metric.counts(
            Batch.of_grid(some, references, source), threads=threads, prepared=prepared
        )
        parts.append(metric.segment_scores(counts).reshape(len(some), len(references)))
    return np.concatenate(parts)

"""CharacTER, the translation edit rate on characters (Wang et al. 2016), by its authors' program.

Phrases of the translation are shifted as whole words while that lowers the word-level edit
distance; then characters are edited. A shifted phrase costs the mean length of its words. The sum
is divided by the length of the translation, with which short translations are not favoured, and a
segment's rate is at most 1. The score of a corpus is the mean of its segments' rates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.lexical import _native
from concordant.metrics.lexical.texts import check_texts, divide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.lexical.texts import Floats

COLUMNS = ("character edits", "shift costs", "translation characters", "rate", "segments")


def counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    lowercase: bool = False,
    threads: int = 1,
) -> Floats:
    """Counts of each segment, in the order of COLUMNS: (segments, 5).

    Characters include one space between words. Of several references the one with the lowest rate
    counts. The rate is a count as well, so that the mean of a corpus follows from a sum.

    >>> counts(["on the mat the cat"], [["the cat on the mat"]]).round(3).tolist()
    [[0.0, 2.667, 18.0, 0.148, 1.0]]
    """
    texts = check_texts(translations, references, lowercase=lowercase)
    found = _native.character_counts(*texts, threads)
    ones = np.ones(len(found))
    return np.column_stack([found, _rates(found), ones])


def character(counts: Floats) -> Floats:
    """CharacTER in [0, 1], better when lower, of counts (last axis).

    >>> row = counts(["on the mat the cat"], [["the cat on the mat"]])
    >>> character(row).round(3).tolist()
    [0.148]
    """
    return divide(counts[..., 3], counts[..., 4])


def _rates(found: Floats) -> Floats:
    edits, length = found[:, 0] + found[:, 1], found[:, 2]
    # An empty translation has rate 1, unless the reference is empty too.
    rate: Floats = np.where(length > 0, divide(edits, length), edits > 0)
    return np.minimum(rate, 1.0)

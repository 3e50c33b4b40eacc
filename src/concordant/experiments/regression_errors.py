"""Good translations that only one of two metrics sees (Shimanaka et al. 2018, §4.4).

Of each language pair the fifth that people rated highest is looked at. A metric rates one of them
high if it is in the metric's own top fifth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.words.word_tokens import word_tokens
from concordant.encoders.words.words import open_vectors
from concordant.experiments.regression_runs import PAIRS, sides_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.judgements.judged_translations import Floats, RatedTranslations

TOP = 0.2
LOW_OVERLAP = 0.5  # of the translation's words in the reference
SHORT = 15
WORDS = "glove-50"  # whose 400,000 words are the known ones
GROUPS = ("all", "few words in common", "unknown words", "unknown words, short")


def error_counts(
    rated: RatedTranslations, first: Mapping[str, Floats], second: Mapping[str, Floats]
) -> tuple[list[int], list[int]]:
    """How many good translations only the first or only the second metric rates high, by group."""
    counts = np.zeros((2, len(GROUPS)), dtype=np.int64)
    for pair in PAIRS:
        rows = rated.rows[sides_for(rated, pair)[1]]
        good = top_fifth(rated.ratings[rows])
        high = [top_fifth(scores[pair]) for scores in (first, second)]
        groups = np.array([_groups(rated, i) for i in rows])
        counts[0] += groups[good & high[0] & ~high[1]].sum(axis=0)
        counts[1] += groups[good & high[1] & ~high[0]].sum(axis=0)
    return counts[0].tolist(), counts[1].tolist()


def top_fifth(values: Floats) -> np.ndarray:
    """Which of the values are the highest fifth.

    >>> top_fifth(np.array([1.0, 5.0, 3.0, 2.0, 4.0])).tolist()
    [False, True, False, False, False]
    """
    many = round(TOP * len(values))
    chosen = np.zeros(len(values), dtype=bool)
    chosen[np.argsort(-values, kind="stable")[:many]] = True
    return chosen


def _groups(rated: RatedTranslations, row: int) -> list[bool]:
    """Whether a translation is in each of the groups."""
    words = [word.lower() for word in word_tokens(rated.translations[row])]
    reference = {w.lower() for text in rated.references[row] for w in word_tokens(text)}
    shared = sum(word in reference for word in words) / max(1, len(words))
    unknown = bool(np.any(open_vectors(WORDS).lookup(words) < 0))
    return [True, shared < LOW_OVERLAP, unknown, unknown and len(words) <= SHORT]

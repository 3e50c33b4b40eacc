"""What training a linear model makes small, as Stanojević and Sima'an (2017) write it.

Costs are means over a batch (the last axis).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.models.functions import sigmoid

if TYPE_CHECKING:
    from concordant.models.functions import Array


def sentence_margin(
    difference: Array,
    margin: Array | float = 1.0,
    tie: Array | None = None,
    *,
    tie_width: float = 0.0,
) -> Array:
    """By how much pairs miss their margin, on average (Stanojević and Sima'an 2017, §2.1).

    `difference` is forward(better) - forward(worse). The paper's margin is 1 for every pair; here a
    pair may have its own. Where `tie`, the two should be no further apart than `tie_width`.

    >>> float(sentence_margin(np.array([2.0, 0.5, -1.0])))
    0.8333333333333334
    """
    missed = margin - difference
    if tie is not None:
        missed = np.where(tie, abs(difference) - tie_width, missed)
    return np.clip(missed, 0.0, None).mean(axis=-1)


def sentence_margin_slope(
    difference: Array,
    margin: Array | float = 1.0,
    tie: Array | None = None,
    *,
    tie_width: float = 0.0,
) -> Array:
    """How the sentences' cost moves with each difference.

    >>> sentence_margin_slope(np.array([2.0, 0.5])).tolist()
    [-0.0, -0.5]
    """
    missed, steep = margin - difference, -np.ones_like(difference)
    if tie is not None:
        missed = np.where(tie, abs(difference) - tie_width, missed)
        steep = np.where(tie, np.sign(difference), steep)
    return steep * (missed >= 0.0) / difference.shape[-1]


def corpus_score(outputs: Array, *, temperature: Array | float = 1.0) -> Array:
    """The score of a corpus, the mean of its sentences' scores, from forward(φ) of each (§2).

    The paper's sigmoid has a temperature of 1; a higher one makes it gentler.

    >>> corpus_score(np.array([4.0, 0.0]), temperature=4.0).round(3).item()
    0.616
    """
    return sigmoid(outputs / temperature).mean(axis=-1)


def corpus_score_slope(outputs: Array, *, temperature: Array | float = 1.0) -> Array:
    """How the score of a corpus moves with forward(φ) of each of its sentences."""
    scores = sigmoid(outputs / temperature)
    return scores * (1.0 - scores) / (temperature * outputs.shape[-1])


def corpus_margin(difference: Array, human: Array | float) -> Array:
    """By how much two corpora's scores are closer than people's, at least 0 (§2.2).

    `difference` is the score of the corpus that people scored higher by `human`, minus the
    other's.

    >>> corpus_margin(np.array([0.3, 0.0]), 0.25).tolist()
    [0.0, 0.25]
    """
    return np.clip(human - difference, 0.0, None)


def corpus_margin_slope(difference: Array, human: Array | float) -> Array:
    """How the corpora's cost moves with the difference of their scores: -1 or 0.

    >>> corpus_margin_slope(np.array([0.3, 0.0]), 0.25).tolist()
    [-0.0, -1.0]
    """
    return -1.0 * (difference <= human)


def joint(sentence: Array, corpus: Array, alpha: Array | float = 0.5) -> Array:
    """Both costs interpolated (§2.3): alpha is the sentences' share.

    >>> joint(1.0, 3.0, 0.25)
    2.5
    """
    return alpha * sentence + (1 - alpha) * corpus

"""Word error rates: WER, which minds the order of words, and PER, which does not.

WER is the word-level edit distance over the length of the reference (Levenshtein 1966). PER, the
position-independent error rate (Tillmann et al. 1997), is max(|translation|, |reference|) − matches
over the length of the reference, where matches are the words that both share as bags. Words are
what white space separates. Of several references the one with the lowest rate counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.lexical import _native
from concordant.metrics.lexical.texts import check_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.lexical.texts import Floats

COLUMNS = ("substitutions", "insertions", "deletions", "reference length")
PER_COLUMNS = ("errors", "matches", "translation length", "reference length")


def counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    lowercase: bool = False,
    threads: int = 1,
) -> Floats:
    """The fewest word errors of each segment, in the order of COLUMNS: (segments, 4).

    Where several alignments have the fewest errors, the one with most substitutions is counted.

    >>> counts(["the black cat sat"], [["the cat sat down"]]).tolist()
    [[0.0, 1.0, 1.0, 4.0]]
    """
    texts = check_texts(translations, references, lowercase=lowercase)
    return _native.wer_counts(*texts, threads)


def wer(counts: Floats) -> Floats:
    """WER in percent, from 0, better when lower, of counts (last axis); it can exceed 100.

    >>> float(wer(counts(["the black cat sat"], [["the cat sat down"]]))[0])
    50.0
    """
    return error_rate(counts[..., :3].sum(axis=-1), counts[..., 3])


def per_counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    lowercase: bool = False,
    threads: int = 1,
) -> Floats:
    """Errors and matches regardless of order, in the order of PER_COLUMNS: (segments, 4).

    >>> per_counts(["sat the cat"], [["the cat sat down"]]).tolist()
    [[1.0, 3.0, 3.0, 4.0]]
    """
    texts = check_texts(translations, references, lowercase=lowercase)
    return _native.per_counts(*texts, threads)


def per(counts: Floats) -> Floats:
    """PER in percent, from 0, better when lower, never above WER, of counts (last axis).

    >>> float(per(per_counts(["sat the cat"], [["the cat sat down"]]))[0])
    25.0
    """
    return error_rate(counts[..., 0], counts[..., 3])


def error_rate(errors: Floats, length: Floats) -> Floats:
    """100 × errors / length; against an empty reference 0 without errors and 100 with any.

    >>> error_rate(np.array([1.0, 2.0, 0.0]), np.array([4.0, 0.0, 0.0])).tolist()
    [25.0, 100.0, 0.0]
    """
    there = length > 0
    rate: Floats = np.where(there, errors / np.where(there, length, 1.0), errors > 0)
    return 100 * rate

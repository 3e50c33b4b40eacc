"""Translations in another language than they should be: a flag for clear cases only.

A translation that shares a third of its words with a reference is in its language, whatever its
letters suggest: that is seen first, since it costs least. The others are told by their bytes.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.flags.languages_seen import SURE, group_of, language_shares, language_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]

FEW_WORDS = 4  # fewer words of the source do not show a language
SHARED = 3  # a translation with one word in so many from a reference is in its language
DOUBT = 0.02  # the probability of the right language below which another is believed


def in_other_language(
    translations: Sequence[str], references: Sequence[Sequence[str]], language: str | None
) -> Bools:
    """Whether a translation is clearly in another language than that which is known.

    Where none is known, or one that is not in the table: than its references.

    >>> german = "Er kam wie immer zu spät zu der Sitzung."
    >>> english = "He came late to the meeting, as always."
    >>> in_other_language([german, english], [[english], [english]], None).tolist()
    [True, False]
    """
    found = np.zeros(len(translations), dtype=np.bool_)
    pairs = enumerate(zip(translations, references, strict=True))
    doubtful = [i for i, (text, given) in pairs if text.strip() and not _shares_words(text, given)]
    if doubtful:
        given = [references[i] for i in doubtful]
        found[doubtful] = _clearly_other([translations[i] for i in doubtful], given, language)
    return found


def _shares_words(translation: str, references: Sequence[str]) -> bool:
    """Whether a third of the translation's words stand in a reference."""
    words = set(translation.lower().split())
    return any(SHARED * len(words.intersection(text.lower().split())) >= len(words)
               for text in references)  # fmt: skip


def _clearly_other(
    translations: Sequence[str], references: Sequence[Sequence[str]], language: str | None
) -> Bools:
    known = language_table().languages
    shares = language_shares(translations)
    given = language_shares(list(chain.from_iterable(references)))
    of = np.repeat(np.arange(len(references)), [len(each) for each in references])
    most = np.zeros_like(shares)  # the highest share of each language among the references
    np.maximum.at(most, of, given)
    rows, best = np.arange(len(shares)), shares.argmax(axis=1)
    sure = shares[rows, best] >= SURE
    if language in known:
        wanted = np.full(len(shares), known.index(language))
    else:
        wanted = most.argmax(axis=1)
        sure &= most[rows, wanted] >= SURE
    group = group_of()
    right = _sum_of_groups(shares, group)[rows, group[wanted]]
    alike = most[rows, best] >= 1 / 2  # a reference looks so too
    return np.asarray(sure & (right < DOUBT) & ~alike)


def _sum_of_groups(shares: Floats, group: npt.NDArray[np.int64]) -> Floats:
    """The share of each group of languages that are hard to tell apart."""
    sums = np.zeros_like(shares)
    np.add.at(sums.T, group, shares.T)
    return sums


def in_words_of_source(
    translations: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str]
) -> Bools:
    """Whether over half of the words, and at least four, are the source's and no reference's.

    >>> in_words_of_source(["das Haus am Fluss"], [["the house"]], ["Das Haus am Fluss"]).tolist()
    [True]
    """

    def off(output: str, given: Sequence[str], source: str) -> bool:
        only = set(source.lower().split()).difference(*(text.lower().split() for text in given))
        words = output.lower().split()
        return len(words) >= FEW_WORDS and 2 * sum(map(only.__contains__, words)) > len(words)

    return np.array([off(*each) for each in zip(translations, references, sources, strict=True)])

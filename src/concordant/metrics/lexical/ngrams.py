"""n-gram precision, recall and F of characters and of words; chrF and chrF++ are cases of it.

Counts of a segment are, for each order, the n-grams of the translation, of the reference, and those
they share (Stanojević and Sima'an 2014; Popović 2015, 2017). Of several references the one with
the best F counts, as in sacrebleu.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.lexical import _native
from concordant.metrics.lexical.texts import check_texts, divide
from concordant.metrics.lexical.tokenisers import kernel_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.lexical.texts import Floats

BETAS = {"F1": 1.0, "F2": 2.0, "F0.5": 0.5}
MOST_SKIPPED = 2**31  # more words than any text has


def counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    char_order: int = 0,
    word_order: int = 0,
    tokeniser: str = "13a",
    beta: float = 2.0,
    whitespace: bool = False,
    lowercase: bool = False,
    threads: int = 1,
) -> Floats:
    """(translation, reference, shared) n-grams for each order of characters, then of words."""
    texts = check_texts(translations, references, lowercase=lowercase, tokeniser=tokeniser)
    rules = kernel_name(tokeniser)
    return _native.chrf_counts(*texts, char_order, word_order, beta, whitespace, rules, threads)


def grid_counts(
    candidates: Sequence[str],
    references: Sequence[str],
    *,
    char_order: int = 0,
    word_order: int = 0,
    tokeniser: str = "13a",
    whitespace: bool = False,
    lowercase: bool = False,
) -> Floats:
    """The counts of every candidate with every reference, candidate by candidate.

    The n-grams of each text are read once, however many others it meets.

    >>> grid_counts(["a b", "c"], ["a c"], word_order=1).tolist()
    [[2.0, 2.0, 1.0], [1.0, 2.0, 1.0]]
    """
    texts = _texts_of_grid(candidates, references, lowercase, tokeniser)
    rules = kernel_name(tokeniser)
    return _native.chrf_grid(*texts, char_order, word_order, whitespace, rules)


def aggregate_counts(
    candidates: Sequence[str],
    references: Sequence[str],
    weights: Floats,
    *,
    char_order: int = 0,
    word_order: int = 0,
    tokeniser: str = "13a",
    whitespace: bool = False,
    lowercase: bool = False,
) -> Floats:
    """The counts of each candidate with the mean of all references (Vamvas and Sennrich 2024).

    The aggregate has each n-gram as often as the references have it on average; `weights` sum to 1.

    >>> aggregate_counts(["a b"], ["a c", "a"], np.array([0.5, 0.5]), word_order=1).tolist()
    [[2.0, 1.5, 1.0]]
    """
    texts = _texts_of_grid(candidates, references, lowercase, tokeniser)
    rules = kernel_name(tokeniser)
    return _native.chrf_aggregate(*texts, weights, char_order, word_order, whitespace, rules)


def _texts_of_grid(
    candidates: Sequence[str], references: Sequence[str], lowercase: bool, tokeniser: str
) -> tuple[list[str], list[str]]:
    """Both lists as the kernel takes them: one and the same where they were that before."""
    prepared = [
        check_texts(texts, [[""]] * len(texts), lowercase=lowercase, tokeniser=tokeniser)[0]
        for texts in ([candidates] if references is candidates else [candidates, references])
    ]
    return prepared[0], prepared[-1]


def skip_counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    skip: int | None = None,
    tokeniser: str = "13a",
    lowercase: bool = False,
    threads: int = 1,
) -> Floats:
    """(translation, reference, shared) pairs of words in order, at most `skip` words apart.

    >>> (
    ...     skip_counts(["a b c"], [["a c b"]], skip=0).tolist(),
    ...     skip_counts(["a b c"], [["a c b"]]).tolist(),
    ... )
    ([[2.0, 2.0, 0.0]], [[3.0, 3.0, 2.0]])
    """
    texts = check_texts(translations, references, lowercase=lowercase, tokeniser=tokeniser)
    reach = -1 if skip is None else min(skip, MOST_SKIPPED)
    return _native.skip_counts(*texts, kernel_name(tokeniser), reach, threads)


def lcs_counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    tokeniser: str = "13a",
    lowercase: bool = False,
    threads: int = 1,
) -> Floats:
    """Words of the translation, of the reference, and of their longest common subsequence."""
    texts = check_texts(translations, references, lowercase=lowercase, tokeniser=tokeniser)
    return _native.lcs_counts(*texts, kernel_name(tokeniser), threads)


def precision(counts: Floats) -> Floats:
    """Shared by translation n-grams, in [0, 1], for each triple of counts: (…, orders)."""
    triples = _triples(counts)
    return divide(triples[..., 2], triples[..., 0])


def recall(counts: Floats) -> Floats:
    """Shared by reference n-grams, in [0, 1], for each triple of counts: (…, orders)."""
    triples = _triples(counts)
    return divide(triples[..., 2], triples[..., 1])


def f_score(counts: Floats, beta: float) -> Floats:
    """F_β of precision and recall, in [0, 1]; β above 1 weighs recall more: (…, orders).

    >>> f_score(np.array([4.0, 2.0, 2.0]), 1.0).round(3).tolist()
    [0.667]
    """
    return weighted_mean(precision(counts), recall(counts), beta)


def weighted_mean(p: Floats, r: Floats, beta: float) -> Floats:
    """The harmonic mean of precision and recall; β above 1 weighs recall more."""
    return divide((1 + beta**2) * p * r, beta**2 * p + r)


def chrf(counts: Floats, *, beta: float = 2.0) -> Floats:
    """The score chrF in [0, 100], better when higher: F_β of mean precision and mean recall.

    Orders that translation or reference are too short for do not count.

    >>> rows = counts(["the cat sat"], [["the cat sits"]], char_order=6, tokeniser="chrf")
    >>> chrf(rows).round(2).tolist()
    [61.03]
    """
    triples = _triples(counts)
    there = (triples[..., 0] > 0) & (triples[..., 1] > 0)
    orders = there.sum(axis=-1).astype(np.float64)
    p = divide((precision(counts) * there).sum(axis=-1), orders)
    r = divide((recall(counts) * there).sum(axis=-1), orders)
    return 100.0 * weighted_mean(p, r, beta)


def rouge(counts: Floats, *, beta: float = 1.0) -> Floats:
    """ROUGE-L of `lcs_counts` or ROUGE-S of `skip_counts` in [0, 100], better when higher."""
    return 100.0 * f_score(counts, beta)[..., 0]


def _triples(counts: Floats) -> Floats:
    return counts.reshape(*counts.shape[:-1], counts.shape[-1] // 3, 3)

"""NIST (Doddington 2002): n-gram precision in which rare n-grams of the references weigh more.

The information of an n-gram is log2(count of its first n − 1 words / count of the n-gram), counted
in the references of a test set; a unigram's is log2(number of words / count). Counts of a segment
are, for orders 1 to 5, the information of the n-grams it shares with a reference and the number of
its n-grams, and both lengths. As in nltk's `corpus_nist`, each order chooses its own best
reference (of equally good ones the longest), and the lengths add up over the orders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.metrics.lexical import _native
from concordant.metrics.lexical.texts import check_texts, divide
from concordant.metrics.lexical.tokenisers import kernel_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.lexical.texts import Floats

ORDER = 5
COLUMNS = (
    *(f"information {n}" for n in range(1, ORDER + 1)),
    *(f"total {n}" for n in range(1, ORDER + 1)),
    "reference lengths", "translation lengths",
)  # fmt: skip
# The penalty is a half for a translation two thirds as long as the reference.
BETA = np.log(0.5) / np.log(1.5) ** 2


@dataclass(frozen=True)
class Weights:
    """The information of every n-gram of a test set's references, and how they were read."""

    table: _native.NistWeights
    tokeniser: str
    lowercase: bool


def weights(
    references: Sequence[Sequence[str]], *, tokeniser: str = "13a", lowercase: bool = False
) -> Weights:
    """The information weights of a test set: one list of references for each of its segments."""
    _, given = check_texts(
        [""] * len(references), references, lowercase=lowercase, tokeniser=tokeniser
    )
    return Weights(_native.NistWeights(given, kernel_name(tokeniser)), tokeniser, lowercase)


def counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    weights: Weights | None = None,
    tokeniser: str = "13a",
    lowercase: bool = False,
    threads: int = 1,
) -> Floats:
    """Counts of each segment, in the order of COLUMNS: (segments, 12).

    Without `weights` they are taken from these references, each different list of references once,
    so that many systems' translations may be given together. n-grams that the weights do not know
    carry no information.
    """
    texts = check_texts(translations, references, lowercase=lowercase, tokeniser=tokeniser)
    if weights is None:
        different = list(map(list, dict.fromkeys(map(tuple, texts[1]))))
        table = _native.NistWeights(different, kernel_name(tokeniser))
    else:
        _refuse_other_reading(weights, tokeniser=tokeniser, lowercase=lowercase)
        table = weights.table
    return table.counts(*texts, threads)


def nist(counts: Floats) -> Floats:
    """NIST, 0 or more, better when higher, of counts (last axis); segments and sums of them alike.

    An order that no translation is long enough for adds 0.

    >>> references = [["the cat sat on the mat"], ["a dog sat on a log"]]
    >>> rows = counts(["the cat sat on a mat", "the dog sat"], references)
    >>> nist(rows).round(3).tolist(), nist(rows.sum(axis=0)).round(3).tolist()
    ([2.687, 0.271], 1.754)
    """
    information, totals = counts[..., :ORDER], counts[..., ORDER : 2 * ORDER]
    precision: Floats = divide(information, totals).sum(axis=-1)
    return precision * length_penalty(counts)


def length_penalty(counts: Floats) -> Floats:
    """NIST's penalty in [0, 1] for translations shorter than the reference; 1 is none.

    >>> length_penalty(np.array([0.0] * 10 + [3.0, 2.0])).round(3).tolist()
    0.5
    """
    reference, length = counts[..., -2], counts[..., -1]
    ratio = np.where(reference > 0, divide(length, reference), length > 0)
    inside = (ratio > 0) & (ratio < 1)
    short = np.exp(BETA * np.log(np.where(inside, ratio, 1.0)) ** 2)
    return np.where(ratio > 0, short, 0.0)


def _refuse_other_reading(weights: Weights, *, tokeniser: str, lowercase: bool) -> None:
    """Words cut or cased in another way than the weights' would silently weigh nothing."""
    if (weights.tokeniser, weights.lowercase) != (tokeniser, lowercase):
        raise SpecError(
            f'the weights were made with tokeniser "{weights.tokeniser}" and '
            f'lowercase={weights.lowercase}, but counting with tokeniser "{tokeniser}" and '
            f"lowercase={lowercase} was requested; both must be the same"
        )

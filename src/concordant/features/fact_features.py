"""What a translation says of facts: numbers, names and negations that it loses or adds.

A changed number or a lost "not" leaves most words as they are, so that features of words and their
vectors hardly see it. People do. Negations are English ones; names are words with a capital that do
not begin the text.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from concordant.features.feature import Feature, arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.features.feature import Context
    from concordant.metrics.lexical.texts import Floats
    from concordant.specs import Spec

    Facts = tuple[Counter[str], Counter[str], Counter[str]]

COLUMNS = tuple(
    f"facts {kind} {change}"
    for kind in ("numbers", "names", "negations")
    for change in ("lost", "added")
)
MOST = 3  # more of a kind than this say nothing new
WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
NEGATIONS = frozenset(
    "no not never none nobody nothing neither nor nowhere without cannot hardly".split()
)
NEGATED = ("n't", "n’t")


def fact_feature(spec: Spec) -> Feature:
    """How many numbers, names and negations of the reference are missing, and how many are new."""
    arguments(spec, (), "facts")

    def extract(
        translations: Sequence[str],
        references: Sequence[Sequence[str]],
        /,
        *,
        context: Context,  # noqa: ARG001 - it needs nothing else
    ) -> Floats:
        return np.array([
            min((differences(text, each) for each in given), key=sum)
            for text, given in zip(translations, references, strict=True)
        ], dtype=np.float64).reshape(len(translations), len(COLUMNS))  # fmt: skip

    return Feature(spec, COLUMNS, extract)


def differences(translation: str, reference: str) -> tuple[int, ...]:
    """How many facts of each kind are lost and added, in the order of COLUMNS.

    >>> differences("It costs 40 euros.", "It does not cost 30 euros, Anna.")
    (1, 1, 1, 0, 1, 0)
    """
    said, meant = words_of(translation), words_of(reference)
    found, wanted = facts_of(said), facts_of(meant)
    counts = []
    for kind, (own, other) in enumerate(zip(found, wanted, strict=True)):
        lost, added = other - own, own - other
        if kind == 1:  # a name that stands in small letters, or first, is there
            lost, added = (
                lost - Counter(each.lower() for each in said),
                added - Counter(each.lower() for each in meant),
            )
        counts += [min(lost.total(), MOST), min(added.total(), MOST)]
    return tuple(counts)


def words_of(text: str) -> list[str]:
    """The words and numbers of a text."""
    return WORD.findall(text)


def facts_of(words: Sequence[str]) -> Facts:
    """Numbers without their marks, names and negations."""
    numbers, names, negations = Counter[str](), Counter[str](), Counter[str]()
    for i, word in enumerate(words):
        small = word.lower()
        if word[0].isdecimal():
            numbers[re.sub("[.,:]", "", word)] += 1
        elif small in NEGATIONS or small.endswith(NEGATED):
            negations["not"] += 1
        elif i and word[0].isupper() and len(word) > 1:
            names[small] += 1
    return numbers, names, negations

"""What a translation carries over from the text that it is compared with, in any two languages.

Made for sources, where no reference is: numbers, addresses, tags and marks should come through,
words and letters of another language should not; lengths should fit, and nothing be said twice.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from concordant.features.feature import Feature, arguments
from concordant.metrics.flags.scripts import SCRIPTS
from concordant.metrics.flags.text_traits import text_traits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.features.feature import Context
    from concordant.metrics.lexical.texts import Floats
    from concordant.specs import Spec

COLUMNS = {
    "numbers": "share of the numbers of both texts that both have, 1 where there are none",
    "numbers added": "numbers of the translation alone, at most 3",
    "numbers lost": "numbers of the other text alone, at most 3",
    "addresses": "the share of addresses, tags and placeholders that both have, 1 where none are",
    "stops": "full stops, question and exclamation marks: how many more, from -4 to 4",
    "commas": "the same of commas, colons and semicolons",
    "brackets": "the same of brackets",
    "quotes": "the same of quotation marks",
    "ending": "whether one text ends in a stop and the other does not",
    "copied words": "share of the translation's words that the other text has too",
    "copied names": "the same of its words with a capital, without the first",
    "capitals": "share of words with a capital, less that of the other text",
    "repeated words": "share of words that were there before, less that of the other text",
    "repeated pairs": "share of neighbouring words that were there before",
    "doubled": "whether a word follows itself",
    "words": "logarithm of 1 + the number of words",
    "other words": "the same of the other text",
    "characters": "logarithm of 1 + the number of characters",
    "length": "logarithm of the ratio of characters, 5 added to both",
    "length apart": "its distance from 0",
    "word length": "mean number of characters of a word",
    "scripts": "share of letters whose scripts both texts have as much of",
    "Latin": "share of Latin letters",
}
MOST_NUMBERS, MOST_MARKS, LITTLE = 3, 4, 5
NUMBER = re.compile(r"\d+")
ADDRESS = re.compile(r"https?://\S+|www\.\S+|\S+@\S+\.\S+|<[^<>]*>|\{[^{}]*\}|%[sd]")
WORD = re.compile(r"\w+")
STOPS = ".!?。！？।…"
MARKS = (STOPS, ",;:，；：、", "()[]{}（）【】", "\"'“”„«»‘’「」『』")


def transfer_feature(spec: Spec) -> Feature:
    """The COLUMNS; of several texts the one whose length is nearest counts."""
    arguments(spec, (), "transfer")

    def extract(
        translations: Sequence[str],
        references: Sequence[Sequence[str]],
        /,
        *,
        context: Context,  # noqa: ARG001 - it needs nothing else
    ) -> Floats:
        others = [_nearest(*each) for each in zip(translations, references, strict=True)]
        rows = [carried(*each) for each in zip(translations, others, strict=True)]
        letters = _letters(translations), _letters(others)
        shared = np.minimum(*letters).sum(axis=1)
        latin = letters[0][:, SCRIPTS.index("Latin")]
        values = np.array(rows, dtype=np.float64).reshape(len(rows), len(COLUMNS) - 2)
        return np.concatenate([values, np.stack([shared, latin], axis=1)], axis=1)

    return Feature(spec, tuple(f"transfer {column}" for column in COLUMNS), extract)


def carried(translation: str, other: str) -> tuple[float, ...]:
    """All columns but those of scripts.

    >>> found = dict(zip(COLUMNS, carried("Es kostet 40 Euro", "It costs 30 euros."), strict=False))
    >>> [found[each] for each in ("numbers", "numbers lost", "stops", "ending", "copied words")]
    [0.0, 1.0, -1.0, 1.0, 0.0]
    """
    said, meant = WORD.findall(translation), WORD.findall(other)
    small, known = [word.lower() for word in said], {word.lower() for word in meant}
    names = [word.lower() for word in said[1:] if word[0].isupper()]
    neighbours = list(itertools.pairwise(small))
    length = float(np.log((len(translation) + LITTLE) / (len(other) + LITTLE)))
    return (
        *_shared(NUMBER, translation, other),
        _shared(ADDRESS, translation, other)[0],
        *(_more(marks, translation, other) for marks in MARKS),
        float((translation.rstrip()[-1:] in STOPS) != (other.rstrip()[-1:] in STOPS)),
        _share(sum(word in known for word in small), len(said)),
        _share(sum(word in known for word in names), len(names)),
        _capitals(said) - _capitals(meant),
        _share(len(said) - len(set(small)), len(said))
        - _share(len(meant) - len(known), len(meant)),
        _share(len(neighbours) - len(set(neighbours)), len(neighbours)),
        float(any(first == second for first, second in neighbours)),
        float(np.log1p(len(said))),
        float(np.log1p(len(meant))),
        float(np.log1p(len(translation))),
        length,
        abs(length),
        _share(sum(map(len, said)), len(said)),
    )


def _nearest(text: str, given: Sequence[str]) -> str:
    return min(given, key=lambda each: (abs(len(each) - len(text)), each))


def _shared(what: re.Pattern[str], translation: str, other: str) -> tuple[float, float, float]:
    """The share that both texts have, how many are added, how many are lost."""
    found, wanted = Counter(what.findall(translation)), Counter(what.findall(other))
    if not found and not wanted:
        return 1.0, 0.0, 0.0
    both = (found & wanted).total()
    added, lost = found.total() - both, wanted.total() - both
    share = 2 * both / (found.total() + wanted.total())
    return share, float(min(added, MOST_NUMBERS)), float(min(lost, MOST_NUMBERS))


def _more(marks: str, translation: str, other: str) -> float:
    more = sum(map(translation.count, marks)) - sum(map(other.count, marks))
    return float(max(-MOST_MARKS, min(MOST_MARKS, more)))


def _capitals(words: Sequence[str]) -> float:
    return _share(sum(word[0].isupper() for word in words[1:]), len(words))


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


def _letters(texts: Sequence[str]) -> Floats:
    """The share of each script in the letters of each text."""
    counts = text_traits(texts).letters.astype(np.float64)
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0))

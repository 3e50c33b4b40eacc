"""Segments grouped by what their reference is like: where does one system do better than another?

Every way of grouping gives each segment one label. Groups are of references, or of sources where
there are none, so that they are the same for all systems. A way that puts all segments into one
group says nothing and is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from concordant.brief import Brief
from concordant.metrics.signs import signs_of
from concordant.stats.quantiles import whole_quantiles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.stats.arrays import Ints

# A word of letters and digits, or one other character; Chinese, Japanese and Thai letters alone.
TOKEN = re.compile(r"[぀-ヿ㐀-鿿豈-﫿฀-๿]|[^\W぀-ヿ㐀-鿿豈-﫿฀-๿]+|[^\w\s]")
LENGTHS, SHARES = 6, 4  # at most so many groups by length, and by share of rare words
SPEECH = re.compile('["“”„«»‹›「」]')
NAME = re.compile(r"(?<=[^\W_][ ])[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ]\w|(?<=[^\W_][,;] )[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ]\w")
NEGATIONS = {
    "bg": "не ни няма никога нищо никой без",
    "cs": "ne není nejsou nikdy nic nikdo žádný žádná žádné bez nebyl nebyla nebude nemá",
    "da": "ikke ingen intet aldrig uden hverken",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder",
    "en": "not no never nothing nobody none nor neither without cannot n't don doesn didn isn aren "
    "wasn weren won wouldn couldn shouldn hasn haven hadn can't",
    "es": "no nunca nada nadie ningún ninguna ninguno sin tampoco jamás ni",
    "fi": "ei en et emme ette eivät ilman koskaan",
    "fr": "ne n pas jamais rien personne aucun aucune sans ni plus",
    "it": "non mai nulla niente nessuno nessuna nessun senza né",
    "nb": "ikke ingen intet aldri uten verken",
    "nl": "niet geen nooit niets niemand zonder noch",
    "pl": "nie nigdy nic nikt żaden żadna żadne bez ani",
    "pt": "não nunca nada ninguém nenhum nenhuma sem nem jamais",
    "ro": "nu niciodată nimic nimeni niciun nicio fără nici",
    "ru": "не нет ни никогда ничего никто без нельзя",
    "sv": "inte ingen inget inga aldrig utan varken",
    "uk": "не немає ні ніколи нічого ніхто без",
}
NO, YES = 0, 1

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class SegmentGroups(Brief):
    """One way to group segments: what it asks, the labels, and each segment's number of a label."""

    name: str
    about: str
    labels: tuple[str, ...]
    of: Ints


def segment_groups(texts: Sequence[str], lengths: Ints) -> list[SegmentGroups]:
    """All ways of grouping that tell segments apart; `lengths` are in words.

    >>> texts = ["It rains in the morning.", "He did not pay 20 euros for the book."]
    >>> found = segment_groups(texts, np.array([5, 9]))
    >>> [(each.name, each.of.tolist()) for each in found][2:]
    [('Number', [0, 1]), ('Negation', [0, 1])]
    """
    words = [[token.lower() for token in TOKEN.findall(text)] for text in texts]
    negated = _negation(texts)
    ways = [
        _by_length(lengths),
        _by_rare_words(words),
        _with("Number", "a digit in the reference", texts, _has(re.compile(r"\d"))),
        _with("Name", "a capital within the sentence; in German any noun", texts, _has(NAME)),
        *([] if negated is None else [_with("Negation", "such as not or never", words, negated)]),
        _with("Question", "a question mark", texts, _has(re.compile("[?？؟]"))),
        _with("Quotation", "a quotation mark", texts, _has(SPEECH)),
        _with("Much punctuation", "four marks or more", words, _many_marks),
    ]
    return [each for each in ways if len(np.unique(each.of)) > 1]


def length_groups(lengths: Ints, most: int = LENGTHS) -> tuple[tuple[str, ...], Ints]:
    """Labels of about equally large groups by length, and the group of each segment.

    >>> length_groups(np.array([1, 2, 3, 9]), 2)
    (('1–3', '9'), array([0, 0, 0, 1]))
    """
    ends = np.unique(whole_quantiles(lengths, np.linspace(0, 1, most + 1)[1:].tolist()))
    group = np.searchsorted(ends, lengths)
    members = [lengths[group == k] for k in range(len(ends))]
    bounds = [(int(own.min()), int(own.max())) for own in members]
    return tuple(f"{low}–{high}" if low < high else str(low) for low, high in bounds), group


def _by_length(lengths: Ints) -> SegmentGroups:
    labels, of = length_groups(lengths)
    return SegmentGroups("Length", "words in the reference", labels, of)


def _by_rare_words(words: Sequence[Sequence[str]]) -> SegmentGroups:
    """By the share of words that no other segment of this test set has."""
    held = [{word for word in each if word[0].isalpha()} for each in words]
    seen = Counter(word for each in held for word in each)
    shares = np.array([
        round(100 * sum(seen[word] == 1 for word in each) / max(len(each), 1)) for each in held
    ])
    labels, of = length_groups(shares, SHARES)
    about = "share of the reference's words that no other segment has"
    return SegmentGroups("Rare words", about, tuple(f"{each} %" for each in labels), of)


def _with(name: str, about: str, texts: Sequence[T], found: Callable[[T], bool]) -> SegmentGroups:
    of = np.fromiter((YES if found(each) else NO for each in texts), np.int64, len(texts))
    return SegmentGroups(name, about, ("without", "with"), of)


def _has(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


def _many_marks(words: Sequence[str]) -> bool:
    return sum(not (word[0].isalnum() or word[0] == "_") for word in words) >= 4


def _negation(texts: Sequence[str]) -> Callable[[Sequence[str]], bool] | None:
    """Whether the words of a text have a negation, in the language of most texts; None: unknown."""
    known = NEGATIONS.get(signs_of([text] for text in texts).language)
    if known is None:
        return None
    negations = frozenset(known.split())
    return lambda words: not negations.isdisjoint(words)

"""METEOR 1.5's parameters: one row per language, as its ranking task was tuned (`-t rank`).

α weighs recall against precision, β and γ shape the penalty for fragments, δ weighs content words
against function words (Denkowski and Lavie 2014, table 2). Languages it was not tuned for share
its language-independent parameters; "other" stands for any language, with exact matches only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.errors import SpecError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

MODULES = ("exact", "stem", "synonym", "paraphrase")


@dataclass(frozen=True)
class Language:
    """A language's parameters, and the weight of each of its modules."""

    name: str
    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: Mapping[str, float]
    # How its tokenisation treats apostrophes; None: METEOR has no tokenisation of the language.
    apostrophes: str | None = None


def _untuned(name: str, *, stem: bool = True) -> Language:
    weights = {"exact": 1.0, "stem": 0.5} if stem else {"exact": 1.0}
    return Language(name, 0.75, 1.40, 0.70, 0.50, weights)


def _weights(exact: float, stem: float, paraphrase: float) -> dict[str, float]:
    return {"exact": exact, "stem": stem, "paraphrase": paraphrase}


ENGLISH = {"exact": 1.0, "stem": 0.6, "synonym": 0.8, "paraphrase": 0.6}
LANGUAGES = {
    "en": Language("english", 0.85, 0.20, 0.60, 0.75, ENGLISH, "english"),
    "cs": Language("czech", 0.95, 0.20, 0.60, 0.80, {"exact": 1.0, "paraphrase": 0.4}, "apart"),
    "fr": Language("french", 0.90, 1.40, 0.60, 0.65, _weights(1.0, 0.2, 0.4), "french"),
    "es": Language("spanish", 0.65, 1.30, 0.50, 0.80, _weights(1.0, 0.8, 0.6), "apart"),
    "de": Language("german", 0.95, 1.00, 0.55, 0.55, _weights(1.0, 0.8, 0.2), "apart"),
    "ru": Language("russian", 0.75, 1.40, 0.70, 0.50, _weights(1.0, 0.5, 0.5), "apart"),
    "pt": _untuned("portuguese"),
    "da": _untuned("danish"),
    "ro": _untuned("romanian"),
    "hu": _untuned("hungarian"),
    "tr": _untuned("turkish"),
    "fi": _untuned("finnish"),
    "nl": _untuned("dutch"),
    "it": _untuned("italian"),
    "no": _untuned("norwegian"),
    "sv": _untuned("swedish"),
    "other": _untuned("other", stem=False),
}


def language_of(code: str) -> Language:
    """The language of that code; an unknown code is an error that lists the known ones.

    >>> language_of("de").alpha
    0.95
    """
    if code not in LANGUAGES:
        hint = nearest(code, list(LANGUAGES)) or '; "other" stands for any language'
        raise SpecError(f'language "{code}" is not one of {", ".join(LANGUAGES)}{hint}')
    return LANGUAGES[code]

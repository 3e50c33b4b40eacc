"""What a metric is made for, and the warnings about its scores.

A metric gives a number for any text, also where that number means nothing: English word vectors on
Russian, words split at spaces in Chinese, a METEOR without its data. The warnings are sentences
that name the metric, what is wrong and what to use instead. Every output carries them: the tables,
the page, json, and `warnings` in Python. Nothing hides them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from concordant.languages import LANGUAGES
from concordant.metrics.flags.scripts import SCRIPTS
from concordant.metrics.flags.text_traits import seem_english, text_traits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

LOOKED_AT = 1000  # segments whose references are looked at, the first ones
# Scripts written without spaces → letters a word; on average more means that none separate words.
UNSPACED = {"Han": 3, "Kana": 3, "Thai": 8, "Lao": 8, "Khmer": 8, "Burmese": 8}
FEWEST_SEGMENTS = 10  # fewer may have equal scores by chance
ENGLISH = "en"


@dataclass(frozen=True)
class Scope:
    """The texts that a metric is made for, and what it lacks on this machine.

    `languages` are codes; none: any language. `elsewhere` is what to use for other languages,
    `unspaced` for texts without spaces between words ("": the metric needs no spaces). `lacks`
    gives a sentence about data that are not installed, "" if all are there.
    """

    languages: tuple[str, ...] = ()
    elsewhere: str = "fast-any or chrf"
    unspaced: str = ""
    lacks: Callable[[], str] = str

    @property
    def spoken(self) -> str:
        """The languages in words: names where they are known, else codes."""
        known = {code: name.title() for name, code in LANGUAGES.items()}
        return ", ".join(known.get(code, code) for code in self.languages)


@dataclass(frozen=True)
class Signs:
    """What texts show of their language: whether they may be English, whether words are spaced."""

    english: bool = True
    spaced: bool = True


def signs_of(references: Iterable[Sequence[str]]) -> Signs:
    """What the first references of a test set show, 1,000 segments of them.

    >>> signs_of([["我们今天去公园散步"]]), signs_of([["Das ist der Hund und die Katze."]])
    (Signs(english=False, spaced=False), Signs(english=False, spaced=True))
    """
    texts = [text for given in islice(references, LOOKED_AT) for text in given]
    if not texts:
        return Signs()
    found = text_traits(texts)
    letters = found.letters.sum(axis=0)
    here = {name: int(letters[SCRIPTS.index(name)]) for name in UNSPACED}
    fewest = sum(count / UNSPACED[name] for name, count in here.items())  # words, if separated
    unspaced = 2 * sum(here.values()) > int(letters.sum()) and fewest > int(found.words.sum())
    return Signs(seem_english(texts), not unspaced)


def scope_warnings(
    name: str, scope: Scope, seen: Signs, language: str | None = None, told: str = ""
) -> tuple[str, ...]:
    """The warnings about a metric's scores of these texts; usually none.

    `language` is the language of the texts where it is known, and `told` says from where (by
    default the user gave it); else the texts decide.

    >>> scope_warnings("base", Scope(("en",)), Signs(), "ru")[0].partition(":")[0]
    'base is made for English, but the language given is "ru"'
    """
    found = []
    if scope.languages:
        told = told or f'the language given is "{language}"'
        outside = language is not None and language not in scope.languages
        if language is None and ENGLISH in scope.languages and not seen.english:
            told, outside = "the references do not look English", len(scope.languages) == 1
        if outside:
            found.append(
                f"{name} is made for {scope.spoken}, but {told}: do not rely on its scores. "
                f"Use {scope.elsewhere}."
            )
    if scope.unspaced and not seen.spaced:
        found.append(
            f"{name} splits on spaces, and these references have no spaces between "
            f"words: do not rely on its scores. Use {scope.unspaced}."
        )
    lacking = scope.lacks()
    return (*found, *([lacking] if lacking else []))


def segment_warnings(
    name: str, segments: int, low: float, high: float, of: str = ""
) -> tuple[str, ...]:
    """A warning where a metric gives every segment the same score; `of` names the system.

    >>> segment_warnings("bleu", 50, 0.0, 0.0)[0].partition(":")[0]
    'bleu gives all 50 segments the same score (0)'
    """
    if segments < FEWEST_SEGMENTS or low != high:
        return ()
    whose = f" of {of}" if of else ""
    what = f"all {segments:,} segments{whose} the same score ({low:g})"
    return (f"{name} gives {what}: check the files, and whether {name} suits these texts.",)


def empty_warnings(empty: int, segments: int, of: str = "") -> tuple[str, ...]:
    """A warning where every translation is empty; `of` names the system.

    >>> empty_warnings(3, 3, "A")
    ('all 3 translations of A are empty.',)
    """
    if empty < segments or not segments:
        return ()
    return (f"all {segments:,} translations{f' of {of}' if of else ''} are empty.",)


def tie_warnings(name: str, scores: Sequence[float]) -> tuple[str, ...]:
    """A warning where a metric gives all systems the same score.

    >>> tie_warnings("bleu", [0.0, 0.0])
    ('bleu gives every system the same score (0): it cannot tell which is better.',)
    """
    if len(scores) < 2 or len(best_of(scores)) < len(scores):
        return ()
    same = f"every system the same score ({scores[0]:g})"
    return (f"{name} gives {same}: it cannot tell which is better.",)


def best_of(scores: Sequence[float]) -> list[int]:
    """Where the highest score stands: one place, or several that are equal up to rounding.

    >>> best_of([0.5, 0.7, 0.7 + 1e-15])
    [1, 2]
    """
    bar = max(scores)
    return [i for i, each in enumerate(scores) if bar - each <= 1e-9 * max(1.0, abs(bar))]

"""What a metric is made for, and the warnings about its scores.

A metric gives a number for any text, also where that number means nothing: English word vectors on
Russian, words split at spaces in Chinese, a METEOR without its data. The warnings are sentences
that name the metric, what is wrong and what to use instead. Every output carries them: the tables,
the page, json, and `warnings` in Python. Nothing hides them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.languages import spoken_name
from concordant.metrics.flags.languages_seen import close

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.metrics.signs import Signs

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
        return ", ".join(map(spoken_name, self.languages))

    def has(self, language: str) -> bool:
        """Whether it is made for a language, or for one that is hard to tell from it."""
        return not self.languages or any(close(language, code) for code in self.languages)


def scope_warnings(
    name: str, scope: Scope, seen: Signs, language: str | None = None, told: str = ""
) -> tuple[str, ...]:
    """The warnings about a metric's scores of these texts; usually none.

    `language` is the language of the texts where it is known, and `told` says from where (by
    default the user gave it); else the texts decide.

    >>> from concordant.metrics.signs import Signs
    >>> scope_warnings("base", Scope(("en",)), Signs("ru"))[0].partition(":")[0]
    'base is made for English, but the references look Russian'
    """
    found = []
    outside = _outside(scope, seen, language, told)
    if outside:
        found.append(
            f"{name} is made for {scope.spoken}, but {outside}: do not rely on its scores. "
            f"Use {scope.elsewhere}."
        )
    if scope.unspaced and not seen.spaced:
        found.append(
            f"{name} splits on spaces, and these {seen.what} have no spaces between "
            f"words: do not rely on its scores. Use {scope.unspaced}."
        )
    lacking = scope.lacks()
    return (*found, *([lacking] if lacking else []))


def _outside(scope: Scope, seen: Signs, language: str | None, told: str) -> str:
    """What says that the texts are in a language that a metric is not made for; "" if nothing."""
    if not scope.languages:
        return ""
    if language is not None:
        told = told or f'the language given is "{language}"'
        return "" if language in scope.languages else told
    if seen.language:
        known = f"the {seen.what} look {spoken_name(seen.language)}"
        return "" if scope.has(seen.language) else known
    other = scope.languages == (ENGLISH,) and not seen.english
    return f"the {seen.what} do not look English" if other else ""


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

"""What the references of a test set show: their language, lines in another one, spaces.

The language is that of most lines which show one clearly. Only the first 1,000 segments are looked
at: more say nothing new, and a file may be of any size.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from concordant.languages import spoken_name
from concordant.metrics.flags.languages_seen import clear_languages, close, language_of
from concordant.metrics.flags.scripts import SCRIPTS
from concordant.metrics.flags.text_traits import text_traits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from concordant.metrics.flags.text_traits import TextTraits

LOOKED_AT = 1000  # segments, the first ones
MIXED = 100  # one line in so many in another language is worth a warning
NAMED = 5  # lines that a warning names
# Scripts written without spaces → letters a word; on average more means that none separate words.
UNSPACED = {"Han": 3, "Kana": 3, "Thai": 8, "Lao": 8, "Khmer": 8, "Burmese": 8}
ENGLISH = "en"
FOREIGN = frozenset({"wrong-language", "wrong-script"})


@dataclass(frozen=True)
class Signs:
    """What references show.

    Their `language` ("" if it is not clear), whether they may be English, whether words are spaced,
    and the lines that are clearly in another language, with it, of the `lines` looked at. `what`
    they are: where there are no references, the translations show it.
    """

    language: str = ""
    english: bool = True
    spaced: bool = True
    others: tuple[tuple[int, str], ...] = ()
    lines: int = 0
    what: str = "references"


def signs_of(references: Iterable[Sequence[str]], what: str = "references") -> Signs:
    """What the first references of a test set show; or the translations, if `what` says so.

    >>> found = signs_of([["Das ist der Hund und die Katze."], ["Er kam zu spät."]])
    >>> found.language, found.spaced, signs_of([["我们今天去公园散步"]]).spaced
    ('de', True, False)
    """
    segments = [list(given) for given in islice(references, LOOKED_AT)]
    texts = [text for given in segments for text in given]
    if not texts:
        return Signs()
    line_of = [line for line, given in enumerate(segments, 1) for _ in given]
    clear = clear_languages(texts)
    most = Counter(filter(None, clear)).most_common(1)
    language = most[0][0] if most else language_of(texts)
    others = {  # a line once, though it has several references
        line: code
        for line, code in zip(line_of, clear, strict=True)
        if code and not close(code, language)
    }
    traits = text_traits(texts)
    english = language in {"", ENGLISH} and _mostly_latin(traits)
    spaced = _spaced(traits)
    return Signs(language, english, spaced, tuple(others.items()), len(segments), what)


def signs_of_batch(references: Sequence[Sequence[str]], translations: Sequence[str]) -> Signs:
    """What references show; where there are none, translations."""
    if any(references):
        return signs_of(references)
    return signs_of(([text] for text in translations), "translations")


def _mostly_latin(found: TextTraits) -> bool:
    letters = found.letters.sum(axis=0)
    return 2 * int(letters[SCRIPTS.index("Latin")]) >= int(letters.sum())


def _spaced(found: TextTraits) -> bool:
    """Whether spaces separate words."""
    letters = found.letters.sum(axis=0)
    here = {name: int(letters[SCRIPTS.index(name)]) for name in UNSPACED}
    fewest = sum(count / UNSPACED[name] for name, count in here.items())  # words, if separated
    unspaced = 2 * sum(here.values()) > int(letters.sum()) and fewest > int(found.words.sum())
    return not unspaced


def language_warnings(seen: Signs, language: str | None = None) -> tuple[str, ...]:
    """Warnings where references are not in the language that was given, or not all in one.

    >>> language_warnings(Signs("de"), "fr")
    ('the language given is "fr", but the references look German.',)
    >>> language_warnings(Signs("de", others=((7, "ru"),), lines=60))
    ('1 of 60 segments has a reference that does not look German: line 7 (Russian).',)
    """
    if language is not None and seen.language and not close(seen.language, language):
        look = spoken_name(seen.language)
        return (f'the language given is "{language}", but the {seen.what} look {look}.',)
    if not seen.others or MIXED * len(seen.others) < seen.lines:
        return ()
    one = len(seen.others) == 1
    count = f"{len(seen.others):,} of {seen.lines:,} segments"
    kind = seen.what.removesuffix("s")
    words = f"has a {kind} that does" if one else f"have {seen.what} that do"
    look = spoken_name(seen.language)
    named = [f"{line} ({spoken_name(code)})" for line, code in seen.others]
    return (f"{count} {words} not look {look}: {listed_lines(named)}.",)


def foreign_lines(flags: Sequence[Sequence[str]], lines: Iterable[int] | None = None) -> list[int]:
    """The lines whose translation is in another language or script, by their flags.

    >>> foreign_lines([(), ("wrong-script", "too-short"), ("too-long",)])
    [2]
    """
    numbers = range(1, len(flags) + 1) if lines is None else lines
    return [line for line, names in zip(numbers, flags, strict=True) if FOREIGN.intersection(names)]


def foreign_warnings(
    lines: Sequence[int], foreign: int, segments: int, of: str = ""
) -> tuple[str, ...]:
    """A warning where translations are in another language or script; `lines` are the first ones.

    >>> foreign_warnings([3, 9], 2, 60, "alder")
    ('2 of 60 translations of alder are in another language or script: lines 3, 9.',)
    """
    if not foreign or MIXED * foreign < segments:
        return ()
    verb = "is" if foreign == 1 else "are"
    shown = listed_lines([f"{line:,}" for line in lines], foreign)
    whose = f" of {of}" if of else ""
    what = f"{foreign:,} of {segments:,} translations{whose} {verb} in another language or script"
    return (f"{what}: {shown}.",)


def listed_lines(lines: Sequence[str], count: int | None = None) -> str:
    """The first lines by number, and how many more there are.

    >>> listed_lines(["7"]), listed_lines(["1", "2", "3", "4", "5"], 12)
    ('line 7', 'lines 1, 2, 3, 4, 5 and 7 more')
    """
    count = len(lines) if count is None else count
    more = count - len(lines[:NAMED])
    shown = ", ".join(lines[:NAMED])
    return f"line{'' if count == 1 else 's'} {shown}{f' and {more:,} more' if more else ''}"

"""Names of languages, test sets and systems as WMT writes them, brought to one spelling.

WMT prefixes and suffixes system names with the test set and the language pair, differently every
year; a judgement and an output belong together once both are taken off.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

LANGUAGES = {
    "arabic": "ar", "chinese": "zh", "croatian": "hr", "czech": "cs", "danish": "da",
    "dutch": "nl", "english": "en", "estonian": "et", "finnish": "fi", "french": "fr",
    "german": "de", "greek": "el", "gujarati": "gu", "haitian": "ht", "hausa": "ha",
    "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is", "inuktitut": "iu",
    "italian": "it", "japanese": "ja", "kazakh": "kk", "khmer": "km", "korean": "ko",
    "latvian": "lv", "lithuanian": "lt", "norwegian": "no", "pashto": "ps", "polish": "pl",
    "portuguese": "pt", "romanian": "ro", "russian": "ru", "spanish": "es", "swedish": "sv",
    "tamil": "ta", "turkish": "tr", "ukrainian": "uk", "vietnamese": "vi",
}  # fmt: skip

_CODE = r"[a-z]{2,3}"
_PAIR = re.compile(rf"(?<![A-Za-z])({_CODE})[-_]({_CODE})(?![A-Za-z])")
_JOINED_PAIR = re.compile(r"(?<![A-Za-z])([a-z]{2})([a-z]{2})(?![A-Za-z])")
_TESTSET = r"news(?:test|dev|discusstest)[A-Z]?\d{4}(?:[A-Z])?"
_SYSTEM = re.compile(
    rf"^(?:(?P<testset>{_TESTSET})\.)?(?:(?P<before>{_CODE}-{_CODE})\.)?"
    rf"(?P<system>.+?)(?:\.(?P<after>{_CODE}-{_CODE}))?$"
)
_YEAR = re.compile(r"wmt(?:20)?(\d\d)(?!\d)", re.IGNORECASE)


class SystemName(NamedTuple):
    """A system's own name, and the test set and language pair that were written around it."""

    testset: str
    pair: str
    system: str


def split_system(raw: str) -> SystemName:
    """The parts of a system's name in any of WMT's spellings; "" for what it does not say.

    >>> split_system("newstest2013.de-en.uedin-wmt13.2636")
    SystemName(testset='newstest2013', pair='de-en', system='uedin-wmt13.2636')
    >>> split_system("newstest2015.KIT.4017.de-en").system
    'KIT.4017'
    >>> split_system("onlineB")
    SystemName(testset='', pair='', system='onlineB')
    """
    match = _SYSTEM.match(raw.strip())
    if match is None:
        return SystemName("", "", raw.strip())
    pair = match["before"] or match["after"] or ""
    return SystemName(match["testset"] or "", pair, match["system"])


def language(raw: str) -> str | None:
    """The code of a language given by English name or by code; None if it is neither.

    >>> language("Czech"), language("cs"), language("cz!")
    ('cs', 'cs', None)
    """
    name = raw.strip().lower()
    if name in LANGUAGES:
        return LANGUAGES[name]
    return name if re.fullmatch(_CODE, name) else None


def pair_in(text: str) -> str | None:
    """The language pair that a file name or a tag contains, or None.

    >>> pair_in("DAseg.newstest2016.human.cs-en"), pair_in("mqm_newstest2020_ende.tsv"), pair_in("x")
    ('cs-en', 'en-de', None)
    """
    match = _PAIR.search(text)
    if match is None:
        known = set(LANGUAGES.values())
        joined = [m for m in _JOINED_PAIR.finditer(text) if {m[1], m[2]} <= known]
        match = joined[0] if joined else None
    return None if match is None else f"{match[1]}-{match[2]}"


def testset_in(text: str) -> str:
    """The test set that a file name names, spelled out or by WMT's year; "" if it does not.

    >>> testset_in("DAseg.newstest2016.human.cs-en"), testset_in("wmt12.RNK_results.csv")
    ('newstest2016', 'newstest2012')
    """
    match = re.search(_TESTSET, text)
    if match is not None:
        return match[0]
    year = _YEAR.search(text)
    return f"newstest20{year[1]}" if year is not None else ""


def testset_of(path: str | Path) -> str:
    """The test set that a file's name, or failing that one of the folders above it, names."""
    parts = Path(path).absolute().parts
    return next((name for part in reversed(parts) if (name := testset_in(part))), "")

"""Names of languages, test sets and systems as WMT writes them, brought to one spelling.

WMT prefixes and suffixes system names with the test set and the language pair, differently every
year; a judgement and an output belong together once both are taken off.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

LANGUAGES = {
    "arabic": "ar", "bengali": "bn", "chinese": "zh", "croatian": "hr", "czech": "cs",
    "danish": "da", "dutch": "nl", "english": "en", "estonian": "et", "finnish": "fi",
    "french": "fr", "german": "de", "greek": "el", "gujarati": "gu", "haitian": "ht",
    "hausa": "ha", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is",
    "inuktitut": "iu", "italian": "it", "japanese": "ja", "kazakh": "kk", "khmer": "km",
    "korean": "ko", "latvian": "lv", "lithuanian": "lt", "livonian": "liv",
    "lower sorbian": "dsb", "norwegian": "no", "pashto": "ps", "polish": "pl",
    "portuguese": "pt", "romanian": "ro", "russian": "ru", "serbian": "sr", "spanish": "es",
    "swedish": "sv", "tamil": "ta", "turkish": "tr", "ukrainian": "uk", "upper sorbian": "hsb",
    "vietnamese": "vi", "xhosa": "xh", "yakut": "sah", "zulu": "zu",
}  # fmt: skip

_CODE = r"[a-z]{2,3}"
# In a lookahead, so that matches may overlap: `ad-cs-en` holds ad-cs and cs-en.
_PAIR = re.compile(rf"(?<![A-Za-z])(?=({_CODE})([-_])({_CODE})(?![A-Za-z]))")
_JOINED_PAIR = re.compile(r"(?<![A-Za-z])([a-z]{2})([a-z]{2})(?![A-Za-z])")
_JOINED_WITHOUT_ENGLISH = {"csuk", "decs", "defr", "frde"}
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

    Names are full of short words, so codes count only if both are in `LANGUAGES`, or if a hyphen
    sets an unknown one apart from English; written together (`ende`) they count beside English and
    in the few other pairs that WMT writes so, or `data` would be Danish to Tamil.

    >>> (
    ...     pair_in("DAseg.newstest2016.human.cs-en"),
    ...     pair_in("mqm_newstest2020_ende.tsv"),
    ...     pair_in("x"),
    ... )
    ('cs-en', 'en-de', None)
    >>> pair_in("mqm_ted_zhen.avg_seg_scores.tsv"), pair_in("ad-seg-scores-sw-en.csv")
    ('zh-en', 'sw-en')
    """
    known = set(LANGUAGES.values())
    apart = [(m[1], m[3], m[2]) for m in _PAIR.finditer(text)]
    joined = [(m[1], m[2]) for m in _JOINED_PAIR.finditer(text)]
    pairs = [
        *((a, b) for a, b, _ in apart if {a, b} <= known),
        *((a, b) for a, b in joined if {a, b} <= known and "en" in {a, b}),
        *((a, b) for a, b in joined if a + b in _JOINED_WITHOUT_ENGLISH),
        *((a, b) for a, b, mark in apart if mark == "-" and "en" in {a, b}),
    ]
    return "-".join(pairs[0]) if pairs else None


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

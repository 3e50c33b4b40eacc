"""Names of languages, test sets and systems as WMT writes them, normalised.

WMT prefixes and suffixes system names with the test set and the language pair, differently every
year; judgements and translations match once both are removed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from concordant.languages import CODES, LANGUAGES

_CODE = r"[a-z]{2,3}"
# In a lookahead, so that matches may overlap: `ad-cs-en` holds ad-cs and cs-en.
_PAIR = re.compile(rf"(?<![A-Za-z])(?=({_CODE})([-_])({_CODE})(?![A-Za-z]))")
_JOINED_PAIR = re.compile(r"(?<![A-Za-z])([a-z]{2})([a-z]{2})(?![A-Za-z])")
_JOINED_WITHOUT_ENGLISH = {"csuk", "decs", "defr", "frde"}
_TESTSET = r"news(?:test|dev|discusstest)[A-Z]?\d{4}(?:[A-Z])?"
_TAG = rf"{_CODE}(?:_[A-Za-z]{{2,4}}|-br|-tw|-[A-Z]{{2}})?"  # a language with its region or script
_SYSTEM = re.compile(
    rf"^(?:(?P<testset>{_TESTSET})\.)?(?:(?P<before>{_TAG}-{_TAG})\.)?"
    rf"(?P<system>.+?)(?:\.(?P<after>{_TAG}-{_TAG}))?$"
)
_YEAR = re.compile(r"wmt(?:20)?(\d\d)(?!\d)", re.IGNORECASE)


class SystemName(NamedTuple):
    """A system's own name, and the test set and language pair that were written around it.

    `whole` is the name as it was written. `certain` tells that the pair cannot be a part of the
    name: it stands beside a test set, or behind the name, as WMT writes it.
    """

    testset: str
    pair: str
    system: str
    whole: str
    certain: bool

    def within(self, pair: str) -> str:
        """The system's name in a row, file or folder of this language pair.

        What only looks like another pair is a part of the name; a pair that is certain, but
        another one, is an error.

        >>> split_system("to-en.v2").within("zh-en"), split_system("zh-en.v2").within("zh-en")
        ('to-en.v2', 'v2')
        """
        if not pair or self.pair in {"", pair}:
            return self.system
        if self.certain:
            raise ValueError(f"system {self.system} is of {self.pair}, the row of {pair}")
        return self.whole


def split_system(raw: str) -> SystemName:
    """The parts of a system's name in any of WMT's spellings; "" for what it does not say.

    >>> split_system("newstest2013.de-en.uedin-wmt13.2636")[:3]
    ('newstest2013', 'de-en', 'uedin-wmt13.2636')
    >>> split_system("newstest2015.KIT.4017.de-en").system
    'KIT.4017'
    >>> split_system("jhu-nmt.5151")[:3]
    ('', '', 'jhu-nmt.5151')
    """
    whole = raw.strip()
    match = _SYSTEM.match(whole)
    if match is None:
        return SystemName("", "", whole, whole, certain=False)
    before, name, after = match["before"] or "", match["system"], match["after"] or ""
    if before and not _is_pair(before):
        before, name = "", f"{before}.{name}"
    if after and not _is_pair(after):
        after, name = "", f"{name}.{after}"
    testset, pair = match["testset"] or "", before or after
    return SystemName(testset, pair, name, whole, certain=bool(pair and (testset or not before)))


def system_in(raw: str, pair: str) -> str:
    """A system's own name, where files of texts of this language pair are named for systems.

    >>> system_in("newstest2014.A.cs-en", "de-en"), system_in("to-en.v2", "de-en")
    ('A', 'to-en.v2')
    """
    name = split_system(raw)
    return name.system if name.certain else name.within(pair)


def _is_pair(text: str) -> bool:
    """Whether both codes of a pair are known, whatever their regions."""
    return {re.split("[-_]", tag)[0] for tag in _tags_of(text)} <= CODES


def _tags_of(pair: str) -> tuple[str, str]:
    """The two languages of a pair, each with its region: `en` and `pt-br` of `en-pt-br`."""
    match = re.fullmatch(rf"({_TAG})-({_TAG})", pair)
    return (match[1], match[2]) if match else (pair, pair)


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

    Names are full of short words, so both codes must be in `LANGUAGES`, or be known otherwise and
    stand beside English with a hyphen; written together (`ende`) they count beside English and in
    the few other pairs that WMT writes so, or `data` would be Danish to Tamil.

    >>> (
    ...     pair_in("DAseg.newstest2016.human.cs-en"),
    ...     pair_in("mqm_newstest2020_ende.tsv"),
    ...     pair_in("x"),
    ... )
    ('cs-en', 'en-de', None)
    >>> pair_in("mqm_ted_zhen.avg_seg_scores.tsv"), pair_in("pre-en.csv")
    ('zh-en', None)
    """
    known = set(LANGUAGES.values())
    apart = [(m[1], m[3], m[2]) for m in _PAIR.finditer(text)]
    joined = [(m[1], m[2]) for m in _JOINED_PAIR.finditer(text)]
    pairs = [
        *((a, b) for a, b, _ in apart if {a, b} <= known),
        *((a, b) for a, b in joined if {a, b} <= known and "en" in {a, b}),
        *((a, b) for a, b in joined if a + b in _JOINED_WITHOUT_ENGLISH),
        *((a, b) for a, b, mark in apart if mark == "-" and "en" in {a, b} <= CODES),
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

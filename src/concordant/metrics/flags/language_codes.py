"""Language codes as users write them → the one code used internally.

A pair such as `de-en` means its second language. Subtags that follow a language are not a
language: the region of `en-US` and `pt-br`, the script of `eng_Latn`.
"""

from __future__ import annotations

import re

from concordant.errors import SpecError
from concordant.languages import OTHER_CODES, REGIONS, TWO_LETTERS


def target_language(written: str) -> str:
    """The code of the language that translations are in, from a language or a pair.

    >>> [target_language(each) for each in ("de-en", "en-US", "pt_br", "eng_Latn", "zh-Hant-TW")]
    ['en', 'en', 'pt', 'en', 'zh']
    """
    found: list[str] = []
    parts = re.split(r"[-_]", written.strip())
    for part in parts:
        if not (found and _belongs_to(found[-1], part, parts[0])):
            found.append(part.lower())
    if not all(re.fullmatch(r"[a-z]{2,3}", code) for code in found):
        raise SpecError(f'language "{written}" is not a code such as en, de-en or pt-BR')
    return OTHER_CODES.get(found[-1], found[-1])


def _belongs_to(language: str, part: str, first: str) -> bool:
    """Whether a part of a tag says more of the language before it, and is none itself."""
    region = part.isupper() and not first.isupper()
    unknown = len(part) == 2 and part.lower() not in TWO_LETTERS and part.lower() not in OTHER_CODES
    known = f"{language}-{part.lower()}" in REGIONS
    return region or unknown or known or bool(re.fullmatch(r"[A-Za-z]{4}|[0-9]{3}", part))

"""What people write for a language, as the one code that the rest knows.

A pair such as `de-en` speaks of its second language. What follows a language in its own tag is no
language: the region of `en-US` and `pt-br`, the script of `eng_Latn`.
"""

from __future__ import annotations

import re

from concordant.errors import SpecError

# Two letters each (ISO 639-1), to tell the pair `en-fr` from the region of `en-us`.
TWO_LETTERS = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy "
    "da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu "
    "hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb "
    "lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om "
    "or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw "
    "ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split()
)
REGIONS = ("pt-br", "zh-tw")  # in lower case too, though Breton and Twi are languages
# Other codes of the languages that a measure or a flag knows.
OTHER_CODES = {
    other: code
    for code, others in {
        "bg": "bul", "ca": "cat", "cs": "ces cze cz", "da": "dan", "de": "deu ger", "en": "eng",
        "es": "spa", "et": "est ekk", "fi": "fin", "fr": "fra fre", "hr": "hrv", "hu": "hun",
        "id": "ind", "is": "isl ice", "it": "ita", "ja": "jpn jp", "km": "khm", "lo": "lao",
        "lt": "lit", "lv": "lav lvs", "my": "mya bur", "nb": "nob", "nl": "nld dut", "no": "nor",
        "pl": "pol", "pt": "por", "ro": "ron rum", "ru": "rus", "sk": "slk slo", "sl": "slv",
        "sq": "sqi alb als", "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr",
        "vi": "vie", "zh": "zho chi cmn cn",
    }.items()
    for other in others.split()
}  # fmt: skip


def target_language(written: str) -> str:
    """The code of the language that outputs are in, from a language or a pair.

    >>> [target_language(each) for each in ("de-en", "en-US", "pt_br", "eng_Latn", "zh-Hant-TW")]
    ['en', 'en', 'pt', 'en', 'zh']
    """
    found: list[str] = []
    parts = re.split(r"[-_]", written.strip())
    for part in parts:
        if not (found and _belongs_to(found[-1], part, parts[0])):
            found.append(part.lower())
    if not all(re.fullmatch(r"[a-z]{2,3}", code) for code in found):
        raise SpecError(f'language "{written}" is no code such as en, de-en or pt-BR')
    return OTHER_CODES.get(found[-1], found[-1])


def _belongs_to(language: str, part: str, first: str) -> bool:
    """Whether a part of a tag says more of the language before it, and is none itself."""
    region = part.isupper() and not first.isupper()
    unknown = len(part) == 2 and part.lower() not in TWO_LETTERS and part.lower() not in OTHER_CODES
    known = f"{language}-{part.lower()}" in REGIONS
    return region or unknown or known or bool(re.fullmatch(r"[A-Za-z]{4}|[0-9]{3}", part))

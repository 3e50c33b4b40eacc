"""Names of metrics as people type them: `BLEU`, `chrF2++`, `bleu,chrf`.

Capitals don't matter, and the names that sacrebleu prints are understood. A file or folder of that
very name comes first, so that a user's metric can have any name.
"""

from __future__ import annotations

import re
from pathlib import Path

from concordant.features.registry import KINDS
from concordant.metrics.bundle import place_of, shipped
from concordant.metrics.lexical.measures import MEASURES

# What others call our measures → the name here, and the option that goes with it.
OTHER_NAMES = {
    "sacrebleu": ("bleu", ""),
    "chrf1": ("chrf", "beta=1"),
    "chrf2": ("chrf", ""),
    "chrf3": ("chrf", "beta=3"),
    "chrf1++": ("chrf++", "beta=1"),
    "chrf2++": ("chrf++", ""),
    "chrf3++": ("chrf++", "beta=3"),
    "chrfpp": ("chrf++", ""),
    "rougel": ("rouge-l", ""),
    "rouges": ("rouge-s", ""),
}
_OUTSIDE_BRACKETS = re.compile(r",(?![^()]*\))")


def written_name(name: str) -> str:
    """The name that a typed one stands for; one that stands for nothing stays as it is.

    >>> [written_name(each) for each in ("BLEU(tok=intl)", "chrF2++", "chrF3(nc=4)", "absent")]
    ['bleu(tok=intl)', 'chrf++', 'chrf(beta=3,nc=4)', 'absent']
    """
    if place_of(name) is not None:
        return name
    typed, bracket, inside = name.partition("(")
    small = typed.strip().lower()
    if small in OTHER_NAMES:
        small, option = OTHER_NAMES[small]
        if not bracket:
            return f"{small}({option})" if option else small
        return f"{small}({option}{',' if option and inside.strip(' )') else ''}{inside}"
    return small + bracket + inside if small in {*MEASURES, *KINDS, *shipped()} else name


def split_names(text: str) -> list[str]:
    """The names in a list separated by commas outside brackets; a file's name is never split.

    >>> split_names("BLEU,chrf(nc=4,beta=1), ter")
    ['BLEU', 'chrf(nc=4,beta=1)', 'ter']
    """
    if "," not in text or place_of(text) is not None or Path(text).exists():
        return [text]
    return [each.strip() for each in _OUTSIDE_BRACKETS.split(text) if each.strip()] or [text]

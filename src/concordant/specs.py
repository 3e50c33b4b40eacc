"""One spelling for everything that has a name and options: it prints and it parses.

`bleu`, `bleu(tok=intl,case=lc)`, `ngrams(chars,1-5)`: a name, then arguments by place, then options
by name. The same spelling stands on the command line, in recipes, bundles, columns and signatures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from concordant.errors import SpecError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# What scores where nobody says with what; here, so that a command's help needs no slow import.
DEFAULT_METRIC = "fast"

_SPEC = re.compile(r"\s*(?P<name>[A-Za-z0-9_+.-]+)\s*(?:\((?P<inside>[^()]*)\))?\s*")


@dataclass(frozen=True)
class Spec:
    """A name with arguments and options, all as text."""

    name: str
    arguments: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        inside = [*self.arguments, *(f"{key}={value}" for key, value in self.options.items())]
        return f"{self.name}({','.join(inside)})" if inside else self.name


def parse_spec(text: str) -> Spec:
    """The spec that a text spells.

    >>> parse_spec("ngrams(chars, 1-5)")
    Spec(name='ngrams', arguments=('chars', '1-5'), options={})
    >>> str(parse_spec("bleu( tok=intl )"))
    'bleu(tok=intl)'
    """
    match = _SPEC.fullmatch(text)
    if match is None:
        raise SpecError(f'"{text}" is not NAME or NAME(argument,…,option=value,…)')
    arguments: list[str] = []
    options: dict[str, str] = {}
    for part in (match["inside"] or "").split(","):
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if sign and key and value and key not in options:
            options[key] = value
        elif key and not sign and not options:
            arguments.append(key)
        elif part.strip() or "," in (match["inside"] or ""):
            raise SpecError(f'"{part.strip()}" in "{text}" is neither an argument nor option=value')
    return Spec(match["name"], tuple(arguments), options)


def parse_specs(text: str) -> list[Spec]:
    """The specs in a list parted by commas or blanks outside brackets.

    >>> [str(spec) for spec in parse_specs("bleu, ngrams(chars,1-5) ter")]
    ['bleu', 'ngrams(chars,1-5)', 'ter']
    """
    parts = re.findall(r"[^\s,()]+(?:\([^()]*\))?", text)
    return [parse_spec(part) for part in parts]


def choose(spec: Spec, allowed: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Every allowed option with its value, the first allowed one where the spec says nothing.

    >>> choose(parse_spec("bleu(tok=intl)"), {"tok": ["13a", "intl"], "case": ["mixed", "lc"]})
    {'tok': 'intl', 'case': 'mixed'}
    """
    for key, value in spec.options.items():
        if key not in allowed:
            known = ", ".join(allowed) or "none"
            raise SpecError(
                f'{spec.name} has no option "{key}"; it has {known}{nearest(key, list(allowed))}'
            )
        if value not in allowed[key]:
            raise SpecError(
                f"{spec.name}: {key}={value} is not one of {', '.join(allowed[key])}"
                f"{nearest(value, list(allowed[key]))}"
            )
    return {key: spec.options.get(key, values[0]) for key, values in allowed.items()}

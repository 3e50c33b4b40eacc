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

# The default metric for English, and the one whose scores --explain takes apart instead, since
# those of the default cannot be; here, so that a command's help needs no slow import.
DEFAULT_METRIC, EXPLAINED_METRIC = "base", "fast"

LONGEST = 4_000  # characters of a spec; a path may be one of its arguments
MOST = 1_000  # specs of a list
SHOWN = 200  # characters in a message
# For a text without white space at its ends. No two neighbouring parts of a pattern match the same
# characters, so that matching takes time in the length of the text, not in its square.
_SPEC = re.compile(r"(?P<name>[A-Za-z0-9_+.-]+)\s*(?:\((?P<inside>[^()]*)\))?")
_IN_LIST = re.compile(r"[^\s,()]+(?:\([^()]*\))?|[()]|[\s,]+")


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
    if len(text) > LONGEST:
        raise SpecError(
            f'"{_cut(text)}" has {len(text):,} characters; a name with its options has at most '
            f"{LONGEST:,}"
        )
    match = _SPEC.fullmatch(text.strip())
    if match is None:
        raise SpecError(f'"{_cut(text)}" is not NAME or NAME(argument,…,option=value,…)')
    arguments: list[str] = []
    options: dict[str, str] = {}
    for part in (match["inside"] or "").split(","):
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if sign and key and value and key not in options:
            options[key] = value
        elif key and not sign and not options:
            arguments.append(key)
        elif part.strip() or "," in (match["inside"] or ""):
            raise SpecError(
                f'"{_cut(part.strip())}" in "{_cut(text)}" is neither an argument nor option=value'
            )
    return Spec(match["name"], tuple(arguments), options)


def parse_specs(text: str) -> list[Spec]:
    """The specs in a list separated by commas or white space outside brackets.

    >>> [str(spec) for spec in parse_specs("bleu, ngrams(chars,1-5) ter")]
    ['bleu', 'ngrams(chars,1-5)', 'ter']
    """
    specs: list[Spec] = []
    for part in _IN_LIST.finditer(text):
        if part[0].replace(",", " ").isspace():
            continue
        if part[0] in "()":
            raise SpecError(
                f'"{_cut(text)}": the bracket "{part[0]}" at character {part.start() + 1} '
                "belongs to no NAME(argument,…)"
            )
        if len(specs) == MOST:
            raise SpecError(f'"{_cut(text)}" lists more than the {MOST:,} names that are allowed')
        specs.append(parse_spec(part[0]))
    return specs


def choose(spec: Spec, allowed: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Every option with its value; by default the first allowed one.

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


def _cut(text: str) -> str:
    """A text for an error message, cut short."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"

"""Words to WordNet synsets as METEOR 1.5 finds them: by the word and by its base forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# WordNet's rules of detachment, in METEOR's order, by the letter that the ending ends in.
_ENDINGS = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
    ("men", "man"), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
    ("ing", "e"), ("ing", ""), ("er", ""), ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip
_ENDINGS_BY_LETTER = {
    letter: tuple(pair for pair in _ENDINGS if pair[0].endswith(letter)) for letter in "sndgrt"
}


@dataclass(frozen=True)
class Synonyms:
    """Synsets of words (numbers separated by spaces), and base forms of irregular words."""

    synsets: Mapping[str, str]
    bases: Mapping[str, Sequence[str]]

    def of(self, word: str) -> list[int]:
        """The synsets of a word and of its base forms; one may be there twice.

        >>> Synonyms({"sit": "1 2", "sat": "3"}, {"sat": ["sit"]}).of("sat")
        [3, 1, 2]
        """
        forms = self.bases.get(word)
        if forms is None:
            forms = (self._base(word),)
        found = [self.synsets.get(form, "") for form in (word, *forms)]
        return [int(number) for number in " ".join(found).split()]

    def _base(self, word: str) -> str:
        """The first form without an inflectional ending that has synsets, or nothing."""
        if len(word) <= 2 or word.endswith("ss"):
            return word
        for ending, instead in _ENDINGS_BY_LETTER.get(word[-1], ()):
            if word.endswith(ending):
                form = word[: -len(ending)] + instead
                if form in self.synsets:
                    return form
        return ""


def parse_synonyms(synsets: str, exceptions: str) -> Synonyms:
    r"""From METEOR's two files: lines in pairs (word, synsets), and (base form, inflected forms).

    >>> parse_synonyms("go\n7 8\n", "go\ngone went\n").of("went")
    [7, 8]
    """
    lines, irregular = synsets.split("\n"), exceptions.split("\n")
    bases: dict[str, list[str]] = {}
    for base, forms in zip(irregular[::2], irregular[1::2], strict=False):
        for form in forms.split():
            bases.setdefault(form, []).append(base)
    return Synonyms(dict(zip(lines[::2], lines[1::2], strict=False)), bases)

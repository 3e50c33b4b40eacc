"""Translations made worse on purpose: what a metric must see, and people rarely write.

Each rule changes one thing of a text, or says that it cannot. `level` says how much worse: 1 is one
wrong word, 2 a part of the sentence, 3 the whole of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    Rng = np.random.Generator
    Rule = Callable[[str, str, Rng], str | None]

_NOT = re.compile(r"\b(not|never|no)\b |(n't|n’t)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(is|are|was|were|will|would|can|could|should|has|have|had|must|may|might)\b")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[a-z,] )([A-Z][a-z]{2,})")
_ROLES = re.compile(r"\b(by|from|to|against|for|with|over|than|of|and|in)\b")
OPPOSITES = dict(
    pair
    for one, other in (
        ("more", "less"), ("before", "after"), ("rise", "fall"), ("increase", "decrease"),
        ("increased", "decreased"), ("high", "low"), ("higher", "lower"), ("good", "bad"),
        ("first", "last"), ("first", "second"), ("new", "old"), ("large", "small"), ("all", "none"),
        ("always", "never"), ("with", "without"), ("won", "lost"), ("win", "lose"), ("up", "down"),
        ("he", "she"), ("his", "her"), ("early", "late"), ("many", "few"), ("best", "worst"),
        ("better", "worse"), ("yesterday", "tomorrow"), ("north", "south"), ("east", "west"),
        ("men", "women"), ("man", "woman"), ("over", "under"), ("support", "oppose"),
        ("million", "billion"), ("open", "closed"), ("success", "failure"), ("strong", "weak"),
    )
    for pair in ((one, other), (other, one))
)  # fmt: skip


def damages(text: str, reference: str, rng: Rng) -> list[tuple[str, str, int]]:
    """A few damaged texts: (rule, text, level). A third damages the reference itself.

    A changed word of the reference is still wrong, however much of the rest is right.
    """
    found: list[tuple[str, str, int]] = []
    names = list(RULES)
    for i in rng.permutation(len(names)).tolist():
        rule, level = RULES[names[i]]
        start = reference if names[i] in LIGHT and rng.random() < 0.5 else text
        made = rule(start, reference, rng)
        if made is not None and made not in (text, reference):
            found.append((names[i], made, level))
        if len(found) == 3:
            break
    return found


def negate(text: str, _: str, rng: Rng) -> str | None:
    """The text with a negation taken out or put in."""
    if _NOT.search(text):
        return _NOT.sub("", text, count=1)
    verbs = list(_VERB.finditer(text))
    if not verbs:
        return None
    end = verbs[int(rng.integers(len(verbs)))].end()
    return f"{text[:end]} not{text[end:]}"


def change_number(text: str, _: str, rng: Rng) -> str | None:
    """The text with another number."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    chosen = found[int(rng.integers(len(found)))]
    digits = list(chosen.group())
    at = int(rng.integers(len(digits)))
    digits[at] = str((int(digits[at]) + int(rng.integers(1, 9))) % 10)
    return text[: chosen.start()] + "".join(digits) + text[chosen.end() :]


NAMES = ("Peter", "Maria", "Berlin", "London", "Chen", "Smith", "Paris", "Obama", "Tokyo", "Russia",
         "China", "Germany", "Anna", "Wang", "Chicago", "Brown", "Moscow", "Turkey", "Miller",
         "Madrid", "India", "Novak", "France", "Kim", "Thomas", "Vienna", "Sweden",
         "Monday")  # fmt: skip


def change_name(text: str, _: str, rng: Rng) -> str | None:
    """The text with another name."""
    found = list(_NAME.finditer(text))
    if not found:
        return None
    chosen = found[int(rng.integers(len(found)))]
    others = [each for each in NAMES if each != chosen.group()]
    return text[: chosen.start()] + others[int(rng.integers(len(others)))] + text[chosen.end() :]


def swap_roles(text: str, _: str, rng: Rng) -> str | None:
    """The text with the words around a preposition, or two names, in each other's place."""
    names = list(_NAME.finditer(text))
    if len(names) > 1 and rng.random() < 0.5:
        first, second = names[0], names[-1]
        if first.group() != second.group():
            between = text[first.end() : second.start()]
            return (
                text[: first.start()]
                + second.group()
                + between
                + first.group()
                + text[second.end() :]
            )
    words = text.split(" ")
    places = [i for i in range(1, len(words) - 1) if _ROLES.fullmatch(words[i])]
    if not places:
        return None
    at = places[int(rng.integers(len(places)))]
    reach = min(int(rng.integers(1, 4)), at, len(words) - at - 1)
    left, right = words[at - reach : at], words[at + 1 : at + 1 + reach]
    return " ".join([*words[: at - reach], *right, words[at], *left, *words[at + 1 + reach :]])


def oppose(text: str, _: str, rng: Rng) -> str | None:
    """The text with a word turned to its opposite."""
    words = text.split(" ")
    places = [i for i, word in enumerate(words) if word in OPPOSITES]
    if not places:
        return None
    at = places[int(rng.integers(len(places)))]
    words[at] = OPPOSITES[words[at]]
    return " ".join(words)


def drop_word(text: str, _: str, rng: Rng) -> str | None:
    """The text without one of its longer words."""
    words = text.split(" ")
    places = [i for i, word in enumerate(words) if len(word) > 4]
    if len(words) < 4 or not places:
        return None
    at = places[int(rng.integers(len(places)))]
    return " ".join(words[:at] + words[at + 1 :])


def drop_phrase(text: str, _: str, rng: Rng) -> str | None:
    """The text without a third of it, somewhere."""
    words = text.split(" ")
    if len(words) < 6:
        return None
    size = max(2, len(words) // 3)
    at = int(rng.integers(len(words) - size + 1))
    return " ".join(words[:at] + words[at + size :])


def repeat_phrase(text: str, _: str, rng: Rng) -> str | None:
    """The text with a few words of it said twice, or many times."""
    words = text.split(" ")
    if len(words) < 4:
        return None
    size = int(rng.integers(1, min(6, len(words))))
    at = int(rng.integers(len(words) - size + 1))
    times = int(rng.integers(1, 4))
    return " ".join(words[: at + size] + words[at : at + size] * times + words[at + size :])


def jumble(text: str, reference: str, rng: Rng) -> str | None:
    """The words of the text, or of the reference, in any order."""
    words = (reference if rng.random() < 0.5 else text).split(" ")
    if len(words) < 4:
        return None
    return " ".join(words[i] for i in rng.permutation(len(words)).tolist())


def cut(text: str, _: str, rng: Rng) -> str | None:
    """The first half of the text, or nothing."""
    words = text.split(" ")
    if len(words) < 4:
        return None
    return "" if rng.random() < 0.2 else " ".join(words[: len(words) // 2])


# Rule and how much worse it makes a text.
RULES: dict[str, tuple[Rule, int]] = {
    "negation": (negate, 1),
    "number": (change_number, 1),
    "name": (change_name, 1),
    "roles": (swap_roles, 1),
    "opposite": (oppose, 1),
    "word": (drop_word, 1),
    "phrase": (drop_phrase, 2),
    "repeated": (repeat_phrase, 2),
    "jumbled": (jumble, 3),
    "cut": (cut, 3),
}
# Rules that leave most of a text as it is: these are applied to the reference too.
LIGHT = ("negation", "number", "name", "roles", "opposite")

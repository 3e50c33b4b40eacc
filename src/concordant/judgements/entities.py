"""HTML's entities in texts: `&quot;` is a quotation mark that a tool wrote as six characters.

A metric that reads them as text sees other words than people did, who saw the quotation mark. In
WMT12 a quarter of onlineB's lines have some.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from concordant.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Collection as Texts
    from collections.abc import Iterator, Mapping

    from concordant.records import Collection, TestSet

HOW = {
    "auto": "as characters in test sets where many lines have some, else as text",
    "characters": "as the characters they stand for, everywhere",
    "text": "as they are written",
}
MANY = 0.05  # of the lines of one system, or of the references, before `auto` reads characters
_ENTITY = re.compile(r"&(?:#[0-9]{1,9}|#[xX][0-9a-fA-F]{1,8}|\w{1,40});")


def resolve_entities(text: str) -> str:
    """Text with every entity that HTML knows as the character it stands for, once.

    >>> resolve_entities("&quot;R&D&quot; &#8211; &pipe;")
    '"R&D" – &pipe;'
    """
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda match: html.unescape(match[0]), text)


def has_entities(text: str) -> bool:
    """Whether a text has an entity that HTML knows.

    >>> has_entities("&quot;yes&quot;"), has_entities("R&D; fish &chips;")
    (True, False)
    """
    return "&" in text and resolve_entities(text) != text


def read_entities(collection: Collection, how: str = "auto") -> Collection:
    """The collection with the entities of its texts read as `HOW` says, and notes on what was.

    It is the collection itself where nothing was.
    """
    if how not in HOW:
        raise SpecError(f'entities "{how}" is not one of {", ".join(HOW)}')
    if how == "text":
        return collection
    read, notes = [], list(collection.notes)
    for testset in collection.testsets:
        shares = {name: _share(lines.values()) for name, lines in _named_texts(testset)}
        wanted = any(share >= MANY or how == "characters" for share in shares.values() if share)
        read.append(_resolved(testset) if wanted else testset)
        if wanted:
            name, share = max(shares.items(), key=lambda each: each[1])
            notes.append(
                f"{testset.name} {testset.pair}: entities such as &quot; are read as characters; "
                f"{name} has some in {share:.0%} of its lines"
            )
    if len(notes) == len(collection.notes):
        return collection
    return replace(collection, testsets=tuple(read), notes=tuple(notes))


def _named_texts(testset: TestSet) -> Iterator[tuple[str, Mapping[int, str]]]:
    """Each system's translations, and each set of references, by name."""
    yield from testset.translations.items()
    for name, lines in testset.references.items():
        yield f"reference {name}", lines


def _share(lines: Texts[str]) -> float:
    return sum(map(has_entities, lines)) / len(lines) if lines else 0.0


def _resolved(testset: TestSet) -> TestSet:
    def clean(lines: Mapping[int, str]) -> dict[int, str]:
        return {number: resolve_entities(line) for number, line in lines.items()}

    return replace(
        testset,
        source=clean(testset.source),
        references={name: clean(lines) for name, lines in testset.references.items()},
        translations={name: clean(lines) for name, lines in testset.translations.items()},
    )

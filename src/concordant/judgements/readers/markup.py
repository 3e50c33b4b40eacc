"""Scanning WMT's marked-up texts for their `seg` tags and for what the tags around them say.

Few of these files are well-formed, so this is not an XML parser; nothing outside the file is
fetched. Only the tags below have a meaning; any other "<" inside a segment is text.

A tag's attributes contain no "<" (XML forbids it), so a tag without an end stops at the
next one, and the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from concordant.judgements.entities import resolve_entities
from concordant.judgements.readers.fields import MOST_FAULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE, REFERENCE, OUTPUT, SUPPLEMENT = "source", "reference", "output", "supplement"
KINDS = {
    "srcset": SOURCE, "refset": REFERENCE, "tstset": OUTPUT,
    "src": SOURCE, "ref": REFERENCE, "hyp": OUTPUT, "supplemental": SUPPLEMENT,
}  # fmt: skip
TAGS = (*KINDS, "dataset", "doc", "seg")
ATTRIBUTES = {
    "setid": "testset", "docid": "document", "srclang": "from", "trglang": "into",
    "sysid": "name", "system": "name", "translator": "name",
}  # fmt: skip
ATTRIBUTES_OF_TAG = {
    ("dataset", "id"): "testset", ("doc", "id"): "document", ("seg", "id"): "id",
    ("src", "lang"): "from", ("src", "language"): "from",
    ("ref", "lang"): "into", ("ref", "language"): "into",
    ("hyp", "lang"): "into", ("hyp", "language"): "into",
}  # fmt: skip

_TAG = re.compile(
    rf"<(?P<end>/?)(?P<tag>{'|'.join(TAGS)})"
    r"""(?P<attributes>(?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s<>"']+))*)\s*(?P<empty>/?)>""",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
_OTHER_TAG = re.compile(r"<[^<>]*>")
_SPACE = re.compile(r"[ \t\r\n]+")


class Tag(NamedTuple):
    """A tag that means something: where it stands, and the facts that its attributes state."""

    name: str
    line: int
    ends: bool
    empty: bool
    facts: dict[str, str]
    start: int
    stop: int


class MarkedSegment(NamedTuple):
    """The text of a `seg` tag and the facts in force there, such as kind, document and id."""

    line: int
    text: str
    facts: dict[str, str]


@dataclass
class Scan:
    """What a file holds: its segments, its faults (line, message), and how much text is stray."""

    segments: list[MarkedSegment] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)
    stray: int = 0


def scan(text: str) -> Scan:
    """The segments of a marked-up text, in order.

    >>> scan('<src><doc docid="d"><seg id="1"> A &amp; B </seg></doc></src>').segments
    [MarkedSegment(line=1, text='A & B', facts={'kind': 'source', 'document': 'd', 'id': '1'})]
    """
    found = Scan()
    open_tags: list[Tag] = []
    position = 0
    for tag in _tags(text):
        if len(found.faults) >= MOST_FAULTS:
            return found
        between, position = text[position : tag.start], tag.stop
        if tag.name == "seg" and tag.ends and open_tags and open_tags[-1].name == "seg":
            _add_segment(found, open_tags, between)
            open_tags.pop()
            continue
        if open_tags and open_tags[-1].name == "seg":
            _report_unclosed(found, open_tags.pop())
        elif plain(_OTHER_TAG.sub(" ", between)):
            found.stray += 1
        _enter_or_leave(found, open_tags, tag)
    for tag in open_tags:
        _report_unclosed(found, tag)
    return found


def plain(text: str) -> str:
    """Text with its entities resolved and every run of white space made one blank.

    >>> plain(" 3 &lt; 4 &amp;amp; AT&T ")
    '3 < 4 &amp; AT&T'
    """
    return resolve_entities(_SPACE.sub(" ", text)).strip(" ")


def _tags(text: str) -> Iterator[Tag]:
    line, counted = 1, 0
    for match in _TAG.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        name = match["tag"].lower()
        facts = _facts(name, match["attributes"])
        yield Tag(
            name, line, bool(match["end"]), bool(match["empty"]), facts, match.start(), match.end()
        )


def _facts(tag: str, attributes: str) -> dict[str, str]:
    facts = {"kind": KINDS[tag]} if tag in KINDS else {}
    for attribute, *values in _ATTRIBUTE.findall(attributes):
        name = attribute.lower()
        fact = ATTRIBUTES.get(name) or ATTRIBUTES_OF_TAG.get((tag, name))
        value = plain("".join(values))
        if fact is not None and value:
            facts[fact] = value
    return facts


def _add_segment(found: Scan, open_tags: list[Tag], text: str) -> None:
    """The facts of all open tags; inner tags override outer ones."""
    facts = {name: value for tag in open_tags for name, value in tag.facts.items()}
    found.segments.append(MarkedSegment(open_tags[-1].line, plain(text), facts))


def _enter_or_leave(found: Scan, open_tags: list[Tag], tag: Tag) -> None:
    """Keep `open_tags` in step with a tag; what does not nest is a fault."""
    names = [opened.name for opened in open_tags]
    if tag.ends:
        if tag.name not in names:
            found.faults.append((tag.line, f"</{tag.name}> closes a tag that is not open"))
            return
        while open_tags[-1].name != tag.name:
            _report_unclosed(found, open_tags.pop())
        open_tags.pop()
        return
    if tag.name in names:
        while open_tags.pop().name != tag.name:
            pass
        message = f"<{tag.name}> is opened again before </{tag.name}>"
        found.faults.append((tag.line, message))
    open_tags.append(tag)
    if tag.empty:
        if tag.name == "seg":
            _add_segment(found, open_tags, "")
        open_tags.pop()


def _report_unclosed(found: Scan, tag: Tag) -> None:
    found.faults.append((tag.line, f"<{tag.name}> is not closed"))

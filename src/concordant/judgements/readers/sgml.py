"""WMT's marked-up texts: SGML up to 2020, and the XML that followed it.

SGML has documents in a set of one kind (`srcset`, `refset`, `tstset`); XML has the kinds (`src`,
`ref`, `hyp`) in each document. Either way the tags around a `seg` tell whose words it holds.

A segment is known by its document and its id. Segments are numbered from 1 in the order in which
the file first names them, so that systems whose documents stand in another order still meet.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from concordant.errors import DataError, Fault
from concordant.files import LONGEST_LINE, read_text
from concordant.judgements.names import language, pair_in, system_in, testset_of
from concordant.judgements.readers.fields import MOST_FAULTS, list_words
from concordant.judgements.readers.formats import Format, Head
from concordant.judgements.readers.markup import (
    OUTPUT,
    REFERENCE,
    SOURCE,
    SUPPLEMENT,
    MarkedSegment,
    scan,
)
from concordant.records import Collection, TestSet

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

UNKNOWN_LANGUAGES = {"any", "unk"}
_OPENING = re.compile(r"<(srcset|refset|tstset|dataset)\b", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(sgml?|xml)(\.gz)?$", re.IGNORECASE)

Texts = dict[str, dict[int, str]]


def looks_like(head: Head) -> str | None:
    """Why this is WMT's SGML or XML, or None."""
    for line in head.lines:
        if match := _OPENING.search(line):
            return f"it has a <{match[1].lower()}> tag"
    return None


def read(path: Path) -> Collection:
    """The texts of a file as one test set."""
    found = scan(read_text(path))
    supplements = [s for s in found.segments if s.facts.get("kind") == SUPPLEMENT]
    segments = [s for s in found.segments if s.facts.get("kind") != SUPPLEMENT]
    faults = [Fault(str(path), line, message) for line, message in found.faults]
    faults += [Fault(str(path), s.line, m) for s in segments if (m := _misplaced(s))]
    if faults:
        ordered = sorted(faults, key=lambda fault: fault.line or 0)
        raise DataError(ordered, stopped=len(found.faults) >= MOST_FAULTS)
    if not segments:
        raise DataError.at(path, None, "has no <seg> with a text in it")
    testset = _testset(path, segments)
    notes = _gaps(path, testset)
    if not testset.pair:
        notes.append(f"{path}: neither the tags nor the file name give the language pair")
    if supplements:
        notes.append(f"{path}: {len(supplements)} supplemental segments are left out")
    if found.stray:
        notes.append(f"{path}: text outside <seg>, in {found.stray} places, is left out")
    return Collection(testsets=(testset,), notes=tuple(notes))


def _misplaced(segment: MarkedSegment) -> str | None:
    """What is wrong with a segment, or None."""
    if len(segment.text) > LONGEST_LINE:
        return f"<seg> has more than {LONGEST_LINE:,} characters, the longest allowed; split it"
    if "id" not in segment.facts:
        return "<seg> has no id"
    if "document" not in segment.facts:
        return "<seg> is in no <doc> with a docid (in XML, an id)"
    if "kind" not in segment.facts:
        return "<seg> is in none of srcset, refset, tstset, src, ref and hyp"
    return None


def _testset(path: Path, segments: Sequence[MarkedSegment]) -> TestSet:
    texts: dict[str, Texts] = {SOURCE: {}, REFERENCE: {}, OUTPUT: {}}
    numbers: dict[tuple[str, str], int] = {}
    faults: list[Fault] = []
    name = _only(path, "test set", {s.facts.get("testset", "") for s in segments}, faults)
    source = _only(path, "source language", {_language(s, "from") for s in segments}, faults)
    target = _only(path, "target language", {_language(s, "into") for s in segments}, faults)
    pair = f"{source}-{target}" if source and target else pair_in(path.name) or ""
    file_system = _SUFFIX.sub("", path.name)
    for segment in segments:
        facts = segment.facts
        document, segment_id = facts["document"], facts["id"]
        number = numbers.setdefault((document, segment_id), len(numbers) + 1)
        text = texts[facts["kind"]].setdefault(_name(facts, file_system, pair), {})
        if number in text:
            message = f'segment "{segment_id}" of document "{document}" is given twice'
            faults.append(Fault(str(path), segment.line, message))
        text[number] = segment.text
    if faults:
        raise DataError(faults)
    return TestSet(
        name or testset_of(path),
        pair,
        source=texts[SOURCE].get("", {}),
        references=texts[REFERENCE],
        translations=texts[OUTPUT],
        documents={number: document for (document, _), number in numbers.items()},
    )


def _name(facts: dict[str, str], file_system: str, pair: str) -> str:
    """Whose words these are; a source is nobody's, whatever its `sysid` says."""
    if facts["kind"] == SOURCE:
        return ""
    if facts["kind"] == REFERENCE:
        return facts.get("name", "ref")
    return system_in(facts.get("name", file_system), pair)


def _language(segment: MarkedSegment, fact: str) -> str:
    written = segment.facts.get(fact, "")
    return "" if written.lower() in UNKNOWN_LANGUAGES else language(written) or ""


def _only(path: Path, what: str, values: set[str], faults: list[Fault]) -> str:
    """The one value that a file names, or "" for none; more than one is a fault."""
    named = sorted(values - {""})
    if len(named) > 1:
        message = f"names more than one {what}: {list_words(named)}; give each its own file"
        faults.append(Fault(str(path), None, message))
    return named[0] if named else ""


def _gaps(path: Path, testset: TestSet) -> list[str]:
    """A note for each text that lacks some of the segments that others have."""
    total = len(testset.documents)
    texts = {**testset.references, **testset.translations}
    if testset.source:
        texts["the source"] = testset.source
    return [
        f"{path}: {name} has {len(text)} of {total} segments"
        for name, text in texts.items()
        if len(text) < total
    ]


FORMAT = Format(
    name="sgml",
    title="WMT's SGML and XML texts",
    example='<tstset setid="…" srclang="…" trglang="…"> <doc docid="…" sysid="…"> <seg id="1">…',
    looks_like=looks_like,
    read=read,
)

"""Recognise files that are not plain text, and say what to do about them.

Archives and binary formats are known by their first bytes. JSON, tables and markup are text too,
so they are refused only where the first lines leave no doubt: translations may contain braces,
commas and tags.
"""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# First bytes → how a file is packed, and what unpacks it.
PACKED = {
    b"\x1f\x8b": ("gzip", "gunzip FILE"),
    b"\xfd7zXZ\x00": ("xz", "xz -d FILE"),
    b"\x28\xb5\x2f\xfd": ("zstd", "zstd -d FILE"),
    b"BZh": ("bzip2", "bzip2 -d FILE"),
}
# First bytes → what it is, and what to do.
SIGNATURES = {
    b"PK\x03\x04": "is a zip archive (or an office document); unpack it first, or save it as text",
    b"PAR1": "is a Parquet table; give it alone, without -r: concordant score FILE.parquet",
    b"%PDF-": "is a PDF document; save it as plain text first",
    b"SQLite format 3\x00": "is a database; of these, only campaigns of concordant judge are read",
    b"7z\xbc\xaf\x27\x1c": "is a 7z archive; unpack it first: 7z x FILE",
}
LINES_LOOKED_AT = 20
TABLE = (
    "give the table alone, without -r: concordant score FILE; --columns mt=NAME,ref=NAME names "
    "the columns"
)
JSON = (
    "write the field that holds the texts to a file of its own, one text per line, e.g. with "
    "jq -r .FIELD FILE"
)
MARKUP = (
    "plain text is needed, one text per line; concordant data and evaluate can read WMT's SGML and "
    "XML"
)
# Column names of tables of texts and judgements.
COLUMNS = frozenset(
    "annotator better bad domain doc doc_id document good hyp hypothesis id judge lang_pair lp mt "
    "neg output pair pos prediction rank raw ref reference score seg_id segment segment_id sid "
    "source source_text src sys system system_id target target_text testset text translation worse "
    "annotators count rater severity category seg target_lang source_lang".split()
)
_MARKUP = re.compile(
    r"<(?:(?P<xml>\?xml\s)|(?P<page>!doctype\s+html\b|html\b[^<>]*>\s*(?:<|$))"
    r"|(?P<sgml>(?:srcset|refset|tstset|dataset|tmx|xliff|doc)\s[^<>]*=[^<>]*>))",
    re.IGNORECASE,
)
MARKUP_NAMES = {"xml": "XML", "page": "a page of HTML", "sgml": "SGML or XML"}
_ONE_BZIP2_BLOCK = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")


def packed_kind(first: bytes) -> tuple[str, str] | None:
    r"""How a file with these first bytes is packed and what unpacks it, or None if it is not.

    >>> packed_kind(b"\x1f\x8b\x08"), packed_kind(b"BZhang said so.")
    (('gzip', 'gunzip FILE'), None)
    """
    for signature, kind in PACKED.items():
        if first.startswith(signature):
            return None if signature == b"BZh" and not _ONE_BZIP2_BLOCK.match(first) else kind
    return None


def binary_kind(first: bytes) -> str | None:
    """What a file with these first bytes is and what to do, or None if it may be text.

    >>> binary_kind(b"PAR1")[:18], binary_kind(b"PARIS is a city.")
    ('is a Parquet table', None)
    """
    for signature, words in SIGNATURES.items():
        if first.startswith(signature):
            return words
    return None


def structured_kind(lines: Sequence[str]) -> str | None:
    """What a text with these first lines is, if not plain text, and what to do; None if it is.

    >>> structured_kind(['{"mt": "a", "ref": "b"}', '{"mt": "c", "ref": "d"}'])[:21]
    'has a JSON object in '
    >>> structured_kind(["Write {} for an empty object, and [] for a list."])
    """
    written = [line for line in lines[:LINES_LOOKED_AT] if line.strip()]
    if not written:
        return None
    if all(_is_object(line) for line in written):
        return f"has a JSON object in each line, which is not a translation; {TABLE}"
    if _opens_document(written):
        return f"is a JSON document, not one text per line; {JSON}"
    if delimiter := _table_delimiter(written):
        columns = ", ".join(_rows(written[:1], delimiter)[0][:6])
        return f"is a table with the columns {columns}; {TABLE}"
    if match := _MARKUP.match(written[0].lstrip()):
        return f"is {MARKUP_NAMES[match.lastgroup or 'xml']}; {MARKUP}"
    return None


def _is_object(line: str) -> bool:
    """Whether a line is a JSON object with a key, as in jsonl."""
    if not line.lstrip().startswith("{"):
        return False
    try:
        return bool(isinstance(value := json.loads(line), dict) and value)
    except (ValueError, RecursionError):
        return False


def _opens_document(lines: Sequence[str]) -> bool:
    """Whether the lines are the beginning of JSON written over several lines, or one long array."""
    first = lines[0].strip()
    if first.startswith("[") and len(lines) == 1:
        return first.startswith(("[{", "[[", '["')) and first.endswith("]") and _parses(first)
    if first in {"{", "["} and len(lines) > 1:
        second = lines[1].strip()
        return second == "{" or re.match(r'"[^"]*"\s*(:|,?$)', second) is not None
    return False


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _table_delimiter(lines: Sequence[str]) -> str | None:
    """What separates the columns, if the first line names known ones and all rows fit; or None.

    A space after the comma means a sentence: "Source, target".
    """
    for delimiter in ("\t", ",", ";"):
        header, *rows = _rows(lines, delimiter) or [[]]
        known = sum(cell.lower() in COLUMNS for cell in header)
        if known < 2 or 2 * known < len(header) or len(set(header)) < len(header):
            continue
        if len(rows) > 1:
            rows.pop()  # a quoted cell may continue below the lines examined
        if rows and all(len(row) == len(header) for row in rows):
            return delimiter
    return None


def _rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The lines as a table's rows; none where they cannot be."""
    try:
        return list(csv.reader((f"{line}\n" for line in lines), delimiter=delimiter))
    except csv.Error:
        return []

r"""Text that comes from files and names, made safe for where it is printed.

A file name or a translation can hold anything: escape sequences that recolour or retitle a
terminal, marks that reverse the reading direction, tabs and line feeds that shift the columns of a
tsv. Terminals get such characters as visible escapes (`\x1b`); tsv and JSON get escapes that a
reader can undo, so no data is lost. Right-to-left text itself stays as it is.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# C0 and C1 control characters without tab and line feed, and DEL.
_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
# Line and paragraph separators; embeddings, overrides and isolates of the reading direction.
_UNSEEN = r"\u2028\u2029\u202a-\u202e\u2066-\u2069"
_SURROGATES = r"\ud800-\udfff"  # undecodable bytes of file names
_NOT_PRINTABLE = re.compile(f"[{_CONTROLS}{_UNSEEN}{_SURROGATES}]")
_NOT_TSV = re.compile(rf"[\t\n\\{_CONTROLS}{_UNSEEN}{_SURROGATES}]|^[=+\-@\"](?=.)", re.DOTALL)
_NOT_JSON = re.compile(f"[\\x7f-\\x9f{_UNSEEN}{_SURROGATES}]")
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\\": r"\\"}


def printable(text: str) -> str:
    r"""The text for a terminal: control characters as visible escapes, lines and tabs kept.

    >>> print(printable("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    """
    return _NOT_PRINTABLE.sub(lambda found: _code(found[0]), text)


def printable_line(text: str) -> str:
    r"""The text for one line of a terminal: as `printable`, with line feeds and tabs escaped too.

    >>> print(printable_line("a\nb"))
    a\nb
    """
    return printable(text).replace("\n", r"\n").replace("\t", r"\t")


def tsv_field(text: str) -> str:
    r"""The text as a field of a tsv: no tab, line feed or control character, and no formula.

    Tab, line feed, carriage return and backslash become \t, \n, \r and \\; other control characters
    and overrides of the reading direction \xNN or \uNNNN. A first =, +, -, @ or " gets a backslash
    before it, so that a spreadsheet does not run it and a csv reader does not take it for a quote.

    >>> print(tsv_field("=1+1"), tsv_field("a\tb\\c"), tsv_field("-"))
    \=1+1 a\tb\\c -
    """
    return _NOT_TSV.sub(lambda found: _SHORT.get(found[0]) or _escape(found[0]), text)


def json_text(value: Any, *, indent: int | None = None, compact: bool = False) -> str:
    r"""The value as JSON that is safe to print; what a parser reads is the same to the last bit.

    `compact` leaves out the spaces between values.

    >>> print(json_text({"name": "ü\x9b2J"}))
    {"name": "ü\u009b2J"}
    """
    separators = (",", ":") if compact else None
    text = json.dumps(
        value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators
    )
    return _NOT_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escape(sign: str) -> str:
    return f"\\{sign}" if sign in '=+-@"' else _code(sign)


def _code(sign: str) -> str:
    return f"\\x{ord(sign):02x}" if ord(sign) < 256 else f"\\u{ord(sign):04x}"

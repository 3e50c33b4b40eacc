"""Word differences between translation and reference: same, added and missing runs.

Runs come from difflib's longest matching blocks, as in a tracked revision. They show words,
not quality: a good synonym is marked too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# A word of letters and digits, or one other character; Chinese, Japanese and Thai letters alone.
TOKEN = re.compile(r"[぀-ヿ㐀-鿿豈-﫿฀-๿]|[^\W぀-ヿ㐀-鿿豈-﫿฀-๿]+|[^\w\s]")
LONGEST = 400  # tokens compared; the rest of a text is shown unmarked


@dataclass(frozen=True)
class Run:
    """Consecutive text: "same", "added" (translation only) or "missing" (reference only).

    `blank` says whether a space precedes it.
    """

    kind: str
    text: str
    blank: bool


def nearest_reference(output: str, references: Sequence[str]) -> str:
    """The reference most similar to the translation; the first of equals."""
    if len(references) == 1:
        return references[0]
    words = _words(output)
    return max(
        references, key=lambda text: SequenceMatcher(None, words, _words(text), False).ratio()
    )


def word_diff(output: str, reference: str) -> list[Run]:
    """The runs of a translation, with what is missing from the reference between them.

    >>> [(run.kind, run.text) for run in word_diff("the cat sits", "a cat sits down")]
    [('missing', 'a'), ('added', 'the'), ('same', 'cat sits'), ('missing', 'down')]
    """
    ours, theirs = (list(TOKEN.finditer(text))[:LONGEST] for text in (output, reference))
    matcher = SequenceMatcher(
        None, [m.group().lower() for m in ours], [m.group().lower() for m in theirs], False
    )
    runs: list[Run] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal" and d > c:
            apart = c > 0 and reference[theirs[c].start() - 1].isspace()
            runs.append(Run("missing", _text(reference, theirs, c, d), apart and bool(runs)))
        if b > a:
            apart = a > 0 and output[ours[a].start() - 1].isspace()
            name = "same" if kind == "equal" else "added"
            runs.append(Run(name, _text(output, ours, a, b), apart or (bool(runs) and a == 0)))
    rest = output[ours[-1].end() :].rstrip() if len(ours) == LONGEST else ""
    return [*runs, Run("same", rest.lstrip(), rest[0].isspace())] if rest else runs


def _words(text: str) -> list[str]:
    return [match.group().lower() for match in TOKEN.finditer(text)][:LONGEST]


def _text(text: str, tokens: Sequence[re.Match[str]], begin: int, end: int) -> str:
    """The text from one token to another, with the original spaces."""
    return text[tokens[begin].start() : tokens[end - 1].end()]

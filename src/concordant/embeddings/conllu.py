"""Dependency trees in CoNLL-U files: ten columns a word, a blank line after each sentence.

Of the columns FORM, XPOS (UPOS where there is none), HEAD and DEPREL are read. Multiword ranges
("3-4") repeat words that follow and empty nodes ("5.1") are no words, so both are passed over, as
the format says (universaldependencies.org/format.html). A segment without words, which the format
does not know, is written and read as the lone comment "# text =".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from concordant.embeddings.trees import Tree, fault_of
from concordant.errors import ConcordantError, DataError, Fault
from concordant.judgements.files import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    Numbered = tuple[int, str]  # a line and its number from 1

COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC".split()
NOTHING = "_"
_RANGE_OR_EMPTY_NODE = re.compile(r"[0-9]+[-.][0-9]+")
_NO_WORDS = re.compile(r"#\s*text\s*=\s*")


@dataclass(frozen=True)
class Sentence:
    """A tree, the comments above it without their "#", and the line where it begins."""

    tree: Tree
    comments: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


def read_conllu(path: str | Path) -> list[Sentence]:
    """The sentences of a file, in their order; every fault is told with its line."""
    faults: list[Fault] = []
    sentences = []
    for block in _blocks(read_lines(path)):
        try:
            sentences.append(_sentence(block, str(path)))
        except DataError as error:
            faults.extend(error.faults)
    if faults:
        raise DataError(faults)
    return sentences


def write_conllu(path: Path, sentences: Iterable[Sentence]) -> None:
    """Write sentences so that `read_conllu` gives the same trees and comments."""
    text = "".join(conllu(each.tree, each.comments) for each in sentences)
    path.write_text(text, encoding="utf-8", newline="\n")


def conllu(tree: Tree, comments: Sequence[str] = ()) -> str:
    r"""One sentence as CoNLL-U, with the blank line that ends it.

    >>> tree = Tree(("Cats", "sleep"), np.array([1, -1]), ("nsubj", "root"), ("NNS", "VBP"))
    >>> print(conllu(tree, ["text = Cats sleep"]).replace("\t", " "), end="")
    # text = Cats sleep
    1 Cats _ _ NNS _ 2 nsubj _ _
    2 sleep _ _ VBP _ 0 root _ _
    <BLANKLINE>
    """
    if not len(tree) and not any(_NO_WORDS.fullmatch(f"# {each}") for each in comments):
        comments = [*comments, "text ="]
    lines = [f"# {comment}" for comment in comments]
    columns = zip(tree.words, tree.tags, tree.heads, tree.labels, strict=True)
    for i, (word, tag, head, label) in enumerate(columns, start=1):
        fields = {"ID": str(i), "FORM": word, "XPOS": tag, "HEAD": str(head + 1), "DEPREL": label}
        row = [fields.get(name) or NOTHING for name in COLUMNS]
        odd = [value for value in row if "\t" in value]
        if odd or not word:
            raise ConcordantError(f"{(odd or [word])[0]!r} cannot stand in a field of CoNLL-U")
        lines.append("\t".join(row))
    broken = [line for line in lines if "\n" in line]
    if broken:
        raise ConcordantError(f"{broken[0]!r} cannot stand in a line of CoNLL-U")
    return "\n".join([*lines, "", ""])


def _blocks(lines: Sequence[str]) -> Iterator[list[Numbered]]:
    """The lines between blank ones, numbered."""
    block: list[Numbered] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []


def _sentence(block: Sequence[Numbered], path: str) -> Sentence:
    begin = block[0][0]
    comments = [line for _, line in block if line.startswith("#")]
    rows = [(number, line.split("\t")) for number, line in block if not line.startswith("#")]
    if not rows and not any(_NO_WORDS.fullmatch(line) for line in comments):
        raise DataError.at(path, begin, 'comments without words; "# text =" stands for no words')
    words = _words(rows, path)
    heads = np.array([int(row[6]) - 1 for row in words], dtype=np.int32)
    fault = fault_of(heads)
    if fault is not None:
        raise DataError.at(path, begin, f"the sentence is no tree: {fault}")
    tree = Tree(
        words=tuple(row[1] for row in words),
        heads=heads,
        labels=tuple(row[7] for row in words),
        tags=tuple(row[4] if row[4] != NOTHING else row[3] for row in words),
    )
    return Sentence(tree, tuple(comment[1:].strip() for comment in comments), begin)


def _words(rows: Sequence[tuple[int, list[str]]], path: str) -> list[list[str]]:
    """The columns of the words of a sentence, each checked."""
    faults = [
        Fault(path, number, f"{len(row)} columns where {len(COLUMNS)} are needed, split by tabs")
        for number, row in rows
        if len(row) != len(COLUMNS)
    ]
    if faults:
        raise DataError(faults)
    words = [(number, row) for number, row in rows if not _RANGE_OR_EMPTY_NODE.fullmatch(row[0])]
    for i, (number, row) in enumerate(words, start=1):
        message = _row_fault(row, i, len(words))
        if message is not None:
            faults.append(Fault(path, number, message))
    if faults:
        raise DataError(faults)
    return [row for _, row in words]


def _row_fault(row: Sequence[str], expected: int, size: int) -> str | None:
    """What is wrong with the columns of a word; None if nothing is."""
    for name, value in zip(COLUMNS, row, strict=True):
        if not value.strip():
            return f'column {name} is empty; "{NOTHING}" stands for nothing'
    if row[0] != str(expected):
        return f'ID "{row[0]}" where word {expected} of the sentence is due'
    if not (row[6].isascii() and row[6].isdecimal()):
        return f'HEAD "{row[6]}" is not a number; 0 is for the root, else the ID of a word'
    if int(row[6]) > size:
        return f"HEAD {row[6]} is out of range; the sentence has {size} words"
    return None

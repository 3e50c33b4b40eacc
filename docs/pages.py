#!/usr/bin/env python3
"""The code in the pages, so that it can be run: `make docs` and tests/test_docs.py both read it.

A fenced block is run by its language: `python` as it is, `pycon` as a doctest, `console` as lines
`$ concordant …` with the output below each. A line `…` in an output stands for any lines, and notes
(`note: …`) need not be shown. A comment above a block says more about it:

- `<!-- file: NAME -->` the block is the contents of that file;
- `<!-- row: FILE: LINE -->` the block goes into FILE below LINE (recipes of CONTRIBUTING.md);
- `<!-- data -->` the block needs the WMT data, which it finds in the folder `data`;
- `<!-- part: NAME … -->` the block needs these pretrained parts, and nothing of other blocks.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.cli import main as program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
ANY_LINES = "…"
_FENCE = re.compile(r"^(?P<fence>```+)(?P<language>\w*)$")
_MARK = re.compile(r"^<!-- (?P<mark>(?:file|row|part): .+|data) -->$")


@dataclass(frozen=True)
class Block:
    """A fenced block: the line of its first line of text (from 1), and the comment above it."""

    language: str
    mark: str
    line: int
    text: str

    @property
    def needs_data(self) -> bool:
        """Whether it can only be run beside the WMT data."""
        return self.mark == "data"

    @property
    def parts(self) -> list[str]:
        """The pretrained parts that it can only be run with."""
        kind, _, names = self.mark.partition(": ")
        return names.split() if kind == "part" else []


@dataclass(frozen=True)
class Step:
    """One command of a console block, the output that the page shows, and the real one."""

    line: int
    command: str
    shown: list[str]
    real: list[str]
    code: int

    @property
    def agrees(self) -> bool:
        """Whether the page tells the truth; a command may only fail where the page says so."""
        failing = any(line.startswith(("concordant:", "Error:")) for line in self.shown)
        return matches(self.shown, self.real) and failing == (self.code != 0)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    mark, fence, language, begin = "", "", "", 0
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        opening = _FENCE.match(line)
        if not fence and opening:
            fence, language, begin = opening["fence"], opening["language"], number
        elif fence and line == fence:
            inside = "".join(each + "\n" for each in lines[begin : number - 1])
            found.append(Block(language, mark, begin + 1, inside))
            fence = mark = ""
        elif not fence and line.strip():
            comment = _MARK.match(line)
            mark = comment["mark"] if comment else ""
    return found


def play(page: list[Block]) -> Iterator[Step]:
    """Run blocks one after the other in the current folder; the commands come out as steps."""
    names: dict[str, Any] = {"__name__": "page"}
    for block in page:
        if block.mark.startswith("file: "):
            file = Path(block.mark.removeprefix("file: "))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            exec(compile(block.text, f"line {block.line}", "exec"), names)
        elif block.language == "pycon":
            _doctest(block, names)
        elif block.language == "console":
            yield from _console(block)


def matches(shown: list[str], real: list[str]) -> bool:
    """Whether an output is what a page shows of it."""
    if not shown:
        return not real
    if shown[0] == ANY_LINES:
        return any(matches(shown[1:], real[i:]) for i in range(len(real) + 1))
    return bool(real) and shown[0] == real[0] and matches(shown[1:], real[1:])


def commands_in(block: Block) -> list[tuple[int, str, list[str]]]:
    """The commands of a console block: line, command, and the output shown below it."""
    found: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(block.text.splitlines(), start=block.line):
        if line.startswith("$ "):
            found.append((number, line.removeprefix("$ "), []))
        elif found:
            found[-1][2].append(line)
        else:
            raise ValueError(
                f"line {number}: a console block begins with a command: $ concordant …"
            )
    return found


def run(command: str) -> tuple[list[str], int]:
    """What a command prints on either stream, without trailing blanks, and its exit code."""
    first, *arguments = shlex.split(command)
    if first != "concordant":
        raise ValueError(f"{command}: only `concordant` is run; use a block of another language")
    stream, before, code = io.StringIO(), sys.argv, 0
    sys.argv = ["concordant", *arguments]
    try:
        with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            program.main()
    except SystemExit as stop:
        code = int(stop.code or 0)
    finally:
        sys.argv = before
    return tidy(stream.getvalue().splitlines()), code


def tidy(lines: list[str]) -> list[str]:
    """The lines without blanks at their ends and without empty lines around them."""
    return "\n".join(line.rstrip() for line in lines).strip("\n").splitlines()


def _console(block: Block) -> Iterator[Step]:
    for line, command, output in commands_in(block):
        shown = tidy(output)
        real, code = run(command)
        if not any(each.startswith("note: ") for each in shown):
            real = tidy([each for each in real if not each.startswith("note: ")])
        yield Step(line, command, shown, real, code)


def _doctest(block: Block, names: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, names, "page", None, block.line)
    words = io.StringIO()
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(optionflags=options, verbose=False)
    runner.run(test, out=words.write, clear_globs=False)
    names.update(test.globs)
    if runner.failures:
        raise AssertionError(words.getvalue())

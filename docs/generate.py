#!/usr/bin/env python3
"""Write commands.md from every command's --help, and the outputs of the commands in the pages.

Outputs in which a line `…` stands for others are left as they are; tests/test_docs.py says if they
are no longer true. With --check nothing is written, and the exit code is 1 if something would be.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click
from pages import ANY_LINES, PAGES, ROOT, blocks, play

from concordant.cli.main import program
from concordant.resources.places import is_installed

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMANDS = ROOT / "docs" / "commands.md"
HEADING = """# The commands

Written by `make docs` from what `--help` prints; don't edit it here.
"""


def commands_page() -> str:
    """The page of all commands."""
    parts = [HEADING]
    for context in contexts(click.Context(program, info_name="concordant", **_settings(program))):
        help_text = context.command.get_help(context)
        parts.append(f"## {context.command_path}\n\n```text\n{help_text}\n```\n")
    return "\n".join(parts)


def contexts(context: click.Context) -> Iterator[click.Context]:
    """A context for each command below one, itself first."""
    yield context
    command = context.command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from contexts(click.Context(below, context, name, **_settings(below)))


def refreshed(text: str) -> str:
    """A page with the real outputs of its commands, run in the current folder."""
    lines = text.split("\n")
    playable = [
        each
        for each in blocks(text)
        if (not each.needs_data or Path("data").exists()) and all(map(is_installed, each.parts))
    ]
    for step in reversed(list(play(playable))):
        if ANY_LINES in step.shown or step.agrees:
            continue
        below = range(step.line, len(lines))
        end = next(i for i in below if lines[i].startswith(("$ ", "```")))
        lines[step.line : end] = step.real
    return "\n".join(lines)


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """A new folder to be in, with a copy of examples/, and data/ where CONCORDANT_DATA is set."""
    data, before = os.environ.get("CONCORDANT_DATA"), Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples")
        if data is not None:
            (folder / "data").symlink_to(Path(data).resolve(), target_is_directory=True)
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def main() -> int:
    """Write what is out of date, or with --check only name it."""
    check = sys.argv[1:] == ["--check"]
    wanted = {COMMANDS: commands_page()}
    for page in PAGES:
        if page not in {COMMANDS, ROOT / "CONTRIBUTING.md"}:
            with workplace():
                wanted[page] = refreshed(page.read_text(encoding="utf-8"))
    stale = [
        page
        for page, text in wanted.items()
        if not page.exists() or page.read_text(encoding="utf-8") != text
    ]
    for page in stale:
        word = "is out of date; run make docs" if check else "written"
        sys.stdout.write(f"{page.relative_to(ROOT)}: {word}\n")
        if not check:
            page.write_text(wanted[page], encoding="utf-8")
    return 1 if check and stale else 0


def _settings(command: click.Command) -> dict[str, object]:
    return {"terminal_width": 80, **command.context_settings}


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Write commands.md, recipes.md, tables of figures and the pages' real outputs.

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
from deltas_page import PLOT, TEXT, deltas_page, reliability_plot
from figure_tables import with_figures
from pages import ANY_LINES, PAGES, ROOT, blocks, play

from concordant.cli.main import program
from concordant.resources.places import is_installed
from concordant.toml_text import toml_value
from concordant.training.recipe import shipped_recipes
from concordant.training.recipe_keys import KEYS, NAMES, bounds

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMANDS = ROOT / "docs" / "commands.md"
RECIPES = ROOT / "docs" / "recipes.md"
HEADING = """# The commands

Written by `make docs` from what `--help` prints; don't edit it here.
"""
RECIPES_HEADING = """# Recipes

Written by `make docs` from the table of keys; don't edit it here.

A recipe says how a metric is trained: a TOML file for `concordant train` ([train.md](train.md)).
Every key has a default, so a recipe names only what it changes. A key that is not known, or a value
of another kind, is an error that says what would be right. `--set KEY=VALUE` changes a key for
once, with its table before it: `--set optimiser.rate=0.05`.

## Keys
"""


def commands_page() -> str:
    """The page of all commands."""
    parts = [HEADING]
    for context in contexts(click.Context(program, info_name="concordant", **_settings(program))):
        help_text = context.command.get_help(context)
        parts.append(f"## {context.command_path}\n\n```text\n{help_text}\n```\n")
    return "\n".join(parts)


def recipes_page() -> str:
    """The page of recipes: every key with its default and meaning, and the recipes that ship."""
    parts = [RECIPES_HEADING]
    tables: dict[str, list[str]] = {}
    for key in KEYS:
        tables.setdefault(key.rpartition(".")[0], []).append(key)
    for table, keys in tables.items():
        title = f"`[{table}]`" if table else "At the head of the file"
        rows = [_row(key) for key in keys]
        parts.append("\n".join([f"### {title}\n", "| key | value | default | meaning |",
                                "|---|---|---|---|", *rows, ""]))  # fmt: skip
    parts.append("## Recipes that ship\n")
    for name, path in shipped_recipes().items():
        parts.append(f"### {name}\n\n```toml\n{path.read_text(encoding='utf-8')}```\n")
    return "\n".join(parts)


def _row(key: str) -> str:
    known = KEYS[key]
    allowed = ", ".join(f"`{each}`" for each in known.allowed)
    numbers = isinstance(known.default, list) and known.least is not None
    name = "a list of numbers" if numbers else NAMES[type(known.default)]
    value = allowed or " ".join(filter(None, [name, bounds(known)]))
    name = key.rpartition(".")[2]
    return f"| `{name}` | {value} | `{toml_value(known.default)}` | {known.meaning} |"


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
    wanted = {COMMANDS: commands_page(), RECIPES: recipes_page(), PLOT: reliability_plot()}
    for page in PAGES:
        if page not in {*wanted, ROOT / "CONTRIBUTING.md"}:
            with workplace():
                wanted[page] = refreshed(with_figures(page.read_text(encoding="utf-8")))
    wanted[TEXT] = deltas_page(wanted[TEXT])
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

"""What the commands share: output options, notes on stderr, a progress bar."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from concordant.report.tables import Table

    Command = TypeVar("Command", bound=Callable[..., object])

Item = TypeVar("Item")
FORMATS = ("table", "tsv", "json", "jsonl")


def output_options(command: Command) -> Command:
    """Add --format and --quiet to a command."""
    for option in (
        click.option("--quiet", "-q", is_flag=True, help="No notes and no progress bar."),
        click.option(
            "--format",
            "form",
            type=click.Choice(FORMATS),
            default="table",
            show_default=True,
            help="How to print the result.",
        ),
    ):
        command = option(command)
    return command


def show(table: Table, form: str) -> None:
    """Print a table to stdout in the form asked for."""
    from concordant.report.tables import FORMATS as RENDERERS

    click.echo(RENDERERS[form](table), nl=False)


def notes(lines: Iterable[str], *, quiet: bool) -> None:
    """Words for the person, on stderr."""
    if not quiet:
        for line in lines:
            click.echo(f"note: {line}", err=True)


def tracker(*, quiet: bool) -> Callable[[Sequence[Item], str], Iterable[Item]]:
    """A wrapper that shows a progress bar on stderr, if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        return lambda items, _: items
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return lambda items, words: track(items, words, console=console, transient=True)

"""What the commands share: output options, notes on stderr, a progress bar."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, TypeVar, cast

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from concordant.report.tables import Table
    from concordant.scoring.line_blocks import TextFiles

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


def text_options(command: Command) -> Command:
    """Add what outputs are scored against: references, sources, language; passed on as `files`."""

    @functools.wraps(command)
    def with_files(
        references: tuple[str, ...],
        source: str | None,
        num_refs: int,
        language: str | None,
        **others: object,
    ) -> object:
        from concordant.lexical.language_codes import target_language
        from concordant.scoring.line_blocks import TextFiles

        files = TextFiles(references, source, num_refs)
        target = None if language is None else target_language(language)
        return command(files=files, language=target, **others)

    for option in (
        click.option(
            "-l", "--language", metavar="LANG",
            help="The language of the outputs, as in en, de-en or pt-BR: has fast-any stand in for "
            "fast, and is for flags and METEOR.",
        ),
        click.option(
            "--num-refs", "-nr", type=click.IntRange(min=1), default=1, show_default=True,
            help="How many references stand in each line of a reference file, parted by tabs.",
        ),
        click.option(
            "-s", "--source", metavar="FILE",
            help="Sources, one a line; for flags, and for metrics that compare with them.",
        ),
        click.option(
            "-r", "--reference", "references", multiple=True, required=True, metavar="FILE",
            help="References, one a line; repeatable for several references.",
        ),
    ):  # fmt: skip
        with_files = option(with_files)
    return cast("Command", with_files)


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


def named_for(
    metrics: Sequence[str], language: str | None, files: TextFiles, *, quiet: bool
) -> list[str]:
    """The metrics' names as a known language asks for them, with notes where that cannot help."""
    from concordant.scoring.named import for_language, language_unsaid

    found = [for_language(name, language) for name in metrics]
    notes((note for _, note in found if note is not None), quiet=quiet)
    if language is None and not quiet:
        notes(language_unsaid(metrics, files), quiet=quiet)
    return [name for name, _ in found]


def progress(
    items: Iterable[Item],
    size: Callable[[Item], int],
    total: int | None,
    words: str,
    *,
    quiet: bool,
) -> Iterator[Item]:
    """The items, with a progress bar by their sizes on stderr, if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=total)
        for item in items:
            bar.advance(task, size(item))
            yield item

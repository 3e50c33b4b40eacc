"""What the commands share: output options, notes on stderr, a progress bar."""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING, TextIO, TypeVar, cast

import click

from concordant.arguments import MOST_THREADS
from concordant.errors import ConcordantError
from concordant.files import LONGEST_LINE
from concordant.safe_text import printable, printable_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from concordant.records import Collection
    from concordant.report.tables import Table

    Command = TypeVar("Command", bound=Callable[..., object])

Item = TypeVar("Item")
WHY = click.option("--why", is_flag=True, help="List every file that was left out, and why.")
FORMATS = ("table", "tsv", "json", "jsonl")
MAX_LINE = click.option(
    "--max-line", type=click.IntRange(min=1), default=LONGEST_LINE, show_default=True, metavar="N",
    help="Longest line to read, in characters; a longer one is an error.",
)  # fmt: skip


THREADS = click.option(
    "--threads", type=click.IntRange(1, MOST_THREADS), default=os.cpu_count() or 1,
    help="Default: all cores.",
)  # fmt: skip


def output_options(command: Command) -> Command:
    """Add --format and --quiet to a command."""
    for option in (
        click.option(
            "--quiet",
            "-q",
            is_flag=True,
            help="No notes and no progress bar; warnings stay.",
        ),
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
        max_line: int,
        language: str | None,
        **others: object,
    ) -> object:
        from concordant.metrics.flags.language_codes import target_language
        from concordant.scoring.line_blocks import TextFiles

        files = TextFiles(references, source, num_refs, max_line)
        target = None if language is None else target_language(language)
        return command(files=files, language=target, **others)

    for option in (
        MAX_LINE,
        click.option(
            "-l", "--language", metavar="LANG",
            help="The language of the outputs, as in en, de-en or pt-BR. Without -m, anything but "
            "English uses fast-any instead of fast. Also selects METEOR's and the flags' language.",
        ),
        click.option(
            "--num-refs", "-nr", type=click.IntRange(min=1), default=1, show_default=True,
            help="How many tab-separated references each line of a reference file has.",
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
    """Print a table to stdout in the form asked for; warnings that it cannot hold go to stderr."""
    from concordant.report.tables import FORMATS as RENDERERS

    standard_output().write(RENDERERS[form](table))  # what is in it has been made safe
    if form in {"tsv", "jsonl"}:
        warn(table.warnings)


def warn(lines: Iterable[str]) -> None:
    """Warnings on stderr; --quiet does not hide them."""
    for line in lines:
        click.echo(f"warning: {printable_line(line)}", err=True)


def say(text: str, *, err: bool = False) -> None:
    """Print words for the person, on stdout or stderr, without control characters."""
    if not err:
        standard_output()
    click.echo(printable(text), err=err)


def notes(lines: Iterable[str], *, quiet: bool) -> None:
    """Words for the person, on stderr; each note is one line."""
    if not quiet:
        for line in lines:
            click.echo(f"note: {printable_line(line)}", err=True)


def standard_output() -> TextIO:
    """Where results go; refuses to lose them where it is closed."""
    if sys.stdout is None:
        raise ConcordantError("standard output is closed; redirect it to a file")
    return sys.stdout


def reading_notes(collection: Collection, *, why: bool, quiet: bool) -> None:
    """What to know about judgements that were read; with `why`, every file that was left out."""
    known = (note for note in collection.notes if not (why and note.endswith("--why")))
    notes(known, quiet=quiet)
    notes(map(str, collection.left_out if why else ()), quiet=False)


def tracker(*, quiet: bool) -> Callable[[Sequence[Item], str], Iterable[Item]]:
    """A wrapper that shows a progress bar on stderr, if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        return lambda items, _: items
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return lambda items, words: track(items, _label(words), console=console, transient=True)


def named_for(metrics: Sequence[str], language: str | None, *, quiet: bool) -> list[str]:
    """The metrics' names as a known language asks for them; the default where none is named."""
    from concordant.metrics.find import ENGLISH, default_metric, in_language

    if metrics:
        return [in_language(name, language) for name in metrics]
    chosen = default_metric(language)
    if chosen != default_metric(ENGLISH):
        words = f'the default metric for "{language}" is {chosen}'
        notes([f"{words}; {default_metric(ENGLISH)} is made for English"], quiet=quiet)
    return [chosen]


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
        task = bar.add_task(_label(words), total=total)
        for item in items:
            bar.advance(task, size(item))
            yield item


def _label(words: str) -> str:
    """The words beside a progress bar, with nothing that rich would take for its markup."""
    from rich.markup import escape

    return escape(printable_line(words))

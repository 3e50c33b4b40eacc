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
from concordant.specs import DEFAULT_METRIC, EXPLAINED_METRIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.metrics.signs import Signs
    from concordant.records import Collection
    from concordant.report.tables import Table

    Command = TypeVar("Command", bound=Callable[..., object])

Item = TypeVar("Item")
WHY = click.option("--why", is_flag=True, help="List every skipped file and why it was skipped.")
FORMATS = ("table", "tsv", "json", "jsonl")
NOT_EXPLAINED = (
    f"{EXPLAINED_METRIC} scores here, since the scores of {DEFAULT_METRIC}, the default metric, "
    f"cannot be explained by parts that add up; -m {EXPLAINED_METRIC} hides this warning."
)
MAX_LINE = click.option(
    "--max-line", type=click.IntRange(min=1), default=LONGEST_LINE, show_default=True, metavar="N",
    help="Longest line allowed, in characters.",
)  # fmt: skip
THREADS = click.option(
    "--threads", type=click.IntRange(1, MOST_THREADS), default=os.cpu_count() or 1,
    help="Default: all cores.",
)  # fmt: skip


SEED = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True,
    help="Seed of all random draws.",
)  # fmt: skip
JUDGED = click.option(
    "--judged", type=click.Choice(["rankings", "preferences", "ratings", "system ratings"]),
    help="Which kind of judgements to use, if there are several.",
)  # fmt: skip


def output_options(command: Command) -> Command:
    """Add --format and --quiet to a command."""
    for option in (
        click.option(
            "--quiet",
            "-q",
            is_flag=True,
            help="Hide notes and the progress bar, but not warnings.",
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


COLUMNS = click.option(
    "--columns", multiple=True, metavar="ROLE=NAME,…",
    help="Columns of a table, as in mt=output,ref=ref1,ref=ref2. Roles: mt, ref, src, system, "
    "document, segment, language. Default: by their usual names.",
)  # fmt: skip


def text_options(command: Command) -> Command:
    """Add the options for references, sources and language; passed on as `files`."""

    @functools.wraps(command)
    def with_files(
        references: tuple[str, ...],
        source: str | None,
        num_refs: int,
        max_line: int,
        language: str | None,
        test_set: str | None,
        **others: object,
    ) -> object:
        from concordant.metrics.flags.language_codes import target_language
        from concordant.scoring.line_blocks import TextFiles

        if test_set is not None:
            references, source = _named_texts(test_set, language, references, source, num_refs)
        files = TextFiles(references, source, num_refs, max_line)
        target = None if language is None else target_language(language)
        return command(files=files, language=target, **others)

    for option in (
        MAX_LINE,
        click.option(
            "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list_test_sets,
            help="List the known test sets with their language pairs, and exit.",
        ),
        click.option(
            "--test-set", metavar="NAME",
            help="A known test set such as wmt14, instead of -r and -s; choose its language pair "
            "with -l, as in en-de. sacrebleu downloads it.",
        ),
        click.option(
            "-l", "--language", metavar="LANG",
            help="Target language, as in en, de-en or pt-BR. Default: what the references show. "
            f"Without -m, anything but English uses fast-any instead of {DEFAULT_METRIC}. If "
            "given, also selects METEOR's and the flags' language, and the tokenizer for Chinese, "
            "Japanese and Korean.",
        ),
        click.option(
            "--num-refs", "-nr", type=click.IntRange(min=1), default=1, show_default=True,
            help="Number of tab-separated references in each line of a reference file.",
        ),
        click.option(
            "-s", "--source", metavar="FILE",
            help="Sources, one per line; for flags, and for metrics that use the source. Without "
            "-r and -m, qe scores by the source alone.",
        ),
        click.option(
            "-r", "--reference", "references", multiple=True, metavar="FILE",
            help="References, one per line; repeat for several references.",
        ),
    ):  # fmt: skip
        with_files = option(with_files)
    return cast("Command", with_files)


def _named_texts(
    test_set: str,
    pair: str | None,
    references: tuple[str, ...],
    source: str | None,
    num_refs: int,
) -> tuple[tuple[str, ...], str]:
    """The references and the source of a known test set, unless files are given beside it."""
    from concordant.scoring.known_test_sets import find_test_set

    if references or source is not None or num_refs > 1:
        raise click.UsageError(
            "--test-set has references and a source of its own; leave out -r, -s and --num-refs"
        )
    return find_test_set(test_set, pair)


def _list_test_sets(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """Print the known test sets and leave, if asked."""
    if not asked:
        return
    from concordant.scoring.known_test_sets import list_test_sets

    rows = list(list_test_sets())
    width = max(len(name) for name, _ in rows)
    for name, pairs in rows:
        say(f"{name:{width}}  {' '.join(pairs)}")
    context.exit()


def show(table: Table, form: str) -> None:
    """Print a table to stdout in the requested format; tsv and jsonl put warnings on stderr."""
    from concordant.report.tables import FORMATS as RENDERERS

    standard_output().write(RENDERERS[form](table))  # what is in it has been made safe
    if form in {"tsv", "jsonl"}:
        warn(table.warnings)


def warn(lines: Iterable[str]) -> None:
    """Print warnings on stderr, even with --quiet."""
    for line in lines:
        click.echo(f"warning: {printable_line(line)}", err=True)


def say(text: str, *, err: bool = False) -> None:
    """Print text on stdout or stderr, without control characters."""
    if not err:
        standard_output()
    click.echo(printable(text), err=err)


def notes(lines: Iterable[str], *, quiet: bool) -> None:
    """Print notes on stderr, one line each."""
    if not quiet:
        for line in lines:
            click.echo(f"note: {printable_line(line)}", err=True)


def standard_output() -> TextIO:
    """Standard output; an error if it is closed, so that no result is lost."""
    if sys.stdout is None:
        raise ConcordantError("standard output is closed; redirect it to a file")
    return sys.stdout


def reading_notes(collection: Collection, *, why: bool, quiet: bool) -> None:
    """Print the notes on judgements that were read; with `why`, also every skipped file."""
    known = (note for note in collection.notes if not (why and note.endswith("--why")))
    notes(known, quiet=quiet)
    notes(map(str, collection.left_out if why else ()), quiet=False)


def tracker(*, quiet: bool) -> Callable[[Sequence[Item], str], Iterable[Item]]:
    """A wrapper that shows a progress bar on stderr if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        return lambda items, _: items
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return lambda items, words: track(items, _label(words), console=console, transient=True)


def find_metrics(
    names: Sequence[str],
    language: str | None,
    seen: Callable[[], Signs],
    *,
    references: bool = True,
    explain: bool = False,
) -> tuple[list[Scorer], tuple[str, ...]]:
    """What scores by these names, or by default; and the warnings on the choice of the default.

    `seen` gives what the texts show; it is asked only where neither a name nor a language is given.
    With `explain`, a metric whose scores can be explained takes the place of the default for
    English.
    """
    from concordant.metrics.find import default_metric, default_warnings, find

    if names:
        return find(names, language), ()
    shown = seen() if language is None else None
    if explain and default_metric(language, shown, references=references) == DEFAULT_METRIC:
        return find(EXPLAINED_METRIC), (NOT_EXPLAINED,)
    warnings = default_warnings(language, shown, references=references)
    return find(None, language, shown, references=references), warnings


def progress(
    items: Iterable[Item],
    size: Callable[[Item], int],
    total: int | None,
    words: str,
    *,
    quiet: bool,
) -> Iterator[Item]:
    """Yield the items, with a progress bar by size on stderr if that is a terminal."""
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
    """The label of a progress bar, with rich's markup escaped."""
    from rich.markup import escape

    return escape(printable_line(words))

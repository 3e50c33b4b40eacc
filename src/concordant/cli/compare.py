"""`concordant compare`: which system is better, how sure that is, and where they differ."""

from __future__ import annotations

import json
import os
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concordant.cli.output import named_for, notes, output_options, show, text_options, tracker
from concordant.specs import DEFAULT_METRIC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.scoring.comparison import Comparison
    from concordant.scoring.line_blocks import TextFiles


@click.command(name="compare")
@click.argument("translations", nargs=-1, required=True, metavar="FILE FILE…")
@text_options
@click.option(
    "-m", "--metric", "metrics", multiple=True, default=(DEFAULT_METRIC,), show_default=True,
    metavar="NAME",
    help="As for score; repeatable: the first one ranks, all stand side by side.",
)  # fmt: skip
@click.option(
    "--documents", metavar="FILE",
    help="The document of each segment, one name a line; documents are resampled as a whole.",
)  # fmt: skip
@click.option("--html", metavar="FILE", help="Also write a page for the browser, in one file.")
@click.option("--segments", type=click.IntRange(min=0), default=3, show_default=True,
              help="How many of the segments to show where the two best differ most.")  # fmt: skip
@click.option(
    "--resamples", type=click.IntRange(min=100),
    help="Resampled test sets, for intervals and the bootstrap test. Default: 1000, more for many "
    "systems.",
)  # fmt: skip
@click.option(
    "--permutations", type=click.IntRange(min=100),
    help="Random exchanges, for approximate randomisation. Default: 10000, more for many systems.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--threads", type=click.IntRange(min=1), default=os.cpu_count() or 1,
              help="Default: all cores.")  # fmt: skip
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    translations: tuple[str, ...],
    files: TextFiles,
    language: str | None,
    metrics: tuple[str, ...],
    documents: str | None,
    html: str | None,
    segments: int,
    resamples: int | None,
    permutations: int | None,
    seed: int,
    threads: int,
    form: str,
    quiet: bool,
) -> None:
    """Compare systems, each a FILE of outputs one a line, against references.

    Ranks them with intervals, tests every pair by paired bootstrap and by approximate
    randomisation, and shows where they differ.
    """
    from concordant.scoring.comparison import compare
    from concordant.scoring.comparison_options import Options
    from concordant.scoring.line_blocks import check_lengths, read_lines

    _check_request(files, translations)
    files.check(translations)
    if documents is not None:
        check_lengths([translations[0], documents])
    if html is not None:
        _check_place(Path(html))
    result = compare(
        dict(zip(short_names(translations), map(_lines, translations), strict=True)),
        files.all_references("compare"),
        None if files.source is None else _lines(files.source),
        metric=named_for(metrics, language, files, quiet=quiet),
        documents=None if documents is None else list(read_lines(documents)),
        language=language,
        options=Options(resamples, permutations, seed=seed),
        threads=threads,
        track=tracker(quiet=quiet),
    )
    if html is not None:
        from concordant.report.page import page

        draft = Path(f"{html}.part")
        draft.write_text(page(result), encoding="utf-8")
        draft.replace(html)
        notes([f"the report is in {html}"], quiet=quiet)
    _print(result, form, segments)


def _lines(name: str) -> list[str]:
    from concordant.scoring.line_blocks import read_lines

    return list(read_lines(name))


def _print(result: Comparison, form: str, segments: int) -> None:
    from concordant.report.comparison import comparison_document, comparison_tables
    from concordant.report.verdict import verdict

    if form == "json":
        whole = comparison_document(result, segments=segments)
        click.echo(json.dumps(whole, ensure_ascii=False, indent=2, allow_nan=False))
        return
    if form == "table":
        click.echo(f"{verdict(result)}\n")
    tables = comparison_tables(result, segments=segments)
    if form != "table":
        tables = [table for table in tables if table.records]
    for i, table in enumerate(tables):
        if i and form != "jsonl":
            click.echo()
        show(table, form)


def _check_request(files: TextFiles, translations: Sequence[str]) -> None:
    if len(translations) < 2:
        raise click.UsageError("a comparison needs two files of outputs or more")
    if len(set(translations)) < len(translations):
        raise click.UsageError("the same translation is given twice")
    if "-" in [*files.names, *translations]:
        raise click.UsageError("a comparison reads files; standard input cannot be one of them")


def _check_place(path: Path) -> None:
    """Make the page's folder, or refuse the place, before the work is done and not after."""
    if path.is_dir():
        raise click.UsageError(f"{path} is a folder; name a file for the page")
    path.resolve().parent.mkdir(parents=True, exist_ok=True)


def short_names(paths: Sequence[str]) -> list[str]:
    """What systems are called: the files' names without folder and ending, if they still differ.

    What all of them begin with goes too, up to a dot, dash or underscore, unless it leaves numbers.

    >>> short_names(["out/a.txt", "out/b.txt"]), short_names(["1/x.txt", "2/x.txt"])
    (['a', 'b'], ['1/x.txt', '2/x.txt'])
    >>> short_names(["wmt12.de-en.onlineA", "wmt12.de-en.onlineB"])
    ['onlineA', 'onlineB']
    >>> short_names(["base-1.5.txt", "base-1.6.txt"])
    ['base-1.5', 'base-1.6']
    """
    whole = [Path(each).name.removesuffix(".gz") for each in paths]
    stems = [name.rpartition(".")[0] for name in whole]
    for names in (stems, whole):
        if all(names) and len(set(names)) == len(paths):
            alike = sum(1 for _ in takewhile(lambda signs: len(set(signs)) == 1, zip(*names)))  # noqa: B905 - up to the shortest
            cut = max(names[0].rfind(sign, 0, alike) for sign in ".-_") + 1
            shorter = [name[cut:] for name in names]
            return names if any(not name or name[0].isdigit() for name in shorter) else shorter
    return list(paths)

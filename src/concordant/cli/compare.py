"""`concordant compare`: which system is better, how sure that is, and where they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from concordant.cli.output import (
    THREADS,
    find_metrics,
    notes,
    output_options,
    say,
    show,
    text_options,
    tracker,
)
from concordant.cli.score_run import ScoreRun
from concordant.cli.scored_systems import SystemView, show_systems

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.comparison_result import Comparison
    from concordant.scoring.line_blocks import TextFiles


@click.command(name="compare")
@click.argument("translations", nargs=-1, required=True, metavar="FILE…")
@text_options
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="NAME",
    help="As for score. Repeatable: the first ranks, all are shown side by side. Default: fast, or "
    "fast-any if -l is not English.",
)  # fmt: skip
@click.option(
    "--documents", metavar="FILE",
    help="Document names, one per segment and line; documents are resampled as a whole.",
)  # fmt: skip
@click.option(
    "--baseline", metavar="NAME",
    help="Test the other systems against this one only; p-values are corrected for these tests "
    "alone.",
)  # fmt: skip
@click.option("--html", metavar="FILE", help="Also write a self-contained HTML report.")
@click.option("--segments", type=click.IntRange(min=0), default=3, show_default=True,
              help="Segments to show, where the two best systems differ most.")  # fmt: skip
@click.option(
    "--resamples", type=click.IntRange(min=100),
    help="Bootstrap resamples, for intervals and the bootstrap test. Default: 1000, more for many "
    "systems.",
)  # fmt: skip
@click.option(
    "--permutations", type=click.IntRange(min=100),
    help="Permutations of approximate randomisation. Default: 10000, more for many systems.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@THREADS
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    translations: tuple[str, ...],
    files: TextFiles,
    language: str | None,
    metrics: tuple[str, ...],
    documents: str | None,
    baseline: str | None,
    html: str | None,
    segments: int,
    resamples: int | None,
    permutations: int | None,
    seed: int,
    threads: int,
    form: str,
    quiet: bool,
) -> None:
    """Compare systems, each a FILE of translations, one per line, against references.

    Ranks them with confidence intervals, tests every pair by paired bootstrap and approximate
    randomisation, and shows where they differ. One FILE is scored, with its interval.
    """
    from concordant.encoders.cache.cache import cache_notes
    from concordant.errors import check_known
    from concordant.output_files import output_place, write_whole
    from concordant.scoring.comparison import compare
    from concordant.scoring.comparison_options import ComparisonOptions
    from concordant.scoring.line_blocks import check_lengths
    from concordant.scoring.system_names import system_names

    _check_request(files, translations)
    if len(translations) == 1:
        _check_alone({"--documents": documents, "--baseline": baseline, "--html": html})
        _score_one(
            files,
            translations[0],
            find_metrics(metrics, language, quiet=quiet),
            {"threads": threads, "size": None, "language": language},
            form,
            quiet=quiet,
        )
        return
    read = [*files.names, *translations, *([] if documents is None else [documents]), *metrics]
    place = None if html is None else output_place(html, read)
    files.check(translations)
    if documents is not None:
        check_lengths([translations[0], documents], files.longest)
    names = dict(zip(translations, system_names(translations), strict=True))
    if baseline is not None:  # the name of the system, or its file
        baseline = names.get(baseline, baseline)
        check_known("baseline", baseline, names.values())
    result = compare(
        {names[file]: files.all_lines(file) for file in translations},
        files.all_references("compare", again=False),
        None if files.source is None else files.all_lines(files.source),
        metric=find_metrics(metrics, language, quiet=quiet),
        documents=None if documents is None else files.all_lines(documents),
        baseline=baseline,
        language=language,
        options=ComparisonOptions(resamples, permutations, seed=seed),
        threads=threads,
        track=tracker(quiet=quiet),
    )
    if place is not None:
        from concordant.report.page import page

        write_whole(place, page(result))
        notes([f"report written to {html}"], quiet=quiet)
    _print(result, form, segments)
    notes(cache_notes(), quiet=quiet)


def _check_alone(options: Mapping[str, str | None]) -> None:
    """Raise a usage error for options that a single system has no use for."""
    for option, value in options.items():
        if value is not None:
            raise click.UsageError(f"{option} needs at least two files of translations to compare")


def _score_one(
    files: TextFiles,
    translation: str,
    metrics: Sequence[Scorer],
    how: dict[str, Any],
    form: str,
    *,
    quiet: bool,
) -> None:
    """One system has nothing to be compared with: print its scores and intervals, as `score`."""
    from concordant.scoring.system_names import system_names

    lines = files.check([translation])
    systems = dict(zip(system_names([translation]), [translation], strict=True))
    show_systems(ScoreRun(files, systems, metrics, lines, quiet, form, how), SystemView(form=form))


def _print(result: Comparison, form: str, segments: int) -> None:
    from concordant.report.comparison import comparison_document, comparison_tables
    from concordant.safe_text import json_text

    if form == "json":
        whole = comparison_document(result, segments=segments)
        say(json_text(whole, indent=2))
        return
    if form == "table":
        say(f"{result.verdict}\n")
    tables = comparison_tables(result, segments=segments)
    if form != "table":
        tables = [table for table in tables if table.records]
    for i, table in enumerate(tables):
        if i and form != "jsonl":
            say("")
        show(table, form)


def _check_request(files: TextFiles, translations: Sequence[str]) -> None:
    if len(set(translations)) < len(translations):
        raise click.UsageError("the same translation file is given twice")
    if "-" in [*files.names, *translations]:
        raise click.UsageError("compare cannot read standard input; save the text to a file first")

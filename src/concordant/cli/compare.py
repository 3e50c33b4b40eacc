"""`concordant compare`: which system is better, how sure that is, and where they differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.output import (
    COLUMNS,
    SEED,
    THREADS,
    find_metrics,
    notes,
    output_options,
    say,
    show,
    text_options,
    tracker,
)
from concordant.cli.pages import HTML, TITLE, day, page_place, write_page
from concordant.cli.score_run import ScoreRun
from concordant.cli.scored_systems import SystemView, show_systems
from concordant.cli.scored_table import TableRun, show_table_systems
from concordant.cli.table_input import is_table, open_table, whole_files, whole_table
from concordant.specs import DEFAULT_METRIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.comparison_result import Comparison
    from concordant.scoring.line_blocks import TextFiles
    from concordant.scoring.tables.system_texts import SystemTexts


@click.command(name="compare")
@click.argument("translations", nargs=-1, required=True, metavar="FILE…")
@text_options
@COLUMNS
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="NAME",
    help="As for score. Repeatable: the first ranks, all are shown side by side. Default: "
    f"{DEFAULT_METRIC}, or fast-any if the target language is not English.",
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
@HTML
@TITLE
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
@SEED
@THREADS
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    translations: tuple[str, ...],
    files: TextFiles,
    language: str | None,
    columns: tuple[str, ...],
    metrics: tuple[str, ...],
    documents: str | None,
    baseline: str | None,
    html: str | None,
    title: str | None,
    segments: int,
    resamples: int | None,
    permutations: int | None,
    seed: int,
    threads: int,
    form: str,
    quiet: bool,
) -> None:
    """Compare systems, each a FILE of translations, one per line, against references.

    Or one FILE is a table (csv, tsv, jsonl, parquet) with several systems.

    Ranks them with confidence intervals, tests every pair by paired bootstrap and approximate
    randomisation, and shows where they differ. One system is scored, with its interval.
    """
    from concordant.encoders.cache.cache import cache_notes
    from concordant.scoring.comparison import compare
    from concordant.scoring.comparison_options import ComparisonOptions
    from concordant.scoring.scores import signs_of_files

    tabular = is_table(files, translations, columns)
    _check_request(files, translations)
    whole = {"--documents": documents, "--baseline": baseline, "--html": html}
    read = [*files.names, *translations, *([] if documents is None else [documents]), *metrics]
    place = page_place(html, title, read)
    how = {"threads": threads, "size": None}
    if tabular:
        _check_options(whole, ["--documents"], "is for text files; a table has a column for that")
        table, found, chosen = open_table(
            translations[0], columns, metrics, language, longest=files.longest
        )
        texts, language = whole_table(table), table.language
        if len(texts.systems) == 1:
            _check_options(whole, whole, "needs at least two systems to compare")
            run = TableRun(table, found, how, quiet, chosen)
            show_table_systems(run, SystemView(form=form))
            return
    else:
        found, chosen = find_metrics(
            metrics, language, lambda: signs_of_files(files), references=bool(files.references)
        )
        if len(translations) == 1:
            _check_options(whole, whole, "needs at least two files of translations to compare")
            _score_one(files, translations[0], found, {**how, "language": language}, form, chosen,
                       quiet=quiet)  # fmt: skip
            return
        texts = whole_files(files, translations, documents)
    result = compare(
        texts.systems,
        texts.references,
        texts.sources,
        metric=found,
        documents=texts.documents,
        baseline=_baseline(baseline, translations, texts),
        language=language,
        options=ComparisonOptions(resamples, permutations, seed=seed),
        threads=threads,
        track=tracker(quiet=quiet),
    )
    result = replace(result, warnings=(*chosen, *result.warnings))
    if place is not None:
        named = [*files.references, *translations][0]
        write_page(place, _page(result, found, title, named, threads), quiet=quiet)
    _print(result, form, segments)
    notes(cache_notes(), quiet=quiet)


def _page(
    result: Comparison, metrics: Sequence[Scorer], title: str | None, named: str, threads: int
) -> str:
    """The page; it names the test set, or the file `named`, and the languages as the user did."""
    from pathlib import Path

    from concordant.report.html import PageFacts
    from concordant.report.page import page
    from concordant.scoring.explanations import explain_comparison

    asked = click.get_current_context().params
    test_set = asked["test_set"] or Path(named).name
    facts = PageFacts(title or "", test_set, asked["language"] or "", day())
    explained = explain_comparison(result, metrics, threads=threads)
    return page(result, facts, explained=explained)


def _check_options(options: Mapping[str, str | None], unfit: Iterable[str], words: str) -> None:
    """Raise a usage error for options that this input has no use for."""
    for name in unfit:
        if options[name] is not None:
            raise click.UsageError(f"{name} {words}")


def _baseline(asked: str | None, files: Sequence[str], texts: SystemTexts) -> str | None:
    """The system that was named, or whose file was."""
    from concordant.errors import check_known

    if asked is None:
        return None
    name = dict(zip(files, texts.systems, strict=False)).get(asked, asked)
    check_known("baseline", name, texts.systems)
    return name


def _score_one(
    files: TextFiles,
    translation: str,
    metrics: Sequence[Scorer],
    how: dict[str, Any],
    form: str,
    chosen: Sequence[str],
    *,
    quiet: bool,
) -> None:
    """One system has nothing to be compared with: print its scores and intervals, as `score`."""
    from concordant.scoring.system_names import system_names

    lines = files.check([translation])
    systems = dict(zip(system_names([translation]), [translation], strict=True))
    run = ScoreRun(files, systems, metrics, lines, quiet, form, how, chosen)
    show_systems(run, SystemView(form=form))


def _print(result: Comparison, form: str, segments: int) -> None:
    from concordant.report.comparison import comparison_document, comparison_tables
    from concordant.safe_text import json_text

    if form == "json":
        whole = comparison_document(result, segments=segments)
        say(json_text(whole, indent=2))
        return
    if form == "table":
        say("\n".join([result.verdict, "", *result.facts, ""]))
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

"""`concordant evaluate`: agreement of metrics with people, with intervals and p-values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from concordant.cli.output import (
    JUDGED,
    SEED,
    WHY,
    notes,
    output_options,
    reading_notes,
    show,
    tracker,
)
from concordant.cli.pages import HTML, TITLE, day, page_place, write_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.evaluation.evaluation import Evaluation


def _list(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[str, ...]:
    return () if value is None else tuple(part.strip() for part in value.split(",") if part.strip())


@click.command(name="evaluate", short_help="Measure how well metrics agree with people.")
@click.option(
    "-m", "--metric", "metrics", multiple=True, required=True, metavar="NAME|FILE",
    help="A metric (see `concordant metrics`), or a file or folder of scores; repeatable.",
)  # fmt: skip
@click.option(
    "--judgements", "-j", "paths", multiple=True, required=True, metavar="PATH",
    help="A file or folder of judgements, with or without texts; repeatable.",
)  # fmt: skip
@click.option(
    "--texts", multiple=True, metavar="PATH",
    help="A file or folder to read only texts from; repeatable.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["segment", "system"]), default="segment", show_default=True,
    help="Compare scores of single translations or of whole systems.",
)  # fmt: skip
@click.option(
    "--statistic", "statistics", callback=_list, metavar="NAME,…",
    help="Statistics, one table each (see `concordant metrics`). Default: pearson for ratings "
    "and for systems, tau-wmt14 for rankings and preferences.",
)  # fmt: skip
@click.option(
    "--pairs", callback=_list, metavar="LP,…",
    help='Language pairs, such as "de-en,*-en", optionally with a test set: "newstest2016 *-en".',
)  # fmt: skip
@click.option("--baseline", metavar="NAME", help="Test every metric against this one.")
@click.option(
    "--test", type=click.Choice(["permutation", "williams"]), default="permutation",
    show_default=True,
    help="Significance test; williams only for pearson, within a language pair.",
)  # fmt: skip
@JUDGED
@click.option("--human", metavar="NAME", help="Human score to use, if a test set has several.")
@click.option(
    "--average", type=click.Choice(["pooled", "segment", "system"]), default="pooled",
    show_default=True,
    help="Over all translations, or the mean over segments or over systems.",
)  # fmt: skip
@click.option(
    "--minimum-gap", type=float, metavar="X",
    help="Ignore pairs whose ratings differ by less than this (tau-darr: 25).",
)  # fmt: skip
@click.option(
    "--system-scores", type=click.Choice([ "expected-wins", "better", "better-or-equal",
    "strictly-better", "bradley-terry", "trueskill", ]), default="expected-wins", show_default=True,
    help="How human scores of systems are computed from comparisons.",
)  # fmt: skip
@click.option(
    "--entities", type=click.Choice(["auto", "characters", "text"]), default="auto",
    show_default=True,
    help="How HTML entities such as &quot; in texts are read; auto reads characters in test sets "
    "where one system or reference has them in 5 % of its lines.",
)  # fmt: skip
@click.option("--drop-outliers", is_flag=True, help="Leave out systems beyond 2.5 MAD.")
@click.option("--by-document", is_flag=True, help="Resample documents instead of segments.")
@click.option(
    "--lower-is-better", multiple=True, metavar="FILE",
    help="A file of scores in which lower is better; repeatable.",
)  # fmt: skip
@click.option("--resamples", type=int, default=1000, show_default=True, help="Bootstrap resamples.")
@click.option("--permutations", type=int, default=1000, show_default=True, help="Draws per test.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence level.")
@SEED
@HTML
@TITLE
@WHY
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    metrics: tuple[str, ...],
    paths: tuple[str, ...],
    texts: tuple[str, ...],
    statistics: tuple[str, ...],
    minimum_gap: float | None,
    html: str | None,
    title: str | None,
    why: bool,
    form: str,
    quiet: bool,
    **options: object,
) -> None:
    """Measure how well metrics agree with people.

    One row per metric, one column per language pair and their average, with bootstrap intervals and
    paired permutation tests. A plain file of scores, one per line, must follow the order in which
    the judgements first name the translations.
    """
    from concordant.encoders.cache.cache import cache_notes
    from concordant.evaluation.evaluation import evaluate
    from concordant.evaluation.options import EvaluationOptions
    from concordant.judgements.detection import read, read_each
    from concordant.judgements.merging import merge
    from concordant.records import Collection
    from concordant.report.evaluation import evaluation_table

    if html is not None and len(statistics) > 1:
        raise click.UsageError("--html shows one statistic; give one with --statistic")
    place = page_place(html, title, [*paths, *texts, *metrics])
    judged = read_each(paths)
    collection = merge([judged, *(Collection(testsets=read(path).testsets) for path in texts)])
    reading_notes(collection, why=why, quiet=quiet)
    for statistic in statistics or (None,):
        asked = EvaluationOptions(statistic=statistic, gap=minimum_gap, **options)  # type: ignore[arg-type]
        result = evaluate(
            metrics,
            collection,
            asked,
            keep_points=place is not None,
            track=tracker(quiet=quiet),
        )
        notes([each for each in result.notes if each not in collection.notes], quiet=quiet)
        show(evaluation_table(result), form)
        if place is not None:
            write_page(place, _page(result, title, paths), quiet=quiet)
    notes(cache_notes(), quiet=quiet)


def _page(result: Evaluation, title: str | None, paths: Sequence[str]) -> str:
    """The page; it names the judgements by their files."""
    from pathlib import Path

    from concordant.report.evaluation_page import evaluation_page
    from concordant.report.html import PageFacts

    names = ", ".join(Path(each).resolve().name for each in paths)
    return evaluation_page(result, PageFacts(title or "", test_set=names, date=day()))

"""`concordant evaluate`: agreement of metrics with people, with intervals and tests."""

from __future__ import annotations

import click

from concordant.cli.output import WHY, notes, output_options, reading_notes, show, tracker


def _list(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[str, ...]:
    return () if value is None else tuple(part.strip() for part in value.split(",") if part.strip())


@click.command(name="evaluate", short_help="Measure how far metrics agree with people.")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    required=True,
    metavar="NAME|FILE",
    help="A measure (see `concordant metrics`), a file of scores or a folder of them; repeatable.",
)
@click.option(
    "--judgements",
    "-j",
    "paths",
    multiple=True,
    required=True,
    metavar="PATH",
    help="A file or folder with judgements, and texts if it has them; repeatable.",
)
@click.option(
    "--texts",
    multiple=True,
    metavar="PATH",
    help="A file or folder to take texts from, and nothing else; repeatable.",
)
@click.option(
    "--level",
    type=click.Choice(["segment", "system"]),
    default="segment",
    show_default=True,
    help="Compare single outputs or whole systems.",
)
@click.option(
    "--statistic",
    "statistics",
    callback=_list,
    metavar="NAME,…",
    help="One or more, one table each (see `concordant metrics`). Default: pearson for ratings "
    "and for systems, tau-wmt14 for rankings and preferences.",
)
@click.option(
    "--pairs",
    callback=_list,
    metavar="LP,…",
    help='Language pairs, such as "de-en,*-en", or test sets with them: "newstest2016 *-en".',
)
@click.option("--baseline", metavar="NAME", help="Test every metric against this one.")
@click.option(
    "--test",
    type=click.Choice(["permutation", "williams"]),
    default="permutation",
    show_default=True,
    help="How two metrics are compared; williams is for pearson, within language pairs.",
)
@click.option(
    "--judged",
    type=click.Choice(["rankings", "preferences", "ratings", "system ratings"]),
    help="Which judgements to use where there are several kinds.",
)
@click.option("--human", metavar="NAME", help="Which human score, where a test set has several.")
@click.option(
    "--average",
    type=click.Choice(["pooled", "segment", "system"]),
    default="pooled",
    show_default=True,
    help="All outputs at once, or the mean within segments, or within systems.",
)
@click.option(
    "--minimum-gap",
    type=float,
    metavar="X",
    help="Pairs of ratings closer than this do not count (tau-darr: 25).",
)
@click.option(
    "--system-scores",
    type=click.Choice([
        "expected-wins",
        "better",
        "better-or-equal",
        "strictly-better",
        "bradley-terry",
        "trueskill",
    ]),
    default="expected-wins",
    show_default=True,
    help="How comparisons become human scores of systems.",
)
@click.option("--drop-outliers", is_flag=True, help="Leave out systems 2.5 MAD off the median.")
@click.option("--by-document", is_flag=True, help="Resample documents instead of segments.")
@click.option(
    "--lower-is-better",
    multiple=True,
    metavar="FILE",
    help="A file of scores whose lower values are better; repeatable.",
)
@click.option("--resamples", type=int, default=1000, show_default=True, help="Of the bootstrap.")
@click.option("--permutations", type=int, default=1000, show_default=True, help="Of the tests.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of intervals.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Of all random draws.",
)
@WHY
@output_options
def command(
    metrics: tuple[str, ...],
    paths: tuple[str, ...],
    texts: tuple[str, ...],
    statistics: tuple[str, ...],
    minimum_gap: float | None,
    why: bool,
    form: str,
    quiet: bool,
    **options: object,
) -> None:
    """Measure how far metrics agree with people.

    One row a metric, one column a language pair and the average, with bootstrap intervals and
    paired permutation tests. Scores one a line belong to the judged outputs in the order in which
    the judgements first name them.
    """
    from concordant.encoders.cache.cache import cache_notes
    from concordant.evaluation.evaluation import evaluate
    from concordant.evaluation.options import Options
    from concordant.judgements.detection import read, read_each
    from concordant.judgements.merging import merge
    from concordant.records import Collection
    from concordant.report.evaluation import evaluation_table

    judged = read_each(paths)
    collection = merge([judged, *(Collection(testsets=read(path).testsets) for path in texts)])
    reading_notes(collection, why=why, quiet=quiet)
    for statistic in statistics or (None,):
        asked = Options(statistic=statistic, gap=minimum_gap, **options)  # type: ignore[arg-type]
        result = evaluate(metrics, collection, asked, track=tracker(quiet=quiet))
        notes([each for each in result.notes if each not in collection.notes], quiet=quiet)
        show(evaluation_table(result), form)
    notes(cache_notes(), quiet=quiet)

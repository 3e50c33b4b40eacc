"""`concordant metrics`: list metrics and statistics, or show what a metric consists of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from concordant.cli.output import output_options, say, show

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@click.group(name="metrics", invoke_without_command=True)
@output_options
@click.pass_context
def command(ctx: click.Context, form: str, quiet: bool) -> None:  # noqa: ARG001 - says nothing
    """List all metrics and statistics, or show what a metric consists of.

    Without a command: list them all.
    """
    from concordant.evaluation.statistics import STATISTICS
    from concordant.metrics.bundle import about_shipped
    from concordant.metrics.lexical.measures import MEASURES
    from concordant.report.tables import Table

    if ctx.invoked_subcommand is not None:
        return
    rows = [
        ("metric", name, "segment, system", each.title) for name, each in about_shipped().items()
    ]
    rows += [
        ("metric", name, "segment, system", f"{each.title}; {_options(each.options)}")
        for name, each in MEASURES.items()
    ]
    rows += [("statistic", name, ", ".join(s.levels), s.title) for name, s in STATISTICS.items()]
    header = ["what", "name", "levels", "description"]
    records = [dict(zip(header, row, strict=True)) for row in rows]
    show(Table(header, rows, records, text_columns=4), form)


@command.command(name="show")
@click.argument("name", metavar="NAME|FOLDER")
@output_options
def show_one(name: str, form: str, quiet: bool) -> None:  # noqa: ARG001 - says nothing
    """Show what a metric consists of; for a trained one, also its card.

    NAME is a metric such as bleu, FOLDER the folder of a trained metric.
    """
    from concordant.metrics.bundle import training_record
    from concordant.metrics.find import load, place_and_scale
    from concordant.metrics.learned import Metric
    from concordant.metrics.spellings import written_name
    from concordant.report.explanations import options_table, weights_table

    metric = load(name)
    if isinstance(metric, Metric):
        show(weights_table(metric, training_record(place_and_scale(written_name(name))[0])), form)
        if form == "table" and metric.card:
            say(f"\n{metric.card.rstrip()}")
    else:
        show(options_table(metric), form)


def _options(options: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{name}={'|'.join(values)}" for name, values in options.items())

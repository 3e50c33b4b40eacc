"""`concordant metrics`: the metrics that can be named, and the statistics they are judged by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from concordant.cli.output import output_options, show

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@click.command(name="metrics")
@output_options
def command(form: str, quiet: bool) -> None:  # noqa: ARG001 - there is nothing to be quiet about
    """List the metrics and statistics that there are."""
    from concordant.lexical.measures import MEASURES
    from concordant.meta.statistics import STATISTICS
    from concordant.report.tables import Table

    rows = [
        ("metric", name, "segment, system", f"{each.title}; {_options(each.options)}")
        for name, each in MEASURES.items()
    ]
    rows += [("statistic", name, ", ".join(s.levels), s.title) for name, s in STATISTICS.items()]
    header = ["what", "name", "levels", "description"]
    records = [dict(zip(header, row, strict=True)) for row in rows]
    show(Table(header, rows, records, text_columns=4), form)


def _options(options: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{name}={'|'.join(values)}" for name, values in options.items())

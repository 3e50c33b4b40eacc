"""`concordant plan`: how many segments or human judgements settle a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from concordant.cli.output import (
    SEED,
    THREADS,
    find_metrics,
    output_options,
    show,
    text_options,
    tracker,
    warn,
)
from concordant.specs import DEFAULT_METRIC

if TYPE_CHECKING:
    from concordant.scoring.line_blocks import TextFiles

LEAST = 1e-6


@click.command(name="plan")
@click.argument("translations", nargs=-1, metavar="[FILE…]")
@text_options
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="NAME",
    help=f"As for score. Default: {DEFAULT_METRIC}, or fast-any if -l is not English.",
)  # fmt: skip
@click.option("-d", "--difference", type=click.FloatRange(min=LEAST), metavar="X",
              help="Difference of the metric's scores. Default: that of the given files.",
)  # fmt: skip
@click.option("--power", type=click.FloatRange(0.5, 0.99), default=0.8, show_default=True,
              help="How likely a true difference should be found significant.")  # fmt: skip
@SEED
@THREADS
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    translations: tuple[str, ...],
    files: TextFiles,
    language: str | None,
    metrics: tuple[str, ...],
    difference: float | None,
    power: float,
    seed: int,
    threads: int,
    form: str,
    quiet: bool,
) -> None:
    """Plan a test: how many segments, or human judgements, settle a difference.

    With references and two or more FILEs of translations, for each pair of these systems. Without,
    for a --difference that varies as is typical of past campaigns.
    """
    from concordant.report.plan import plan_table
    from concordant.scoring.plan import plan_from_comparison, plan_from_past
    from concordant.scoring.scores import signs_of_files

    _check_request(files, translations, difference)
    found, chosen = find_metrics(metrics, language, lambda: signs_of_files(files))
    if not translations and difference is not None:
        rows = plan_from_past(found, difference, language=language, power=power)
    else:
        from concordant.cli.table_input import whole_files
        from concordant.scoring.comparison import compare
        from concordant.scoring.comparison_options import ComparisonOptions

        texts = whole_files(files, translations, None)
        result = compare(
            texts.systems, texts.references, texts.sources, metric=found, language=language,
            options=ComparisonOptions(seed=seed), threads=threads, track=tracker(quiet=quiet),
        )  # fmt: skip
        rows = plan_from_comparison(result, difference, power=power)
    show(plan_table(rows, power=power), form)
    warn(chosen)


def _check_request(
    files: TextFiles, translations: tuple[str, ...], difference: float | None
) -> None:
    """Raise a usage error where neither files nor a difference can be planned for."""
    if not translations:
        if files.names:
            raise click.UsageError("references alone have no variance; name two translations too")
        if difference is None:
            raise click.UsageError(
                "give --difference, or references (-r) and the translations of two systems"
            )
    elif len(translations) < 2:
        raise click.UsageError("one system has no difference; name a second file of translations")
    elif len(set(translations)) < len(translations):
        raise click.UsageError("the same translation file is given twice")
    elif "-" in [*files.names, *translations]:
        raise click.UsageError("plan cannot read standard input; save the text to a file first")

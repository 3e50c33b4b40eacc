"""`concordant score`: scores of outputs against references, streaming."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click

from concordant.cli.output import FORMATS, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.lexical.measures import Measure


@click.command(name="score")
@click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    required=True,
    metavar="FILE",
    help="References, one a line; repeatable for several references.",
)
@click.option(
    "-t",
    "--translation",
    "translations",
    multiple=True,
    required=True,
    metavar="FILE",
    help="A system's outputs, one a line, or - for standard input; repeatable.",
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    default=("bleu", "chrf"),
    show_default=True,
    metavar="NAME",
    help="A measure, with options as in bleu(tok=intl), tokens(potion) or another feature of "
    "vectors, or a trained metric's folder; repeatable.",
)
@click.option(
    "--level",
    type=click.Choice(["system", "segment"]),
    default="system",
    show_default=True,
    help="One score a file, or one a line.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="Default: all cores.",
)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
    help="How to print the result; table is tsv at segment level.",
)  # fmt: skip
def command(
    references: tuple[str, ...],
    translations: tuple[str, ...],
    metrics: tuple[str, ...],
    level: str,
    threads: int,
    form: str,
) -> None:
    """Score translations against references, with any number of systems and measures.

    Files are read line by line, so their size does not matter; .gz is unpacked.
    """
    from concordant.scoring.line_blocks import STANDARD_INPUT, check_lengths
    from concordant.scoring.named import scorer_named

    measures = [scorer_named(name) for name in metrics]
    if [*references, *translations].count(STANDARD_INPUT) > 1:
        raise click.UsageError("standard input can stand for one file only")
    if STANDARD_INPUT in references and len(translations) > 1:
        raise click.UsageError("references are read once for each system; they must be files")
    if len(set(translations)) < len(translations):
        raise click.UsageError("the same translation is given twice")
    check_lengths([*references, *translations])
    if level == "system":
        _systems(references, translations, measures, threads, form)
    else:
        _segments(references, translations, measures, threads, form)


def _systems(
    references: Sequence[str],
    translations: Sequence[str],
    measures: Sequence[Measure],
    threads: int,
    form: str,
) -> None:
    from concordant.report.scores import score_table
    from concordant.scoring.scores import score_file, system_scores

    rows = {
        name: system_scores(score_file(name, references, measures, threads=threads), measures)
        for name in translations
    }
    show(score_table(rows, measures, len(references)), form)


def _segments(
    references: Sequence[str],
    translations: Sequence[str],
    measures: Sequence[Measure],
    threads: int,
    form: str,
) -> None:
    from concordant.scoring.scores import score_file

    names = [measure.name for measure in measures]
    if form in {"table", "tsv"}:
        click.echo("\t".join(["system", "segment", *names]))
    if form == "json":
        click.echo("[", nl=False)
    before = ""
    for system in translations:
        for block in score_file(system, references, measures, threads=threads):
            for line, values in enumerate(block.segments.tolist(), start=block.first):
                if form in {"table", "tsv"}:
                    click.echo("\t".join([system, str(line), *map(repr, values)]))
                    continue
                record = {
                    "system": system,
                    "segment": line,
                    **dict(zip(names, values, strict=True)),
                }
                text = json.dumps(record, ensure_ascii=False)
                click.echo(f"{before}{text}", nl=form == "jsonl")
                before = ",\n" if form == "json" else ""
    if form == "json":
        click.echo("]")
    for measure in measures:
        click.echo(measure.signature(level="segment"), err=True)

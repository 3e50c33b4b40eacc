"""`concordant score`: scores of outputs against references, streaming."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click

from concordant.cli.output import FORMATS, show

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    "--explain",
    is_flag=True,
    help="Also say which features moved the scores of a trained metric; for linear ones.",
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
    explain: bool,
    form: str,
) -> None:
    """Score translations against references, with any number of systems and measures.

    Files are read line by line, so their size does not matter; .gz is unpacked.
    """
    from concordant.scoring.line_blocks import STANDARD_INPUT, check_lengths
    from concordant.scoring.named import scorer_named

    if explain and len(metrics) != 1:
        raise click.UsageError("--explain needs one metric; name it with -m")
    measures = [scorer_named(name) for name in metrics]
    if [*references, *translations].count(STANDARD_INPUT) > 1:
        raise click.UsageError("standard input can stand for one file only")
    if STANDARD_INPUT in references and len(translations) > 1:
        raise click.UsageError("references are read once for each system; they must be files")
    if len(set(translations)) < len(translations):
        raise click.UsageError("the same translation is given twice")
    check_lengths([*references, *translations])
    if explain:
        _explained(references, translations, metrics[0], level, threads, form)
    elif level == "system":
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


def _explained(
    references: Sequence[str],
    translations: Sequence[str],
    name: str,
    level: str,
    threads: int,
    form: str,
) -> None:
    from concordant.report.explanations import moved_words, system_parts_table
    from concordant.scoring.explanations import explain_file, explainable, means_of, parts_of

    metric = explainable(name)
    files = {
        system: explain_file(metric, system, references, threads=threads) for system in translations
    }
    if level == "system":
        rows = {system: means_of(found) for system, found in files.items()}
        show(system_parts_table(metric, rows), form)
        return
    names = parts_of(metric)
    lines = (
        (system, line, score, parts)
        for system, found in files.items()
        for block in found
        for line, (score, parts) in enumerate(
            zip(block.scores.tolist(), block.parts, strict=True), start=block.first
        )
    )
    if form in {"table", "tsv"}:
        click.echo(f"system\tsegment\t{metric.name}\tmoved by")
        for system, line, score, parts in lines:
            click.echo(f"{system}\t{line}\t{score!r}\t{moved_words(names, parts)}")
    else:
        _records(
            (
                {
                    "system": system,
                    "segment": line,
                    metric.name: score,
                    "moved_by": dict(zip(names, parts.tolist(), strict=True)),
                }
                for system, line, score, parts in lines
            ),
            form,
        )
    click.echo(metric.signature(), err=True)


def _segments(
    references: Sequence[str],
    translations: Sequence[str],
    measures: Sequence[Measure],
    threads: int,
    form: str,
) -> None:
    from concordant.scoring.scores import score_file

    names = [measure.name for measure in measures]
    lines = (
        (system, line, values)
        for system in translations
        for block in score_file(system, references, measures, threads=threads)
        for line, values in enumerate(block.segments.tolist(), start=block.first)
    )
    if form in {"table", "tsv"}:
        click.echo("\t".join(["system", "segment", *names]))
        for system, line, values in lines:
            click.echo("\t".join([system, str(line), *map(repr, values)]))
    else:
        _records(
            (
                {"system": system, "segment": line, **dict(zip(names, values, strict=True))}
                for system, line, values in lines
            ),
            form,
        )
    for measure in measures:
        click.echo(measure.signature(level="segment"), err=True)


def _records(records: Iterable[Mapping[str, object]], form: str) -> None:
    """Records one after the other as they come, as jsonl or as one json list."""
    if form == "json":
        click.echo("[", nl=False)
    before = ""
    for record in records:
        text = json.dumps(record, ensure_ascii=False)
        click.echo(f"{before}{text}", nl=form == "jsonl")
        before = ",\n" if form == "json" else ""
    if form == "json":
        click.echo("]")

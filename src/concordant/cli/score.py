"""`concordant score`: score translations against references, streaming."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from concordant.cli.engine_options import engine_options
from concordant.cli.explained_scores import show_explained, texts_of_files, texts_of_table
from concordant.cli.output import (
    COLUMNS,
    THREADS,
    find_metrics,
    notes,
    output_options,
    text_options,
)
from concordant.cli.score_run import ScoreRun
from concordant.cli.scored_segments import write_segments
from concordant.cli.scored_systems import SystemView, show_systems
from concordant.cli.scored_table import TableRun, show_table_systems, write_table
from concordant.cli.table_input import is_table, open_table, whole_table
from concordant.specs import DEFAULT_METRIC, EXPLAINED_METRIC

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.output_files import OutputPlace
    from concordant.scoring.line_blocks import TextFiles


@click.command(name="score")
@click.argument("positional", nargs=-1, metavar="FILE…")
@click.option(
    "-t", "--translation", "named", multiple=True, metavar="FILE",
    help="The same as FILE; repeatable.",
)  # fmt: skip
@text_options
@COLUMNS
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="NAME",
    help="A shipped metric, a measure with options as in bleu(tok=intl), tokens(potion) or "
    "another vector feature, or the folder of a trained metric; repeatable, or a list as in "
    f"BLEU,chrF++. Default: {DEFAULT_METRIC}, or fast-any if the target language is not English.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["system", "segment"]), default="system", show_default=True,
    help="One score per file, or one per line.",
)  # fmt: skip
@click.option("--no-interval", is_flag=True,
              help="Leave out the confidence intervals of systems' scores.")  # fmt: skip
@click.option(
    "--baseline", metavar="NAME",
    help="Test the other systems against this one: is the change significant, and did people agree "
    "with such changes in past campaigns?",
)  # fmt: skip
@click.option("--verbose", "-v", is_flag=True,
              help="Also show what BLEU is made of: precisions, brevity penalty, lengths.",
)  # fmt: skip
@click.option("--score-only", "-b", "bare", is_flag=True,
              help="Print only the numbers, a line for each system.")  # fmt: skip
@click.option("--width", "-w", type=click.IntRange(0, 17), metavar="N",
              help="Decimals of systems' scores.")  # fmt: skip
@click.option(
    "--explain", is_flag=True,
    help="Show how much each feature contributed to the scores of a metric whose model is a "
    f"regression or linear. Default: {EXPLAINED_METRIC}, or fast-any if the target language is not "
    "English.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE",
              help="Write segment scores to a file; it appears once complete.")  # fmt: skip
@click.option("--resume", is_flag=True,
              help="Continue an interrupted run that writes to -o.")  # fmt: skip
@THREADS
@click.option("--batch", type=click.IntRange(1, 1_000_000), default=1000, show_default=True,
              help="Lines scored at once; does not change scores.")  # fmt: skip
@output_options
@engine_options
def command(  # noqa: PLR0917 - click passes them by name
    positional: tuple[str, ...],
    named: tuple[str, ...],
    files: TextFiles,
    language: str | None,
    columns: tuple[str, ...],
    metrics: tuple[str, ...],
    level: str,
    no_interval: bool,
    baseline: str | None,
    verbose: bool,
    bare: bool,
    width: int | None,
    explain: bool,
    output: str | None,
    resume: bool,
    threads: int,
    batch: int,
    form: str,
    quiet: bool,
) -> None:
    """Score translations, each FILE a system's with one per line, against references.

    Or one FILE is a table (csv, tsv, jsonl, parquet) with translations and references in columns;
    -o then writes the table with scores as further columns. With --engine, FILEs are any number of
    tables or folders of tables.

    Any number of systems and metrics. Files are read line by line, so they may be of any size;
    packed ones are unpacked. - is standard input. Suspicious segments are marked with flags.
    """
    from concordant.encoders.cache.cache import cache_notes
    from concordant.output_files import output_place
    from concordant.scoring.scores import signs_of_files
    from concordant.scoring.system_names import system_names

    translations = (*positional, *named)
    table = is_table(files, translations, columns)
    level = "segment" if table and output is not None else level
    _check_request(files, translations, level, explain, output, resume, form)
    _check_system_options(level, explain, bare, form, verbose or width is not None)
    read = [*files.names, *translations]
    place = None if output is None else output_place(output, [*read, *metrics])
    if resume:
        _check_resumable(read, place)
    systems = dict(zip(system_names(translations), translations, strict=True))
    whole = not (table or explain or bare) and level == "system"
    baseline = None if baseline is None else _baseline(baseline, systems, whole=whole)
    view = SystemView(not no_interval, verbose, bare, width, form, baseline)
    if table:
        texts, found, chosen = open_table(
            translations[0], columns, metrics, language, longest=files.longest, explain=explain
        )
        of_table = TableRun(texts, found, {"threads": threads, "size": batch}, quiet, chosen)
        if explain:
            explained = texts_of_table(_only(found), whole_table(texts), texts.language, chosen)
            show_explained(explained, level=level, threads=threads, form=form, quiet=quiet)
        elif level == "system":
            show_table_systems(of_table, view)
        else:
            write_table(of_table, place, resume=resume)
        notes(cache_notes(), quiet=quiet)
        return
    found, chosen = find_metrics(
        metrics, language, lambda: signs_of_files(files),
        references=bool(files.references), explain=explain,
    )  # fmt: skip
    how = {"threads": threads, "size": batch, "language": language}
    run = ScoreRun(files, systems, found, files.check(translations), quiet, form, how, chosen)
    if explain:
        explained = texts_of_files(_only(found), systems, files, language, chosen)
        show_explained(explained, level=level, threads=threads, form=form, quiet=quiet)
    elif level == "system":
        show_systems(run, view)
    else:
        write_segments(run, place, resume)
    notes(cache_notes(), quiet=quiet)


def _only(metrics: Sequence[Scorer]) -> Scorer:
    """The one metric that is to be explained."""
    if len(metrics) > 1:
        raise click.UsageError("--explain needs one metric; name it with -m")
    return metrics[0]


def _check_request(
    files: TextFiles,
    translations: Sequence[str],
    level: str,
    explain: bool,
    output: str | None,
    resume: bool,
    form: str,
) -> None:
    """Raise a usage error for options that contradict each other."""
    from concordant.scoring.line_blocks import can_be_read_again

    given = [*files.names, *translations]
    wrong = {
        "name at least one file of translations": not translations,
        "standard input (-) can be given for one file only": given.count("-") > 1,
        "with several systems, references and sources must be regular files": (
            len(translations) > 1 and not all(map(can_be_read_again, files.names))
        ),
        "the same translation file is given twice": len(set(translations)) < len(translations),
        "-o writes segment scores; add --level segment and leave out --explain": (
            output is not None and (level != "segment" or explain)
        ),
        "--resume continues a file; name it with -o": resume and output is None,
        "--resume needs --format tsv or jsonl": resume and form == "json",
    }
    for message, holds in wrong.items():
        if holds:
            raise click.UsageError(message)


def _check_system_options(level: str, explain: bool, bare: bool, form: str, other: bool) -> None:
    """Raise a usage error for options of systems' scores where there are none."""
    if (bare or other) and (level != "system" or explain):
        raise click.UsageError("-b, -w and --verbose are for systems' scores; leave them out")
    if bare and form != "table":
        raise click.UsageError(f"-b prints only numbers; leave out --format {form}")


def _baseline(asked: str, systems: Mapping[str, str], *, whole: bool) -> str:
    """The system that was named, or whose file was; an error where nothing can be tested."""
    from concordant.errors import check_known

    if not whole:
        raise click.UsageError(
            "--baseline tests scores of whole text files; leave out -b, --level segment and "
            "--explain. Of a table, use compare."
        )
    if len(systems) < 2:
        raise click.UsageError("--baseline needs at least two files of translations")
    name = next((name for name, file in systems.items() if file == asked), asked)
    check_known("baseline", name, systems)
    return name


def _check_resumable(read: Sequence[str], place: OutputPlace | None) -> None:
    """Raise a usage error if an input or the output can be read or written only once."""
    for name in read:
        if name == "-" or (Path(name).exists() and not Path(name).is_file()):
            raise click.UsageError(
                f"--resume reads the inputs again, but {name} is not a regular file; save its "
                "text to a file first"
            )
    if place is not None and place.in_place:
        raise click.UsageError(f"--resume continues a regular file, and {place.asked} is not one")

"""`concordant score --engine`: tables scored one by one into a folder, and the systems' scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from concordant.cli.output import find_metrics, notes, progress, show, warn
from concordant.errors import ConcordantError, SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from concordant.cli.engine_request import EngineRequest
    from concordant.metrics.signs import Signs
    from concordant.scoring.engines.engines import EngineRun
    from concordant.scoring.engines.partition_job import PartitionJob
    from concordant.scoring.engines.partitions import Partition

SHOWN_ERRORS = 20


def score_partitions(
    paths: Sequence[str],
    folder: str | None,
    job: PartitionJob,
    engine: EngineRequest,
    *,
    form: str,
    quiet: bool,
) -> None:
    """Score tables into a folder and print the systems' scores from summed counts."""
    from concordant.output_files import output_folder
    from concordant.report.partitions import partitions_table
    from concordant.scoring.engines.engines import EngineRun
    from concordant.scoring.engines.partitions import find_partitions

    if folder is None:
        raise click.UsageError("--engine writes a folder of scored tables; name it with -o")
    if not paths:
        raise click.UsageError("name tables, or folders of tables")
    partitions = find_partitions(paths)
    metrics, chosen = find_metrics(
        job.metrics, job.language, lambda: _signs(job, partitions[0].path)
    )
    job = replace(job, metrics=tuple(each.name for each in metrics))
    job, references = _checked(job, partitions)
    job = replace(job, folder=str(output_folder(folder)))
    _check_apart(partitions, job.folder)
    run = EngineRun(job, partitions, engine.name or "local", engine.address, engine.processes)
    try:
        for _ in progress(run.outcomes(), lambda _: 1, len(partitions), folder, quiet=quiet):
            pass
    except KeyboardInterrupt:
        notes([f"complete tables are in {folder}; repeat the command to go on"], quiet=quiet)
        raise
    notes(_what_was_done(run, folder), quiet=quiet)
    warn(chosen)
    if run.errors:
        shown = run.errors[:SHOWN_ERRORS]
        hidden = len(run.errors) - len(shown)
        more = [f"… and {hidden} more"] if hidden else []
        words = (
            f"{len(run.errors)} of {len(partitions)} tables could not be scored, the others are "
            f"complete in {folder}; mend them and repeat the command"
        )
        raise ConcordantError("\n".join([*shown, *more, words]))
    show(partitions_table(run.summary, metrics, references, where=bool(job.where)), form)


def _signs(job: PartitionJob, path: str) -> Signs:
    """What the first table shows of its language; nothing where it cannot be read (said later)."""
    from concordant.metrics.signs import Signs
    from concordant.scoring.tables.columns import asked_columns, find_columns
    from concordant.scoring.tables.row_texts import signs_of_table, table_texts
    from concordant.scoring.tables.table_file import TableFile

    try:
        table = TableFile(path)
        columns = find_columns(path, table.columns(), asked_columns(job.columns), references=False)
        return signs_of_table(table_texts(table, columns, None))
    except ConcordantError:
        return Signs()


def _checked(job: PartitionJob, partitions: Sequence[Partition]) -> tuple[PartitionJob, int]:
    """The job in the language of the first table, and the number of references.

    Raises if any table lacks a column.
    """
    from concordant.scoring.batches import row_scorer
    from concordant.scoring.engines.partitions import check_partitions
    from concordant.scoring.tables.columns import asked_columns
    from concordant.scoring.tables.row_texts import table_texts
    from concordant.scoring.tables.table_file import TableFile

    first = TableFile(partitions[0].path)
    check_partitions(partitions, [])
    try:
        scorer = row_scorer(first, first.columns(), job.loaded(), job.columns, where=job.where)
    except SpecError:
        asked = asked_columns(job.columns).values()
        check_partitions(partitions, [name for names in asked for name in names])
        raise
    columns = scorer.texts.columns
    wanted = replace(columns, segment=None, document=None).names  # which are not read
    new = set(scorer.added)
    check_partitions(
        partitions, [*wanted, *(e.column for e in scorer.where if e.column not in new)]
    )
    if job.language is not None or columns.language is None:
        return job, len(columns.references)
    language = table_texts(first, columns, None).language
    return replace(job, language=language), len(columns.references)


def _check_apart(partitions: Sequence[Partition], folder: str) -> None:
    """Raise if a scored table would be written over a table that is read."""
    from concordant.output_files import output_place

    paths = [each.path for each in partitions]
    for each in partitions:
        output = each.output(folder)
        if output.exists():
            output_place(output, paths)


def _what_was_done(run: EngineRun, folder: str) -> Iterator[str]:
    found = run.summary
    if run.kept:
        yield f"{run.kept:,} of {len(run.partitions):,} tables were complete in {folder} already"
    if run.job.where:
        yield f"{found.kept:,} of {found.rows:,} rows written; rows that fail each condition:"
        yield from (f"  {text}: {found.failed[text]:,}" for text in run.job.where)
    if found.flags:
        words = ", ".join(f"{count:,} {flag}" for flag, count in sorted(found.flags.items()))
        yield f"flags: {words}"

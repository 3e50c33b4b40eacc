"""`concordant score --engine`: tables scored one by one into a folder, and the systems' scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concordant.cli.output import find_metrics, notes, progress, show
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from concordant.cli.engine_request import EngineRequest
    from concordant.metrics.scorer import Scorer
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
    from concordant.metrics.scope import scope_warnings
    from concordant.output_files import output_folder
    from concordant.report.partitions import partitions_table
    from concordant.scoring.engines.engines import EngineRun
    from concordant.scoring.engines.first_texts import open_first, signs_of_first
    from concordant.scoring.engines.partitions import check_partitions, find_partitions

    if folder is None:
        raise click.UsageError("--engine writes a folder of scored tables; name it with -o")
    if not paths:
        raise click.UsageError("name tables, or folders of tables")
    partitions = find_partitions(paths)
    check_partitions(partitions, [])
    first = open_first(partitions[0], job)
    seen, language = signs_of_first(first), first.language
    metrics, chosen = find_metrics(job.metrics, language, lambda: seen)
    job = replace(job, language=language, metrics=_metric_names(job, metrics))
    _check_columns(job, partitions)
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
    if run.errors:
        shown = run.errors[:SHOWN_ERRORS]
        hidden = len(run.errors) - len(shown)
        more = [f"… and {hidden} more"] if hidden else []
        words = (
            f"{len(run.errors)} of {len(partitions)} tables could not be scored, the others are "
            f"complete in {folder}; mend them and repeat the command"
        )
        raise ConcordantError("\n".join([*shown, *more, words]))
    scopes = (scope_warnings(each.name, each.scope, seen, language) for each in metrics)
    warnings = [*chosen, *(words for found in scopes for words in found), *run.summary.warnings()]
    references = len(first.columns.references)
    table = partitions_table(run.summary, metrics, references, warnings, where=bool(job.where))
    show(table, form)


def _metric_names(job: PartitionJob, metrics: Sequence[Scorer]) -> tuple[str, ...]:
    """The metrics as workers find them: by default those chosen, and a folder named in full."""
    from concordant.metrics.find import metric_list

    names = map(str, metric_list(list(job.metrics))) if job.metrics else (m.name for m in metrics)
    return tuple(str(Path(name).absolute()) if Path(name).is_dir() else name for name in names)


def _check_columns(job: PartitionJob, partitions: Sequence[Partition]) -> None:
    """Raise if any table lacks a column that the first one is read by."""
    from concordant.scoring.batches import row_scorer
    from concordant.scoring.engines.partitions import check_partitions
    from concordant.scoring.tables.table_file import TableFile

    first = TableFile(partitions[0].path)
    scorer = row_scorer(first, first.columns(), job.loaded(), job.columns, where=job.where)
    # Segments and documents are not read.
    wanted = replace(scorer.texts.columns, segment=None, document=None).names
    of_conditions = {each.column for each in scorer.where} - set(scorer.added)
    check_partitions(partitions, [*wanted, *sorted(of_conditions)])


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

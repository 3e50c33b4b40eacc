"""`concordant score` of a table: its systems' scores, or its rows with scores as columns."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.output import notes, progress, say, standard_output, warn
from concordant.cli.scored_systems import SystemView, flag_note, show_rows
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.output_files import OutputPlace
    from concordant.scoring.tables.row_texts import TableTexts
    from concordant.scoring.tables.scored_table import TableBlock, TableTally


@dataclass(frozen=True)
class TableRun:
    """A table, the metrics, and how to go through it."""

    texts: TableTexts
    metrics: Sequence[Scorer]
    how: dict[str, Any]
    quiet: bool
    chosen: Sequence[str] = ()  # the warnings on the choice of the default metric

    @property
    def path(self) -> str:
        """The table's file."""
        return self.texts.table.path

    def blocks(self, skip: int = 0) -> Iterator[TableBlock]:
        """The scored rows after the first `skip`."""
        from concordant.scoring.tables.scored_table import score_rows

        blocks = score_rows(self.texts, self.metrics, skip=skip, **self.how)
        return progress(blocks, lambda b: len(b.texts.rows), None, self.path, quiet=self.quiet)

    def tally(self, *, intervals: bool = False) -> TableTally:
        """An empty count of the systems."""
        from concordant.scoring.system_names import system_names
        from concordant.scoring.tables.scored_table import TableTally

        return TableTally(system_names([self.path])[0], intervals=intervals)

    def signatures(self, level: str) -> list[str]:
        """What computed the scores."""
        count = len(self.texts.columns.references)
        return [f"nrefs:{count}|{metric.signature(level=level)}" for metric in self.metrics]


def show_table_systems(run: TableRun, view: SystemView) -> None:
    """Print the scores of the systems in a table."""
    from concordant.scoring.scores import score_warnings

    tally = run.tally(intervals=view.intervals and not view.bare)
    for block in run.blocks():
        tally.add(block)
    rows = tally.scores(run.metrics)
    warnings = score_warnings(rows, run.metrics, run.texts.language, run.chosen)
    warnings[""] = (*warnings[""], *tally.uneven())
    show_rows(rows, run.metrics, len(run.texts.columns.references), warnings, view)
    notes((note for name, row in rows.items() for note in flag_note(name, row)), quiet=run.quiet)


def write_table(run: TableRun, place: OutputPlace | None, *, resume: bool) -> None:
    """Write the table with scores and flags as columns behind its own."""
    from concordant.output_files import open_in_place, words_for
    from concordant.scoring.tables.table_file import KINDS
    from concordant.scoring.tables.written_table import added_columns

    table = run.texts.table
    names = [metric.name for metric in run.metrics]
    added = added_columns(table, names, list(run.texts.columns.systems))
    if place is not None and not place.in_place and KINDS.get(place.path.suffix) != table.kind:
        kind = table.kind
        raise click.UsageError(
            f"{table.path} is written as {kind} again, and not packed; name the output .{kind}"
        )
    if place is not None and not place.in_place:
        _write_file(run, place, added, resume=resume)
    elif table.kind == "parquet":
        raise click.UsageError("parquet cannot be printed; name a file with -o")
    elif place is None:
        _stream(run, standard_output().write, added)
    else:
        with words_for(place.asked), open_in_place(place) as stream:
            _stream(run, stream.write, added)
    if not run.quiet:
        for signature in run.signatures("segment"):
            say(signature, err=True)


def _stream(run: TableRun, write: Any, added: Sequence[str]) -> None:
    """Write every row as soon as it is scored."""
    from concordant.scoring.tables.written_table import TextWriter, added_cells

    writer = TextWriter(run.texts.table, added)
    write(writer.heading)
    for block in _counted(run, 0):
        rows = zip(block.texts.rows, added_cells(block), strict=True)
        write("".join(writer.row(row.raw, writer.behind(cells)) for row, cells in rows))


def _write_file(run: TableRun, place: OutputPlace, added: Sequence[str], *, resume: bool) -> None:
    """Keep the new cells in a part, and write the whole table once all rows are scored."""
    from concordant.scoring.fingerprints import changed_since, fingerprint
    from concordant.scoring.resumable import ResumableFile
    from concordant.scoring.tables.written_table import added_cells, join_parts, part_writer

    table = run.texts.table
    before = fingerprint(run.path)
    request = {
        "metrics": [[metric.name for metric in run.metrics], run.signatures("segment")],
        "files": [run.path],
        "contents of the files": [before.digest],
        "columns": asdict(run.texts.columns),
        "language": run.texts.language,
    }

    line = part_writer(table, added)

    def join(part: Any, path: Any) -> None:
        join_parts(table, added, part, path)

    with ResumableFile(place, request, resume=resume, join=join) as file:
        try:
            for block in _counted(run, file.lines):
                file.write("".join(map(line, added_cells(block))))
        except KeyboardInterrupt:
            notes([f"finished rows are in {file.part}; continue with --resume"], quiet=run.quiet)
            raise
        if changed_since([before]):
            file.discard()
            raise ConcordantError(
                f"{run.path} changed during scoring; nothing was written to {place.asked}; "
                "run again"
            )


def _counted(run: TableRun, skip: int) -> Iterator[TableBlock]:
    """The blocks, and after the last one the warnings and flags of what was scored now."""
    from concordant.scoring.scores import score_warnings

    tally = run.tally()
    for block in run.blocks(skip):
        tally.add(block)
        yield block
    rows = tally.scores(run.metrics)
    if not rows:
        return
    notes((note for name, row in rows.items() for note in flag_note(name, row)), quiet=run.quiet)
    found = score_warnings(rows, run.metrics, run.texts.language, run.chosen)
    warn(words for each in found.values() for words in each)

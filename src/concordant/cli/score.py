"""`concordant score`: scores of outputs against references, streaming."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.output import named_for, notes, output_options, progress, show, text_options
from concordant.specs import DEFAULT_METRIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from concordant.lexical.measures import Measure
    from concordant.scoring.line_blocks import TextFiles

    Lines = Callable[[str, Any], list[str]]


@click.command(name="score")
@click.option(
    "-t", "--translation", "translations", multiple=True, required=True, metavar="FILE",
    help="A system's outputs, one a line, or - for standard input; repeatable.",
)  # fmt: skip
@text_options
@click.option(
    "-m", "--metric", "metrics", multiple=True, default=(DEFAULT_METRIC,), show_default=True,
    metavar="NAME",
    help="A metric that ships, a measure, with options as in bleu(tok=intl), tokens(potion) or "
    "another feature of vectors, or a trained metric's folder; repeatable.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["system", "segment"]), default="system", show_default=True,
    help="One score a file, or one a line.",
)  # fmt: skip
@click.option(
    "--explain", is_flag=True,
    help="Say which features moved the scores of a metric: fast, or another that was learnt as a "
    "regression or as a linear one.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write segment scores to a file, when whole.")
@click.option("--resume", is_flag=True, help="Go on with a file that was interrupted; needs -o.")
@click.option("--threads", type=click.IntRange(min=1), default=os.cpu_count() or 1,
              help="Default: all cores.")  # fmt: skip
@click.option("--batch", type=click.IntRange(min=1), default=1000, show_default=True,
              help="Lines that are scored at once; changes no score.")  # fmt: skip
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    translations: tuple[str, ...],
    files: TextFiles,
    language: str | None,
    metrics: tuple[str, ...],
    level: str,
    explain: bool,
    output: str | None,
    resume: bool,
    threads: int,
    batch: int,
    form: str,
    quiet: bool,
) -> None:
    """Score translations against references, with any number of systems and measures.

    Files are read line by line, so their size does not matter; .gz is unpacked. What is suspicious
    about a segment stands in its flags.
    """
    from concordant.scoring.named import scorers_named

    _check_request(files, translations, metrics, level, explain, output, resume, form)
    names = named_for(metrics, language, files, quiet=quiet)
    measures = scorers_named(names)
    lines = files.check(translations)
    how = {"threads": threads, "size": batch, "language": language}
    run = _Run(files, translations, measures, lines, quiet, form, how)
    if explain:
        _explained(run, names[0], level, threads)
    elif level == "system":
        _systems(run)
    else:
        _segments(run, output, resume)


@dataclass(frozen=True)
class _Run:
    """What all ways of scoring share."""

    files: TextFiles
    translations: Sequence[str]
    measures: Sequence[Measure]
    lines: int | None
    quiet: bool
    form: str
    how: dict[str, Any]

    def scored(self, system: str, skip: int = 0, beside: Sequence[str] = ()) -> Iterator[Any]:
        from concordant.scoring.line_blocks import can_be_read_again
        from concordant.scoring.scores import score_file

        again = [name for name in beside if can_be_read_again(name)]
        blocks = score_file(system, self.files, self.measures, skip=skip, beside=again, **self.how)
        total = None if self.lines is None else self.lines - skip
        return progress(blocks, lambda block: len(block.flags), total, system, quiet=self.quiet)


def _check_request(
    files: TextFiles,
    translations: Sequence[str],
    metrics: Sequence[str],
    level: str,
    explain: bool,
    output: str | None,
    resume: bool,
    form: str,
) -> None:
    """Refuse what cannot be asked for together."""
    given = [*files.names, *translations]
    wrong = {
        "--explain needs one metric; name it with -m": explain and len(metrics) != 1,
        "standard input can stand for one file only": given.count("-") > 1,
        "references and sources are read once for each system; they must be files": (
            "-" in files.names and len(translations) > 1
        ),
        "the same translation is given twice": len(set(translations)) < len(translations),
        "-o takes segment scores; add --level segment, without --explain": (
            output is not None and (level != "segment" or explain)
        ),
        "--resume goes on with a file; name it with -o": resume and output is None,
        "--resume needs --format tsv or jsonl": resume and form == "json",
        "--resume reads the files again; none can be standard input": resume and "-" in given,
    }
    for message, holds in wrong.items():
        if holds:
            raise click.UsageError(message)


def _systems(run: _Run) -> None:
    from concordant.report.scores import score_table
    from concordant.scoring.scores import system_scores

    rows = {
        name: system_scores(run.scored(name, beside=run.translations[1:] if i == 0 else ()),
                            run.measures)
        for i, name in enumerate(run.translations)
    }  # fmt: skip
    show(score_table(rows, run.measures, run.files.count), run.form)
    notes(
        (_flag_words(name, row.segments, row.flagged, row.flags) for name, row in rows.items()
         if row.flagged), quiet=run.quiet,
    )  # fmt: skip


def _segments(run: _Run, output: str | None, resume: bool) -> None:
    from concordant.report.segment_lines import heading, scored_jsonl, scored_tsv
    from concordant.scoring.resumable import ResumableFile

    names = [measure.name for measure in run.measures]
    tsv = run.form in {"table", "tsv"}
    head = heading(names, "flags") if tsv else None
    lines: Lines = scored_tsv if tsv else partial(scored_jsonl, names=names)
    signatures = [f"nrefs:{run.files.count}|{m.signature(level='segment')}" for m in run.measures]
    if output is None:
        _write(sys.stdout.write, run, lines, head, 0)
    else:
        with ResumableFile(output, _request(run, signatures), resume=resume) as file:
            try:
                _write(file.write, run, lines, head, file.lines)
            except KeyboardInterrupt:
                notes([f"what is done stays in {file.part}; --resume goes on"], quiet=run.quiet)
                raise
    if not run.quiet:
        for signature in signatures:
            click.echo(signature, err=True)


def _request(run: _Run, signatures: Sequence[str]) -> dict[str, Any]:
    """What a file of scores depends on: another request cannot go on with it."""
    files = [*run.files.names, *run.translations]
    return {
        "metrics": signatures,
        "format": "jsonl" if run.form == "jsonl" else "tsv",
        "files": files,
        "sizes of the files": [Path(name).stat().st_size for name in files if name != "-"],
        "references in a line": run.files.texts_each,
        "language": run.how["language"],
    }


def _write(
    write: Callable[[str], object], run: _Run, lines: Lines, head: str | None, done: int
) -> None:
    """The segments of all systems, without the `done` lines that are there already."""
    from concordant.report.segment_lines import streamed

    if head is not None and done == 0:
        write(f"{head}\n")
    skip = max(0, done - (head is not None))
    first, skip = divmod(skip, run.lines) if run.lines else (0, 0)
    for text in streamed(_blocks(run, lines, first, skip), run.form):
        write(text)


def _blocks(run: _Run, lines: Lines, first: int, skip: int) -> Iterator[list[str]]:
    """The lines of each block, from one system and segment on; notes on each system's flags."""
    beside = run.translations[first + 1 :]
    for system in run.translations[first:]:
        found, flagged, segments = Counter[str](), 0, 0
        for block in run.scored(system, skip, beside):
            yield lines(system, block)
            found.update(chain.from_iterable(block.flags))
            flagged += sum(map(bool, block.flags))
            segments += len(block.flags)
        skip, beside = 0, ()
        if flagged:
            notes([_flag_words(system, segments, flagged, found)], quiet=run.quiet)


def _flag_words(system: str, segments: int, flagged: int, found: Any) -> str:
    words = ", ".join(f"{count:,} {name}" for name, count in sorted(found.items()))
    return f"{system}: {flagged:,} of {segments:,} segments are suspicious: {words}"


def _explained(run: _Run, name: str, level: str, threads: int) -> None:
    from concordant.report.explanations import system_parts_table
    from concordant.report.segment_lines import explained_jsonl, explained_tsv, heading, streamed
    from concordant.scoring.explanations import explain_file, explainable, means_of, parts_of

    metric = explainable(name)
    found = {
        system: explain_file(metric, system, run.files, threads=threads)
        for system in run.translations
    }
    if level == "system":
        rows = {system: means_of(blocks) for system, blocks in found.items()}
        show(system_parts_table(metric, rows), run.form)
        return
    parts = parts_of(metric)
    if run.form in {"table", "tsv"}:
        lines: Lines = partial(explained_tsv, parts=parts)
        click.echo(heading([metric.name], "moved by"))
    else:
        lines = partial(explained_jsonl, name=metric.name, parts=parts)
    each = (lines(system, block) for system, blocks in found.items() for block in blocks)
    for text in streamed(each, run.form):
        click.echo(text, nl=False)
    if not run.quiet:
        click.echo(f"nrefs:{run.files.count}|{metric.signature()}", err=True)

"""`concordant score`: score translations against references, streaming."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concordant.cli.explained_scores import show_explained
from concordant.cli.output import (
    THREADS,
    find_metrics,
    notes,
    output_options,
    progress,
    say,
    show,
    standard_output,
    text_options,
    warn,
)
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.output_files import OutputPlace
    from concordant.scoring.line_blocks import TextFiles

    Lines = Callable[[str, Any], list[str]]


@click.command(name="score")
@click.option(
    "-t", "--translation", "translations", multiple=True, required=True, metavar="FILE",
    help="A system's translations, one per line, or - for standard input; repeatable.",
)  # fmt: skip
@text_options
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="NAME",
    help="A shipped metric, a measure with options as in bleu(tok=intl), tokens(potion) or "
    "another vector feature, or the folder of a trained metric; repeatable. Default: fast, or "
    "fast-any if -l is not English.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["system", "segment"]), default="system", show_default=True,
    help="One score per file, or one per line.",
)  # fmt: skip
@click.option(
    "--explain", is_flag=True,
    help="Show how much each feature contributed to the scores of a metric whose model is a "
    "regression (such as fast) or linear.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE",
              help="Write segment scores to a file; it appears once complete.")  # fmt: skip
@click.option("--resume", is_flag=True,
              help="Continue an interrupted run that writes to -o.")  # fmt: skip
@THREADS
@click.option("--batch", type=click.IntRange(1, 1_000_000), default=1000, show_default=True,
              help="Lines scored at once; does not change scores.")  # fmt: skip
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
    """Score translations against references, with any number of systems and metrics.

    Files are read line by line, so they may be of any size; .gz is unpacked. Suspicious segments
    are marked with flags.
    """
    from concordant.encoders.cache.cache import cache_notes
    from concordant.output_files import output_place

    _check_request(files, translations, metrics, level, explain, output, resume, form)
    read = [*files.names, *translations]
    place = None if output is None else output_place(output, [*read, *metrics])
    if resume:
        _check_resumable(read, place)
    found = find_metrics(metrics, language, quiet=quiet)
    lines = files.check(translations)
    how = {"threads": threads, "size": batch, "language": language}
    run = _Run(files, translations, found, lines, quiet, form, how)
    if explain:
        show_explained(
            found[0], translations, files, language,
            level=level, threads=threads, form=form, quiet=quiet,
        )  # fmt: skip
    elif level == "system":
        _systems(run)
    else:
        _segments(run, place, resume)
    notes(cache_notes(), quiet=quiet)


@dataclass(frozen=True)
class _Run:
    """What all levels of scoring share."""

    files: TextFiles
    translations: Sequence[str]
    metrics: Sequence[Scorer]
    lines: int | None
    quiet: bool
    form: str
    how: dict[str, Any]

    def scored(self, system: str, skip: int = 0, beside: Sequence[str] = ()) -> Iterator[Any]:
        from concordant.scoring.line_blocks import can_be_read_again
        from concordant.scoring.scores import score_file

        again = [name for name in beside if can_be_read_again(name)]
        blocks = score_file(system, self.files, self.metrics, skip=skip, beside=again, **self.how)
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
    """Raise a usage error for options that contradict each other."""
    from concordant.scoring.line_blocks import can_be_read_again

    given = [*files.names, *translations]
    wrong = {
        "--explain needs one metric; name it with -m": explain and len(metrics) > 1,
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


def _systems(run: _Run) -> None:
    from concordant.report.scores import score_table
    from concordant.scoring.scores import score_warnings, system_scores

    rows = {
        name: system_scores(run.scored(name, beside=run.translations[1:] if i == 0 else ()),
                            run.metrics)
        for i, name in enumerate(run.translations)
    }  # fmt: skip
    warnings = score_warnings(rows, run.metrics, run.how["language"])
    show(score_table(rows, run.metrics, run.files.count, warnings), run.form)
    notes(
        (_flag_words(name, row.segments, row.flagged, row.flags) for name, row in rows.items()
         if row.flagged), quiet=run.quiet,
    )  # fmt: skip


def _segments(run: _Run, place: OutputPlace | None, resume: bool) -> None:
    from concordant.output_files import open_in_place, words_for
    from concordant.report.segment_lines import heading, scored_jsonl, scored_tsv

    names = [metric.name for metric in run.metrics]
    tsv = run.form in {"table", "tsv"}
    head = heading(names, "flags") if tsv else None
    lines: Lines = scored_tsv if tsv else partial(scored_jsonl, names=names)
    signatures = [f"nrefs:{run.files.count}|{m.signature(level='segment')}" for m in run.metrics]
    if place is None:
        _write(standard_output().write, run, lines, head, 0)
    elif place.in_place:
        with words_for(place.asked), open_in_place(place) as stream:
            _write(stream.write, run, lines, head, 0)
    else:
        _write_file(place, resume, run, lines, head, signatures)
    if not run.quiet:
        for signature in signatures:
            say(signature, err=True)


def _write_file(
    place: OutputPlace,
    resume: bool,
    run: _Run,
    lines: Lines,
    head: str | None,
    signatures: Sequence[str],
) -> None:
    """Write the segments to a file; with `resume`, from where an interrupted run stopped."""
    from concordant.scoring.fingerprints import changed_since, fingerprint
    from concordant.scoring.resumable import ResumableFile

    inputs = [fingerprint(name) for name in (*run.files.names, *run.translations)]
    request = {
        "metrics": [[m.name for m in run.metrics], signatures],
        "format": {"table": "tsv"}.get(run.form, run.form),
        "files": [run.files.references, run.files.source, run.translations],
        "contents of the files": [each.digest for each in inputs],
        "references in a line": run.files.texts_each,
        "language": run.how["language"],
    }
    with ResumableFile(place, request, resume=resume) as file:
        try:
            _write(file.write, run, lines, head, file.lines)
        except KeyboardInterrupt:
            notes([f"finished lines are in {file.part}; continue with --resume"], quiet=run.quiet)
            raise
        if changed := changed_since(inputs):
            file.discard()
            raise ConcordantError(
                f"{', '.join(changed)} changed during scoring; nothing was written to "
                f"{place.asked}; run again"
            )


def _write(
    write: Callable[[str], object], run: _Run, lines: Lines, head: str | None, done: int
) -> None:
    """Write the segments of all systems, except the `done` lines that are already written."""
    from concordant.report.segment_lines import stream_lines

    if head is not None and done == 0:
        write(f"{head}\n")
    skip = max(0, done - (head is not None))
    first, skip = divmod(skip, run.lines) if run.lines else (0, 0)
    for text in stream_lines(_blocks(run, lines, first, skip), run.form):
        write(text)


def _blocks(run: _Run, lines: Lines, first: int, skip: int) -> Iterator[list[str]]:
    """Yield the lines of each block, from a given system and segment on, then print warnings."""
    from concordant.scoring.scores import SystemTally, reference_warnings, score_warnings

    continued, language = bool(first or skip), run.how["language"]
    beside, rows = run.translations[first + 1 :], {}
    for system in run.translations[first:]:
        tally = SystemTally()
        for block in run.scored(system, skip, beside):
            yield lines(system, block)
            tally.add(block)
        skip, beside = 0, ()
        if tally.segments:
            row = rows[system] = tally.scores(run.metrics)
            words = _flag_words(system, row.segments, row.flagged, row.flags)
            notes([words] if row.flagged else [], quiet=run.quiet)
    found = {} if continued or not rows else score_warnings(rows, run.metrics, language)
    if continued:  # segments scored by the interrupted run are not available
        found = {m.name: reference_warnings(run.files, m, language) for m in run.metrics}
    warn(words for each in found.values() for words in each)


def _flag_words(system: str, segments: int, flagged: int, found: Any) -> str:
    words = ", ".join(f"{count:,} {name}" for name, count in sorted(found.items()))
    return f"{system}: {flagged:,} of {segments:,} segments flagged: {words}"

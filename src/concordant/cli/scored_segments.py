"""`concordant score` at segment level: a line for each translation, streamed and resumable."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from concordant.cli.output import notes, say, standard_output, warn
from concordant.cli.scored_systems import flag_note
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from concordant.cli.score_run import ScoreRun
    from concordant.output_files import OutputPlace

    Lines = Callable[[str, Any], list[str]]


def write_segments(run: ScoreRun, place: OutputPlace | None, resume: bool) -> None:
    """Score every line of every system, from where an interrupted run stopped."""
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
    run: ScoreRun,
    lines: Lines,
    head: str | None,
    signatures: Sequence[str],
) -> None:
    """Write the segments to a file; with `resume`, from where an interrupted run stopped."""
    from concordant.scoring.fingerprints import changed_since, fingerprint
    from concordant.scoring.resumable import ResumableFile

    inputs = [fingerprint(name) for name in (*run.files.names, *run.systems.values())]
    request = {
        "metrics": [[m.name for m in run.metrics], signatures],
        "format": {"table": "tsv"}.get(run.form, run.form),
        "files": [run.files.references, run.files.source, list(run.systems.values())],
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
    write: Callable[[str], object], run: ScoreRun, lines: Lines, head: str | None, done: int
) -> None:
    """Write the segments of all systems, except the `done` lines that are already written."""
    from concordant.report.segment_lines import stream_lines

    if head is not None and done == 0:
        write(f"{head}\n")
    skip = max(0, done - (head is not None))
    first, skip = divmod(skip, run.lines) if run.lines else (0, 0)
    for text in stream_lines(_blocks(run, lines, first, skip), run.form):
        write(text)


def _blocks(run: ScoreRun, lines: Lines, first: int, skip: int) -> Iterator[list[str]]:
    """Yield the lines of each block, from a given system and segment on, then print warnings."""
    from concordant.scoring.scores import SystemTally, reference_warnings, score_warnings

    continued, language = bool(first or skip), run.how["language"]
    names, rows = list(run.systems), {}
    beside: Sequence[str] = names[first + 1 :]
    for system in names[first:]:
        tally = SystemTally()
        for block in run.scored(system, skip, beside):
            yield lines(system, block)
            tally.add(block)
        skip, beside = 0, ()
        if tally.segments:
            row = rows[system] = tally.scores(run.metrics)
            notes(flag_note(system, row), quiet=run.quiet)
    found = {} if continued or not rows else score_warnings(rows, run.metrics, language, run.chosen)
    if continued:  # segments scored by the interrupted run are not available
        found = {m.name: reference_warnings(run.files, m, language) for m in run.metrics}
        found[""] = tuple(run.chosen)
    warn(words for each in found.values() for words in each)

"""`concordant rerank`: the best candidate of each n-best list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from concordant.cli.output import (
    COLUMNS,
    MAX_LINE,
    SEED,
    THREADS,
    notes,
    progress,
    say,
    standard_output,
    warn,
)
from concordant.errors import ConcordantError
from concordant.specs import DEFAULT_METRIC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from concordant.metrics.scorer import Scorer
    from concordant.reranking.choices import Consensus
    from concordant.reranking.list_files import ListFile
    from concordant.reranking.rerank import ListTally


@click.command(name="rerank")
@click.argument("path", metavar="FILE")
@click.option(
    "-m", "--metric", metavar="NAME",
    help=f"As for score. Default: {DEFAULT_METRIC}, or fast-any if the target language is not "
    "English; with --mbr chrf.",
)  # fmt: skip
@click.option(
    "--mbr", is_flag=True,
    help="Choose by consensus (minimum Bayes risk): the candidate with the best mean score against "
    "all candidates of its list, or against the pseudo-references given with it.",
)  # fmt: skip
@click.option(
    "--aggregate", is_flag=True,
    help="With --mbr: compare with one combination of all pseudo-references. Faster on long lists, "
    "and sometimes another choice; for chrf, chrf++ and sentence(…).",
)  # fmt: skip
@click.option(
    "-r", "--reference", "references", multiple=True, metavar="FILE",
    help="References, one line for each list; repeat for several references.",
)  # fmt: skip
@click.option("-s", "--source", metavar="FILE", help="Sources, one line for each list.")
@click.option("-l", "--language", metavar="LANG",
              help="Target language, as in en, de-en or pt-BR.")  # fmt: skip
@COLUMNS
@click.option(
    "--resamples", type=click.IntRange(0, 100_000), default=1000, show_default=True, metavar="N",
    help="Bootstrap resamples for the certainty of a choice by consensus; 0 for none.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE",
              help="Write to a file; it appears once complete.")  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(["text", "tsv", "jsonl"]), default="text",
    show_default=True, help="The chosen translations alone, or with their scores.",
)  # fmt: skip
@MAX_LINE
@SEED
@THREADS
@click.option("--quiet", "-q", is_flag=True,
              help="Hide notes and the progress bar, but not warnings.")  # fmt: skip
def command(  # noqa: PLR0917 - click passes them by name
    path: str,
    metric: str | None,
    mbr: bool,
    aggregate: bool,
    references: tuple[str, ...],
    source: str | None,
    language: str | None,
    columns: tuple[str, ...],
    resamples: int,
    output: str | None,
    form: str,
    max_line: int,
    seed: int,
    threads: int,
    quiet: bool,
) -> None:
    """Choose the best candidate of each list in FILE: against references, or by consensus.

    FILE has n-best lists as JSON lines (.jsonl), as a table (.csv, .tsv, .parquet; a row for each
    candidate, with its list in the column segment), or as Moses writes them (id ||| candidate |||
    scores).
    """
    from concordant.encoders.cache.cache import cache_notes
    from concordant.metrics.find import find
    from concordant.metrics.flags.language_codes import target_language
    from concordant.output_files import output_place, write_whole
    from concordant.reranking.choices import Consensus
    from concordant.reranking.list_files import ListFile
    from concordant.scoring.line_blocks import TextFiles

    if aggregate and not mbr:
        raise click.UsageError("--aggregate is a way to find a consensus; add --mbr")
    beside = TextFiles(references, source, longest=max_line)
    place = None if output is None else output_place(output, [path, *beside.names])
    file = ListFile(path, beside, columns, max_line)
    target = None if language is None else target_language(language)
    wanted = metric if metric is not None or not mbr else "chrf"
    found = [] if wanted is None else find([wanted], target)
    if len(found) > 1:
        raise click.UsageError(f"-m {metric} names {len(found)} metrics; choose by one")
    how = Consensus(aggregate=aggregate, resamples=resamples, seed=seed) if mbr else None
    lines = _lines(
        file, found[0] if found else None, how, form, target, threads=threads, quiet=quiet
    )
    if place is None:
        write = standard_output().write
        for line in lines:
            write(line)
    else:
        write_whole(place, "".join(lines))
    notes(cache_notes(), quiet=quiet)


def _lines(
    file: ListFile,
    asked: Scorer | None,
    how: Consensus | None,
    form: str,
    language: str | None,
    *,
    threads: int,
    quiet: bool,
) -> Iterator[str]:
    """The lines of the output; at the end the notes and the warnings."""
    from itertools import islice

    from concordant.metrics.find import default_warnings, find
    from concordant.metrics.scope import scope_warnings
    from concordant.metrics.signs import LOOKED_AT, signs_of
    from concordant.report.reranking import HEADING, choice_line
    from concordant.reranking.rerank import ListTally, rerank

    tally = ListTally()
    lists = file.lists()
    first = list(islice(lists, LOOKED_AT))
    seen = signs_of(([each.candidates[0]] for each in first), "candidates")
    if asked is None:
        warn(default_warnings(language, seen))
    metric = find(None, language, seen)[0] if asked is None else asked
    warn(scope_warnings(metric.name, metric.scope, seen, language))
    whole = (each for part in (first, lists) for each in part)
    chosen = rerank(whole, metric, consensus=how, threads=threads)
    if form == "tsv":
        yield HEADING
    for each, choice in progress(chosen, lambda _: 1, None, file.path, quiet=quiet):
        if form == "text" and "\n" in choice.text:
            raise ConcordantError(
                f'the candidate chosen for list "{each.name}" has a line break; use --format jsonl'
            )
        tally.add(each, choice)
        yield choice_line(each, choice, form)
    notes(_what_was_chosen(tally, how), quiet=quiet)
    if not quiet:
        say(_signature(metric, tally, how), err=True)


def _what_was_chosen(tally: ListTally, how: Consensus | None) -> Iterator[str]:
    mean = tally.candidates / tally.lists
    yield f"{tally.lists:,} lists with {mean:.1f} candidates on average"
    if tally.single:
        yield f"lists with one candidate only, which is chosen: {tally.single:,}"
    if tally.repeated and how is not None:
        yield f"lists with repeated candidates, which count as often as given: {tally.repeated:,}"
    if tally.certain:
        share = tally.certainty / tally.certain
        yield f"mean certainty of the choices: {share:.2f} (lists: {tally.certain:,})"


def _signature(metric: Scorer, tally: ListTally, how: Consensus | None) -> str:
    signature = metric.signature(level="segment")
    if how is None:
        counts = tally.references if metric.needs.references else {0}
        return f"nrefs:{counts.pop() if len(counts) == 1 else 'var'}|{signature}"
    way = "aggregate" if how.aggregate else "pairwise"
    drawn = "" if how.aggregate else f"|bootstrap:{how.resamples}|seed:{how.seed}"
    return f"mbr:{way}|{signature}{drawn}"

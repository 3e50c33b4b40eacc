"""`concordant rank`: systems or translations ranked by a metric's pairwise decisions."""

from __future__ import annotations

import click

from concordant.cli.output import MAX_LINE, THREADS, notes, output_options, show, tracker
from concordant.errors import ConcordantError


@click.command(name="rank")
@click.argument("translations", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "-r", "--reference", "references", multiple=True, metavar="FILE",
    help="References, one per line; repeat for several references.",
)  # fmt: skip
@click.option("-s", "--source", metavar="FILE", help="Sources, for a metric that uses them.")
@click.option("-m", "--metric", required=True, metavar="NAME",
              help="As for score; a metric that compares two translations decides each pair.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["system", "segment"]), default="system", show_default=True,
    help="Rank whole systems, or the translations of each segment.",
)  # fmt: skip
@MAX_LINE
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
              help="Seed of the bootstrap.")  # fmt: skip
@THREADS
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    translations: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    metric: str,
    level: str,
    max_line: int,
    seed: int,
    threads: int,
    form: str,
    quiet: bool,
) -> None:
    """Rank systems, each a FILE of translations, one per line, by a metric's pairwise decisions."""
    from concordant.encoders.cache.cache import cache_notes
    from concordant.metrics.find import find
    from concordant.metrics.lexical.texts import with_reference_count
    from concordant.metrics.scope import scope_warnings, signs_of
    from concordant.report.ranking import segment_ranks_table, standings_table
    from concordant.scoring.line_blocks import TextFiles, check_lengths
    from concordant.scoring.ranking import round_robin, standings
    from concordant.scoring.system_names import system_names

    if len(set(translations)) < len(translations):
        raise click.UsageError("the same translation file is given twice")
    loaded, *others = find(metric)
    if others:
        raise click.UsageError(f"-m {metric} names {1 + len(others)} metrics; rank decides by one")
    if loaded.needs.references and not references:
        raise ConcordantError("this metric needs references; give them with -r")
    if loaded.needs.sources and source is None:
        raise ConcordantError("this metric needs the source; give it with -s")
    files = TextFiles(references, source, longest=max_line)
    check_lengths([*files.names, *translations], max_line)
    outputs = dict(zip(system_names(translations), map(files.all_lines, translations), strict=True))
    lines = len(next(iter(outputs.values())))
    given = [list(texts) for texts in zip(*map(files.lines, references), strict=True)]
    games = round_robin(
        loaded,
        outputs,
        given or [[] for _ in range(lines)],
        None if source is None else files.all_lines(source),
        threads=threads,
        track=tracker(quiet=quiet),
    )
    texts = given or [[text] for text in next(iter(outputs.values()))]
    warnings = scope_warnings(loaded.name, loaded.scope, signs_of(texts))
    signature = with_reference_count(given, loaded.signature(level="segment"))
    if level == "segment":
        show(segment_ranks_table(games, loaded, signature, warnings), form)
    else:
        ranked = standings(games, seed=seed)
        show(standings_table(ranked, loaded, lines, signature, warnings), form)
    notes(cache_notes(), quiet=quiet)

"""`concordant rank`: systems or single outputs ranked by a metric's decisions between two."""

from __future__ import annotations

import os

import click

from concordant.cli.output import output_options, show, tracker


@click.command(name="rank")
@click.argument("translations", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "-r", "--reference", "references", multiple=True, metavar="FILE",
    help="References, one a line; repeatable for several references.",
)  # fmt: skip
@click.option(
    "-s", "--source", metavar="FILE", help="Sources, for a metric that compares with them."
)
@click.option("-m", "--metric", required=True, metavar="DIR", help="A trained metric.")
@click.option(
    "--level", type=click.Choice(["system", "segment"]), default="system", show_default=True,
    help="Rank whole systems, or the outputs of each segment.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
              help="For the resampled segments.")  # fmt: skip
@click.option("--threads", type=click.IntRange(min=1), default=os.cpu_count() or 1,
              help="Default: all cores.")  # fmt: skip
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    translations: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    metric: str,
    level: str,
    seed: int,
    threads: int,
    form: str,
    quiet: bool,
) -> None:
    """Rank systems, each a FILE of outputs one a line, by which of two a metric prefers."""
    from concordant.report.ranking import segment_ranks_table, standings_table
    from concordant.scoring.line_blocks import check_lengths, read_lines
    from concordant.scoring.named import metric_named
    from concordant.scoring.ranking import round_robin, standings

    if len(set(translations)) < len(translations):
        raise click.UsageError("the same translation is given twice")
    loaded = metric_named(metric)
    loaded.preparation.check_given(reference=bool(references), source=source is not None)
    sources = [] if source is None else [source]
    check_lengths([*references, *sources, *translations])
    outputs = {name: list(read_lines(name)) for name in translations}
    lines = len(next(iter(outputs.values())))
    given = [list(texts) for texts in zip(*map(read_lines, references), strict=True)]
    games = round_robin(
        loaded,
        outputs,
        given or [[] for _ in range(lines)],
        None if source is None else list(read_lines(source)),
        threads=threads,
        track=tracker(quiet=quiet),
    )
    if level == "segment":
        show(segment_ranks_table(games, loaded), form)
    else:
        show(standings_table(standings(games, seed=seed), loaded, lines), form)

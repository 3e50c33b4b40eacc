"""`concordant rank`: systems or translations ranked by a metric's pairwise decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from concordant.cli.output import (
    COLUMNS,
    MAX_LINE,
    SEED,
    THREADS,
    notes,
    output_options,
    show,
    tracker,
)
from concordant.cli.table_input import is_table, open_table, whole_files, whole_table
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from concordant.metrics.scorer import Scorer
    from concordant.scoring.line_blocks import TextFiles


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
@click.option("-l", "--language", metavar="LANG",
              help="Target language, as in en, de-en or pt-BR; also selects METEOR's language and "
              "the tokenizer for Chinese, Japanese and Korean.")  # fmt: skip
@click.option(
    "--level", type=click.Choice(["system", "segment"]), default="system", show_default=True,
    help="Rank whole systems, or the translations of each segment.",
)  # fmt: skip
@COLUMNS
@MAX_LINE
@SEED
@THREADS
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    translations: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    metric: str,
    language: str | None,
    level: str,
    columns: tuple[str, ...],
    max_line: int,
    seed: int,
    threads: int,
    form: str,
    quiet: bool,
) -> None:
    """Rank systems, each a FILE of translations, one per line, by a metric's pairwise decisions.

    Or one FILE is a table (csv, tsv, jsonl, parquet) with several systems.
    """
    from concordant.encoders.cache.cache import cache_notes
    from concordant.metrics.find import find
    from concordant.metrics.flags.language_codes import target_language
    from concordant.metrics.lexical.texts import with_reference_count
    from concordant.metrics.scope import scope_warnings
    from concordant.metrics.signs import language_warnings, signs_of_batch
    from concordant.report.ranking import segment_ranks_table, standings_table
    from concordant.scoring.line_blocks import TextFiles
    from concordant.scoring.ranking import round_robin, standings
    from concordant.scoring.tables.table_file import table_kind

    if len(set(translations)) < len(translations):
        raise click.UsageError("the same translation file is given twice")
    files = TextFiles(references, source, longest=max_line)
    target = None if language is None else target_language(language)
    asks = bool(columns) or (not files.names and table_kind(translations[0]) is not None)
    if asks and is_table(files, translations, columns):
        table, (loaded,), _ = open_table(
            translations[0], columns, _one(metric), target, longest=max_line
        )
        texts, target = whole_table(table), table.language
    else:
        (loaded,) = find(_one(metric), target)
        _check_needs(loaded, files)
        texts = whole_files(files, translations)
    given = texts.references if any(texts.references) else []
    games = round_robin(
        loaded,
        texts.systems,
        texts.references,
        texts.sources,
        threads=threads,
        track=tracker(quiet=quiet),
    )
    seen = signs_of_batch(given, next(iter(texts.systems.values())))
    warnings = [
        *scope_warnings(loaded.name, loaded.scope, seen, target),
        *language_warnings(seen, target),
    ]
    signature = with_reference_count(given, loaded.signature(level="segment"))
    if level == "segment":
        show(segment_ranks_table(games, loaded, signature, warnings), form)
    else:
        ranked, lines = standings(games, seed=seed), len(texts.references)
        show(standings_table(ranked, loaded, lines, signature, warnings), form)
    notes(cache_notes(), quiet=quiet)


def _one(metric: str) -> list[str]:
    """The one metric that decides; several are an error."""
    from concordant.metrics.find import metric_list

    names = metric_list(metric)
    if len(names) > 1:
        raise click.UsageError(f"-m {metric} names {len(names)} metrics; rank decides by one")
    return [metric]


def _check_needs(metric: Scorer, files: TextFiles) -> None:
    """Raise an error unless the files have what the metric needs."""
    if metric.needs.references and not files.references:
        raise ConcordantError("this metric needs references; give them with -r")
    if metric.needs.sources and files.source is None:
        raise ConcordantError("this metric needs the source; give it with -s")

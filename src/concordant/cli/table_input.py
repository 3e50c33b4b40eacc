"""What commands read: plain text files, or one table."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from concordant.cli.output import find_metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.line_blocks import TextFiles
    from concordant.scoring.tables.row_texts import TableTexts
    from concordant.scoring.tables.system_texts import SystemTexts


def is_table(files: TextFiles, translations: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether the one file given is a table; raises a usage error for what is neither."""
    from concordant.files import STANDARD_INPUT
    from concordant.scoring.tables.table_file import table_kind

    if files.references or files.source is not None:
        if columns:
            raise click.UsageError(
                "--columns is for a table, which has references and sources in columns; leave out "
                "-r and -s"
            )
        return False
    if not translations:
        return False
    if len(translations) == 1:
        if columns or table_kind(translations[0]) or translations[0] == STANDARD_INPUT:
            return True
    elif all(map(table_kind, translations)):
        raise click.UsageError("give one table at a time; it may hold any number of systems")
    raise click.UsageError(
        "give the references with -r, or the sources with -s where there are none, a test set as "
        "in --test-set wmt14 -l en-de, or one table: a .csv, .tsv, .jsonl or .parquet file"
    )


def open_table(
    path: str,
    columns: Sequence[str],
    metrics: Sequence[str],
    language: str | None,
    *,
    longest: int,
    explain: bool = False,
) -> tuple[TableTexts, list[Scorer], tuple[str, ...]]:
    """The texts of a table, the metrics, and the warnings on the choice of the default.

    By default the metric is that of the language which the table names, or else shows.
    """
    from concordant.scoring.tables.columns import asked_columns, find_columns
    from concordant.scoring.tables.row_texts import signs_of_table, table_texts
    from concordant.scoring.tables.table_file import TableFile

    path = _kept(path)
    table, asked = TableFile(path, longest), asked_columns(columns)
    there = table.columns()
    found = find_columns(path, there, asked, references=False)
    texts = table_texts(table, found, language)
    compared = bool(found.references) or found.source is None
    scorers, chosen = find_metrics(
        metrics, texts.language, lambda: signs_of_table(texts), references=compared, explain=explain
    )
    if any(metric.needs.references for metric in scorers):
        find_columns(path, there, asked)
    return texts, scorers, chosen


def _kept(path: str) -> str:
    """The table's file; standard input is kept in one until the command ends."""
    from concordant.files import STANDARD_INPUT
    from concordant.scoring.tables.standard_input import keep_standard_input

    if path != STANDARD_INPUT:
        return path
    folder = click.get_current_context().with_resource(TemporaryDirectory())
    return str(keep_standard_input(Path(folder)))


def whole_table(texts: TableTexts) -> SystemTexts:
    """All systems of a table, which must have the same segments."""
    from concordant.scoring.system_names import system_names
    from concordant.scoring.tables.system_texts import system_texts

    return system_texts(texts, system_names([texts.table.path])[0])


def whole_files(
    files: TextFiles, translations: Sequence[str], documents: str | None = None
) -> SystemTexts:
    """All systems of text files, each named after its file."""
    from concordant.scoring.line_blocks import check_lengths
    from concordant.scoring.system_names import system_names
    from concordant.scoring.tables.system_texts import SystemTexts

    lines = files.check(translations)
    if documents is not None:
        check_lengths([translations[0], documents], files.longest)
    names = system_names(translations)
    return SystemTexts(
        dict(zip(names, map(files.all_lines, translations), strict=True)),
        files.all_references("it", again=False) if files.references else [[]] * (lines or 0),
        None if files.source is None else files.all_lines(files.source),
        None if documents is None else files.all_lines(documents),
    )

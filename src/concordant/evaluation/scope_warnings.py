"""Warnings on metrics that meet language pairs they are not made for, or lack their data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.errors import SpecError
from concordant.judgements.judged_columns import all_references
from concordant.metrics.flags.language_codes import target_language
from concordant.metrics.scope import scope_warnings
from concordant.metrics.signs import signs_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.evaluation.judged_scorer import JudgedScorer
    from concordant.judgements.judged_columns import Column
    from concordant.metrics.signs import Signs


def signs_of_columns(columns: Sequence[Column]) -> dict[str, Signs]:
    """What the references of each column show of their language, by the column's name."""
    return {column.name: signs_of(all_references(column)) for column in columns}


def column_warnings(
    scorer: JudgedScorer, columns: Sequence[Column], seen: Mapping[str, Signs]
) -> tuple[str, ...]:
    """The warnings on a metric, each with the columns that it is about unless it is about all."""
    about: dict[str, list[str]] = {}
    for column in columns:
        language, told = _language(column.pair), f"the judgements are of {column.pair}"
        found = scope_warnings(scorer.name, scorer.metric.scope, seen[column.name], language, told)
        for words in found:
            about.setdefault(words, []).append(column.name)
    return tuple(
        words if len(names) == len(columns) else f"{', '.join(names)}: {words}"
        for words, names in about.items()
    )


def _language(pair: str) -> str | None:
    """The language of a pair's translations; None where it names none."""
    try:
        return target_language(pair) if "-" in pair else None
    except SpecError:
        return None

"""The texts behind a column of judgements, and what segment scores of them add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.stats.measured import mean_of_groups
from concordant.stats.system_level import Tally

if TYPE_CHECKING:
    from concordant.meta.columns import Column, Floats


def rows_of(column: Column) -> list[tuple[str, int]]:
    """The texts that a column's scores come from: its outputs, or all outputs of its systems."""
    if column.kind != "system ratings":
        return [(each.system, each.segment) for each in column.outputs if each.segment is not None]
    outputs = {} if column.texts is None else column.texts.outputs
    return [(each.system, segment) for each in column.outputs for segment in outputs[each.system]]


def all_references(column: Column) -> list[list[str]]:
    """The references of every segment of the column's test set, judged or not."""
    given = {} if column.texts is None else column.texts.references
    segments = sorted(set().union(*given.values()))
    return [[texts[s] for texts in given.values() if s in texts] for s in segments]


def texts_of(
    column: Column, name: str, *, referenced: bool = True
) -> tuple[list[str], list[tuple[str, ...]]]:
    """The judged outputs and the references of each, which the metric of that name needs.

    Where it needs no references (`referenced` False), there may be none.
    """
    texts = column.texts
    if texts is None or (referenced and not texts.references):
        raise ConcordantError(
            f"{name} needs outputs{' and references' * referenced}; column {column.name} has no "
            f"{'texts' if texts is None else 'references'}: name a folder with them by --texts"
        )
    hypotheses, references, unreferenced = [], [], []
    for system, segment in rows_of(column):
        given = tuple(ref[segment] for ref in texts.references.values() if segment in ref)
        if referenced and not given:
            unreferenced.append(segment)
        hypotheses.append(texts.outputs[system][segment])
        references.append(given)
    if unreferenced:
        raise ConcordantError(
            f"{column.name}: {len(set(unreferenced))} judged segments have no reference "
            f"(the first: {unreferenced[0]})"
        )
    return hypotheses, references


def mean_of_systems(column: Column, values: Floats) -> Floats:
    """Scores of a column's outputs; where these are whole systems, the means of their segments."""
    if column.kind != "system ratings":
        return values
    sums, counts = np.zeros(len(column.systems)), np.zeros(len(column.systems))
    where = [column.systems.index(system) for system, _ in rows_of(column)]
    np.add.at(sums, where, values)
    np.add.at(counts, where, 1)
    return np.asarray((sums / np.maximum(counts, 1))[column.system])


def mean_tally(column: Column, values: Floats) -> Tally:
    """Values of outputs as sums and numbers by segment and system, so that means can be taken."""
    table = np.zeros((len(column.segments), len(column.systems), 2))
    np.add.at(table, (column.segment, column.system), np.stack([values, np.ones_like(values)], -1))
    return Tally(table, mean_of_groups, mean=True)

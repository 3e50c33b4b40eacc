"""Columns that hold whole test sets: every output of the systems that people judged.

WMT scores a system by all of its outputs, and people judged only some of them. A column with all
outputs has both: judged pairs for people's side, all segments for the metric's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.records import Output

if TYPE_CHECKING:
    from concordant.meta.columns import Column


def with_whole_systems(column: Column) -> Column:
    """The column with every output of its systems; judgements are as they were."""
    if column.texts is None:
        raise ConcordantError(f"{column.name} has no texts, which whole systems need")
    given = column.texts.outputs
    segments = sorted(set().union(*(given[system] for system in column.systems)))
    place = {segment: i for i, segment in enumerate(segments)}
    row = {(each.system, each.segment): i for i, each in enumerate(column.outputs)}
    for system in column.systems:
        for segment in given[system]:
            row.setdefault((system, segment), len(row))
    number = {system: i for i, system in enumerate(column.systems)}
    return replace(
        column,
        outputs=tuple(Output(column.testset, column.pair, *each) for each in row),
        segments=tuple(segments),
        segment=np.array([place[segment] for _, segment in row if segment is not None]),
        system=np.array([number[system] for system, _ in row]),
    )

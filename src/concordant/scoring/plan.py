"""How many segments, or how many human judgements, settle a difference of some size.

How much a difference varies from segment to segment is measured on given files, or it is typical of
past campaigns. What people said of such differences is always of past campaigns.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from concordant.errors import SpecError
from concordant.scoring.past_campaigns import past_agreement
from concordant.stats.contest import detectable
from concordant.stats.power import LEVEL, POWER, judgements_needed, needed, power_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.comparison_result import Comparison
    from concordant.scoring.past_campaigns import PastAgreement

ENOUGH = 1000  # segments, where their number is yet to be planned


@dataclass(frozen=True)
class PlanRow:
    """What it takes to settle a difference by a metric: of two systems, or of any two.

    `segments` for the metric, `judgements` for people, None where nothing settles it or nothing is
    known. `given` segments have the `power`. `people_agree` is the chance that people prefer the
    better-scored system; `limits` says why it is not known, or what is thin.
    """

    metric: str
    difference: float
    segments: int | None
    better: str | None = None
    worse: str | None = None
    given: int | None = None
    power: float | None = None
    people_agree: float | None = None
    people_agree_low: float | None = None
    people_agree_high: float | None = None
    judgements: int | None = None
    limits: str = ""

    def record(self) -> dict[str, Any]:
        """Every value by its name."""
        return asdict(self)


def plan_from_past(
    metrics: Sequence[Scorer],
    difference: float,
    *,
    language: str | None = None,
    power: float = POWER,
) -> list[PlanRow]:
    """What past campaigns would have needed for such a difference, by each metric.

    `language` is that of the translations, English by default.

    >>> from concordant.metrics.find import load
    >>> (row,) = plan_from_past([load("chrf")], 1.0, language="de")
    >>> 100 < row.segments < 10_000
    True
    """
    rows = []
    for metric in metrics:
        past = past_agreement(metric, ENOUGH, 1, english=True, language=language)
        if past.row is None:
            raise SpecError(
                f"{past.limits}; give references and the translations of two systems, so that "
                "their variance can be measured"
            )
        row = PlanRow(metric.name, difference, needed(difference, past.row.spread, power=power))
        rows.append(_with_people(row, past, power))
    return rows


def plan_from_comparison(
    comparison: Comparison, difference: float | None = None, *, power: float = POWER
) -> list[PlanRow]:
    """What each pair of compared systems needs, for a given difference or the one they have."""
    given = len(comparison.references)
    rows = []
    for metric in comparison.metrics:
        for better, worse in combinations(metric.order, 2):
            test = metric.pair(better, worse)
            size = abs(test.difference) if difference is None else difference
            spread = test.detectable / detectable(1.0, LEVEL) * math.sqrt(given)
            row = PlanRow(
                metric.name, size,
                needed(size, spread, power=power) if size > 0 else None,
                comparison.systems[better], comparison.systems[worse], given,
                power_of(size, spread, given) if size > 0 else None,
            )  # fmt: skip
            rows.append(_with_people(row, metric.past, power))
    return rows


def _with_people(row: PlanRow, past: PastAgreement, power: float) -> PlanRow:
    """The row with what people would say, and how many judgements would show it."""
    if past.row is None or not row.difference > 0:
        return replace(row, limits=past.limits)
    people = past.of(row.difference)
    net = past.row.preference * min(row.difference, past.row.largest)
    return replace(
        row,
        people_agree=people.chance,
        people_agree_low=people.low,
        people_agree_high=people.high,
        judgements=judgements_needed(net, past.row.ties, power=power),
        limits=past.limits,
    )

"""Curves fitted to past differences, their intervals, and how well they foretell a left-out year.

A bootstrap draws campaigns, then language pairs of each: pairs of systems of one test set are not
independent, nor are the test sets of one year.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from past_differences import FIELDS

from concordant.stats.chance_curve import ChanceCurve, chances, fit_curve, log_loss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from past_differences import PastDifferences

    from concordant.stats.arrays import Bools, Floats

DRAWS = 200
RARE = 0.99  # of all differences are smaller than those beyond which nothing is said
EIGHTY = (0.75, 0.85)
EDGES = np.array([0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0])


@dataclass(frozen=True)
class LeftOut:
    """What was said of each difference by the curve of the other years; one row each.

    `whole` is true of differences on all segments of a test set.
    """

    chance: Floats
    constant: Floats
    agreed: Floats
    weight: Floats
    whole: Bools

    def figures(self) -> dict[str, float]:
        """Log loss of the curve and of the constant guess, and how often 80 % came true.

        `whole_…`: of differences on whole test sets alone.
        """
        near = (self.chance >= EIGHTY[0]) & (self.chance < EIGHTY[1])
        found = {
            "log_loss": log_loss(self.chance, self.agreed, self.weight),
            "constant_log_loss": log_loss(self.constant, self.agreed, self.weight),
        }
        for name, rows in (("", near), ("whole_", near & self.whole)):
            weight = self.weight[rows]
            found[f"{name}right_at_80"] = float(np.average(self.agreed[rows], weights=weight))
            found[f"{name}weight_at_80"] = float(weight.sum())
        return found

    def reliability(self) -> list[tuple[float, float, float]]:
        """For each range of stated chances: their mean, how often people agreed, the weight."""
        bins = np.clip(np.searchsorted(EDGES, self.chance, side="right") - 1, 0, len(EDGES) - 2)
        found = []
        for i in range(len(EDGES) - 1):
            weight = self.weight * (bins == i)
            if weight.sum() > 0:
                stated, true = (np.average(x, weights=weight) for x in (self.chance, self.agreed))
                found.append((float(stated), float(true), float(weight.sum())))
        return found


def leave_years_out(tests: Sequence[PastDifferences]) -> LeftOut:
    """Each year's differences judged by the curve of all other years."""
    parts = []
    for year in sorted({each.year for each in tests}):
        rest = [each for each in tests if each.year != year]
        own = _columns([each for each in tests if each.year == year])
        known = _columns(rest)
        constant = np.average(known["agreed"], weights=known["weight"])
        parts.append((
            chances(fit(rest), own["difference"], own["segments"]),
            np.full(len(own["agreed"]), constant),
            own["agreed"], own["weight"], own["whole"] == 1,
        ))  # fmt: skip
    return LeftOut(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def row_of(metric: str, direction: str, tests: Sequence[PastDifferences]) -> dict[str, Any]:
    """A row of the table: the curve, curves of resampled campaigns, and what they are made of."""
    every = _columns(tests)
    whole = {name: values[every["whole"] == 1] for name, values in every.items()}
    ranked = ~np.isnan(whole["preferred"])
    weight, gap = whole["weight"][ranked], whole["difference"][ranked]
    return {
        "metric": metric,
        "direction": direction,
        "signatures": sorted({each.signature for each in tests}),
        "years": sorted({each.year for each in tests}),
        "pairs": sorted({each.pair for each in tests}),
        "comparisons": int(every["whole"].sum()),
        "largest": _short(np.quantile(whole["difference"], RARE)),
        "spread": _short(np.median(whole["spread"])),
        "preference": _short((weight @ whole["preferred"][ranked]) / (weight @ gap)),
        "ties": _short(np.average(whole["ties"][ranked], weights=weight)),
        "curve": _logs(fit(tests)),
        "draws": [_logs(fit(drawn)) for drawn in _resampled(tests)],
    }


def fit(tests: Sequence[PastDifferences]) -> ChanceCurve:
    """The curve of some tests."""
    found = _columns(tests)
    return fit_curve(found["difference"], found["segments"], found["agreed"], found["weight"])


def _resampled(tests: Sequence[PastDifferences]) -> list[list[PastDifferences]]:
    rng = np.random.default_rng(0)
    years = sorted({each.year for each in tests})
    drawn = []
    for _ in range(DRAWS):
        found: list[PastDifferences] = []
        for year in rng.choice(years, len(years)).tolist():
            own = [each for each in tests if each.year == year]
            found += [own[i] for i in rng.integers(len(own), size=len(own))]
        drawn.append(found)
    return drawn


def _columns(tests: Sequence[PastDifferences]) -> dict[str, Floats]:
    """The rows of all tests by field."""
    rows = np.concatenate([each.rows for each in tests])
    return dict(zip(FIELDS, rows.T, strict=True))


def _logs(curve: ChanceCurve) -> list[float]:
    return [round(float(np.log(each)), 4) for each in curve]


def _short(number: float) -> float:
    return float(f"{number:.4g}")

"""Scored systems tested against a baseline: is the change significant, and did people agree?

The same tests as in `compare`, on the counts that intervals are drawn from, so that files of any
size are tested in bounded memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError
from concordant.metrics.scope import scope_warnings
from concordant.scoring.comparison_options import PERMUTATIONS, RESAMPLES, ComparisonOptions
from concordant.scoring.past_campaigns import past_agreement
from concordant.scoring.verdict import difference_words
from concordant.stats.contest import against, contest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.past_campaigns import PeopleAgree
    from concordant.scoring.scores import SystemScores
    from concordant.stats.contest import PairTest


@dataclass(frozen=True)
class BaselineChange:
    """A system against the baseline by one metric; `change` is on the metric's own scale."""

    metric: str
    system: str
    baseline: str
    change: float
    test: PairTest
    people: PeopleAgree
    significant: bool
    words: str
    signature: str

    def record(self) -> dict[str, Any]:
        """Every number by its name."""
        return {
            "table": "baseline", "metric": self.metric, "system": self.system,
            "baseline": self.baseline, "change": self.change,
            "p_bootstrap_holm": self.test.p_bootstrap_holm,
            "p_randomisation_holm": self.test.p_randomisation_holm,
            "significant": self.significant, **self.people.record(), "words": self.words,
            "signature": self.signature,
        }  # fmt: skip


def baseline_changes(
    scored: Mapping[str, SystemScores],
    metrics: Sequence[Scorer],
    baseline: str,
    references: int,
    language: str | None = None,
) -> list[BaselineChange]:
    """Each other system against the baseline, by every metric that is made for the texts.

    The p-values of a metric are corrected for its tests by Holm.
    """
    names = list(scored)
    row = scored[baseline]
    if len(row.units[0]) < 2:
        raise ConcordantError(
            f"{row.segments} segment is too little to test for significance; give at least 2"
        )
    options = ComparisonOptions().settled(len(names))
    found = []
    for i, metric in enumerate(metrics):
        if scope_warnings(metric.name, metric.scope, row.seen, language):
            continue
        past = past_agreement(
            metric, row.segments, references, english=row.seen.english, language=language
        )
        tests = contest(
            [scored[name].units[i] for name in names],
            lambda sums, metric=metric: metric.sign * metric.system_scores(sums),  # type: ignore[misc]
            rng=np.random.default_rng(options.seed),
            n_resamples=options.resamples or RESAMPLES,
            n_permutations=options.permutations or PERMUTATIONS,
            level=options.level,
        )
        digits = 2 if any(abs(each.values[i]) > 1 for each in scored.values()) else 4
        for test in against(tests.pairs, names.index(baseline)):
            better = [names[k] for k in test.order]
            other = names[test.second if names[test.first] == baseline else test.first]
            up = metric.sign * abs(test.difference)
            people = past.of(test.difference)
            found.append(BaselineChange(
                metric.name, other, baseline, up if other == better[0] else -up, test, people,
                test.significant(options.alpha),
                difference_words(
                    metric.name, f"{up:+.{digits}f}", better, test, people, options.alpha
                ),
                _signature(options, row.unit, "" if past.row is None else past.version),
            ))  # fmt: skip
    return found


def _signature(options: ComparisonOptions, unit: int, past: str) -> str:
    units = "segments" if unit == 1 else f"{unit} segments"
    return (
        f"bootstrap:{options.resamples}|randomisation:{options.permutations}|unit:{units}"
        f"|correction:holm|tests:against-baseline|level:{options.level:g}|seed:{options.seed}"
        f"{f'|past:{past}' if past else ''}"
    )

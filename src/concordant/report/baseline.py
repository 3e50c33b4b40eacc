"""Systems against a baseline, as a table: the change of each score, and what the tests say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from concordant.report.tables import Table, columns_of, interval
from concordant.scoring.past_campaigns import chance_words
from concordant.scoring.verdict import SAME, decimals, outcome, p_cell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.scoring.comparison_result import Comparison, MetricResult

PEOPLE_AGREE = (
    "people agree: how often people preferred the better-scored system in past campaigns, with a "
    "difference like this"
)


def baseline_table(comparison: Comparison, metric: MetricResult) -> Table:
    """Each other system against the baseline, from best to worst."""
    records, digits = baseline_records(comparison, metric), decimals(metric)
    return Table(
        *columns_of(
            records,
            {
                "system": lambda r: r["system"],
                "change": lambda r: f"{r['change']:+.{digits}f}",
                "interval": lambda r: interval(r["low"], r["high"], digits),
                "p bootstrap": lambda r: p_cell(r["p_bootstrap_holm"], r["p_bootstrap_at_floor"]),
                "p randomisation": lambda r: p_cell(
                    r["p_randomisation_holm"], r["p_randomisation_at_floor"]
                ),
                "wins": lambda r: str(r["wins"]),
                "losses": lambda r: str(r["losses"]),
                "ties": lambda r: str(r["ties"]),
                "result": lambda r: r["result"],
                "people agree": people_cell,
            },
        ),
        records=records,
        title=f"against {comparison.baseline} by {metric.name}",
        footer=[
            f"change: the system's score minus that of {comparison.baseline}",
            (
                f"p: Holm-corrected for the tests against {comparison.baseline} alone; < marks an "
                "upper bound (no draw was as extreme)"
            ),
            f"result: {SAME} unless both p-values are below {comparison.options.alpha:.2g}",
            "wins, losses, ties: on how many segments the system is ahead, behind, equal",
            *people_words(metric),
        ],
    )


def people_cell(record: Mapping[str, Any]) -> str:
    """How often people agreed in past campaigns, of a record; a dash if that is unknown."""
    return chance_words(
        record["people_agree"], record["people_agree_low"], record["people_agree_high"]
    )


def people_words(metric: MetricResult) -> list[str]:
    """What the column "people agree" means, and what limits its figures."""
    limits = metric.past.limits
    return [
        PEOPLE_AGREE,
        *([f"people agree: {limits}"] if limits else []),
    ]


def baseline_records(comparison: Comparison, metric: MetricResult) -> list[dict[str, Any]]:
    """One record for each system but the baseline; changes are on the metric's own scale."""
    base = comparison.systems.index(str(comparison.baseline))
    tests = {test.second if test.first == base else test.first: test for test in metric.against}
    records = []
    for other in (i for i in metric.order if i != base):
        test = tests[other]
        turn = metric.sign * (1 if test.first == other else -1)
        low, high = sorted((turn * test.low, turn * test.high))
        wins, losses, ties = metric.outcomes(other, base)
        records.append({
            "table": "baseline", "metric": metric.name, "system": comparison.systems[other],
            "baseline": comparison.baseline, "change": turn * test.difference,
            "low": low, "high": high,
            "p_bootstrap": test.p_bootstrap, "p_bootstrap_holm": test.p_bootstrap_holm,
            "p_randomisation": test.p_randomisation,
            "p_randomisation_holm": test.p_randomisation_holm,
            "p_bootstrap_at_floor": test.bootstrap_at_floor,
            "p_randomisation_at_floor": test.randomisation_at_floor,
            "wins": wins, "losses": losses, "ties": ties,
            "result": outcome(test, base, comparison.options.alpha),
            **metric.past.of(test.difference).record(),
        })  # fmt: skip
    return records

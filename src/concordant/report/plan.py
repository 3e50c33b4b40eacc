"""A plan as a table: segments and judgements that settle each difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.report.tables import Table, columns_of
from concordant.scoring.past_campaigns import chance_words, past_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.scoring.plan import PlanRow


def plan_table(rows: Sequence[PlanRow], *, power: float) -> Table:
    """One row for each metric, or for each metric and pair of systems."""
    paired = rows[0].better is not None
    names = {"better": lambda r: r.better, "worse": lambda r: r.worse} if paired else {}
    here = {"power here": lambda r: "–" if r.power is None else f"{r.power:.2f}"} if paired else {}
    limits = dict.fromkeys(f"{each.metric}: {each.limits}" for each in rows if each.limits)
    judged = any(each.judgements is not None for each in rows)
    source = "these files" if paired else "past campaigns"
    return Table(
        *columns_of(
            rows,
            {
                "metric": lambda r: r.metric,
                **names,
                "difference": lambda r: f"{r.difference:.{2 if r.difference > 0.1 else 4}f}",
                **here,
                "segments": lambda r: _count(r.segments),
                "people agree": lambda r: chance_words(
                    r.people_agree, r.people_agree_low, r.people_agree_high
                ),
                "judgements": lambda r: _count(r.judgements),
            },
        ),
        records=[each.record() for each in rows],
        title=f"to settle a difference with {100 * power:g} % power",
        text_columns=3 if paired else 1,
        footer=[
            f"segments: until the metric's difference is significant (95 %); variance of {source}",
            *([f"power here: of the {rows[0].given:,} segments given"] if paired else []),
            "people agree: how often people preferred the better-scored system in past campaigns",
            "judgements: of two translations side by side, until the preference is clear (95 %)",
            *limits,
            *([f"past:{past_table().version}"] if judged else []),
        ],
    )


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"

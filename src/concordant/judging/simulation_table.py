"""What policies needed in replays, as a table."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from concordant.report.tables import Table, columns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.judging.simulation import Needed

NEVER = "≥: not reached with six times the judgements of the campaign; counted with that number"


def needed_table(rows: Sequence[Needed], signature: str) -> Table:
    """A row for each language pair, policy and criterion, and the mean over language pairs."""
    columns: dict[str, Callable[[Needed], str]] = {
        "test set": lambda each: each.testset or "–",
        "pair": lambda each: each.pair or "–",
        "policy": lambda each: each.policy,
        "criterion": lambda each: each.criterion,
        "systems": lambda each: str(each.systems),
        "judgements": lambda each: f"{each.judgements:,}",
        "needed": lambda each: f"{'' if each.reached else '≥'}{each.needed:,}",
        "of random": lambda each: f"{each.share:.0%}",
        "interval": lambda each: f"[{each.low:.0%}, {each.high:.0%}]",
    }
    header, cells = columns_of(rows, columns)
    means = mean_lines(rows)
    return Table(
        header,
        cells,
        records=[asdict(each) for each in rows],
        title="judgements until the ranking is the whole campaign's",
        text_columns=4,
        footer=[*means, *([NEVER] if any(not each.reached for each in rows) else []), signature],
        document={"signature": signature},
    )


def mean_lines(rows: Sequence[Needed]) -> list[str]:
    """The mean share of each policy over language pairs, with the interval of the mean.

    Language pairs are replayed apart, so the mean's deviation adds up from theirs.
    """
    lines = []
    for policy, criterion in dict.fromkeys((each.policy, each.criterion) for each in rows):
        mine = [each for each in rows if (each.policy, each.criterion) == (policy, criterion)]
        if policy == "random" or len(mine) < 2:
            continue
        mean = float(np.mean([each.share for each in mine]))
        half = float(np.sqrt(sum(((each.high - each.low) / 2) ** 2 for each in mine)) / len(mine))
        lines.append(
            f"{policy}, {criterion}: {mean:.0%} of random's judgements on average "
            f"[{max(0.0, mean - half):.0%}, {mean + half:.0%}] over {len(mine)} language pairs"
        )
    return lines

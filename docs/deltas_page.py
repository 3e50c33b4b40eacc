"""The page deltas.md and its plot: the tables that users look up, from the table in the package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.report.reliability import reliability_diagram
from concordant.scoring.past_campaigns import INTO, OUT, past_table
from concordant.stats.chance_curve import difference_for
from concordant.stats.quantiles import percentile_interval

if TYPE_CHECKING:
    from concordant.scoring.past_campaigns import PastRow

HERE = Path(__file__).parent
FIGURES = HERE.parent / "benchmarks" / "deltas.json"
TEXT = HERE / "deltas.md"
PLOT = HERE / "reliability.svg"
CHANCES = (0.6, 0.7, 0.8, 0.9, 0.95)
SEGMENTS = 1000
BEGIN, END = "<!-- generated: {} -->", "<!-- end of generated -->"


def deltas_page(text: str) -> str:
    """The page with its tables written anew between their marks."""
    tables = {INTO: _lookup(INTO), OUT: _lookup(OUT), "left out": _left_out()}
    for name, rows in tables.items():
        head, begin, rest = text.partition(BEGIN.format(name))
        _, end, tail = rest.partition(END)
        text = "".join([head, begin, "\n\n", "\n".join(rows), "\n\n", end, tail])
    return text


def reliability_plot() -> str:
    """All metrics' decisions on years left out, in both directions."""
    rows = _figures()
    series = {way: _pooled([e for e in rows if e["direction"] == way]) for way in (INTO, OUT)}
    return str(reliability_diagram(series, "How often people agreed, on years left out"))


def _lookup(direction: str) -> list[str]:
    rows = [each for each in past_table().rows if each.direction == direction]
    heads = [f"{100 * chance:g} %" for chance in CHANCES]
    return [
        f"| metric | {' | '.join(heads)} | pairs of systems | years |",
        f"|---|{'---:|' * len(CHANCES)}---:|---|",
        *(
            f"| `{row.metric}` | {' | '.join(_difference(row, chance) for chance in CHANCES)} "
            f"| {row.comparisons:,} | {_years(row.years)} |"
            for row in rows
        ),
    ]


def _difference(row: PastRow, chance: float) -> str:
    """The difference that a chance needs, with its interval; "more" than was seen."""
    found = float(difference_for(row.curve, chance, SEGMENTS))
    if found > row.largest:
        return f"> {_short(row.largest)}"
    low, high = percentile_interval(difference_for(row.draws, chance, SEGMENTS))
    return f"{_short(found)} [{_short(low)}, {_short(high)}]"


def _short(number: float) -> str:
    places = max(0, 1 - int(np.floor(np.log10(number)))) if number < 10 else 0
    return f"{number:.{places}f}"


def _years(years: tuple[int, ...]) -> str:
    return ", ".join(f"{year % 100:02d}" for year in years)


def _left_out() -> list[str]:
    return [
        "| metric | | log loss | constant guess | at a stated 75 to 85 % | whole test sets |",
        "|---|---|---:|---:|---:|---:|",
        *(
            f"| `{e['metric']}` | {e['direction']} | {e['log_loss']:.3f} "
            f"| {e['constant_log_loss']:.3f} | {100 * e['right_at_80']:.0f} % "
            f"| {100 * e['whole_right_at_80']:.0f} % |"
            for e in _figures()
        ),
        f"| all | | | | {100 * _right(''):.1f} % | {100 * _right('whole_'):.1f} % |",
    ]


def _right(kind: str) -> float:
    """How often 80 % came true, over all metrics and directions."""
    rows = _figures()
    weights = [each[f"{kind}weight_at_80"] for each in rows]
    return float(np.average([each[f"{kind}right_at_80"] for each in rows], weights=weights))


def _pooled(rows: list[dict[str, Any]]) -> list[tuple[float, float, float]]:
    """The bins of several metrics as one; those of one range of chances have the same place."""
    by_place: dict[int, list[list[float]]] = {}
    for each in rows:
        for found in each["reliability"]:
            by_place.setdefault(min(int((found[0] - 0.5) / 0.05 + 1e-9), 9), []).append(found)
    pooled = []
    for place in sorted(by_place):
        found = np.array(by_place[place])
        stated, true = np.average(found[:, :2], axis=0, weights=found[:, 2])
        pooled.append((float(stated), float(true), float(found[:, 2].sum())))
    return pooled


def _figures() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(FIGURES.read_text(encoding="utf-8"))["rows"]
    return rows

"""System scores as a table: systems as rows, metrics as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from concordant.metrics.lexical.bleu import brevity_penalty, precisions
from concordant.metrics.scope import best_of
from concordant.report.tables import Table, columns_of, interval, marked_name
from concordant.scoring.intervals import interval_signature

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.baseline import BaselineChange
    from concordant.scoring.scores import SystemScores

BEST, TIED = "*", "="


def score_table(
    scored: Mapping[str, SystemScores],
    metrics: Sequence[Scorer],
    references: int,
    warnings: Mapping[str, Sequence[str]],
    *,
    width: int | None = None,
    details: bool = False,
) -> Table:
    """The score of every system by every metric with its interval, the best of each column marked.

    Systems that share the best score are marked as tied; if all share it, none is marked. `width`
    is the number of decimals, `details` adds what BLEU is made of.
    """
    rows = {system: each.values for system, each in scored.items()}
    names = [metric.name for metric in metrics]
    marks = [
        _marks([metric.sign * values[i] for values in rows.values()])
        for i, metric in enumerate(metrics)
    ]
    digits = [_digits([values[i] for values in rows.values()], width) for i in range(len(names))]
    bounded = any(each.intervals for each in scored.values())
    drawn = interval_signature(max(each.unit for each in scored.values())) if bounded else ""
    used = {mark for column in marks for mark in column}
    key = {BEST: "best of the column", TIED: "tied for the best of the column"}
    signatures = [f"nrefs:{references}|{m.signature(level='system')}{drawn}" for m in metrics]
    parts = {system: _details(each, metrics) for system, each in scored.items()} if details else {}
    return Table(
        header=["system", *_header(metrics, warnings, bounded)],
        cells=[
            [system, *(cell for i in range(len(names))
                       for cell in _cells(each, i, digits[i], marks[i][row]))]
            for row, (system, each) in enumerate(scored.items())
        ],
        records=[_record(system, each, names) for system, each in scored.items()],
        warnings=[words for found in warnings.values() for words in found],
        footer=[
            *(f"{mark} {words}" for mark, words in key.items() if mark in used),
            *(_detail_line(system, name, found)
              for system, each in parts.items() for name, found in each.items()),
            *signatures,
        ],
        document={
            "signatures": dict(zip(names, signatures, strict=True)),
            "flags": {system: dict(each.flags) for system, each in scored.items()},
            **({"details": parts} if details else {}),
        },
    )  # fmt: skip


def change_table(changes: Sequence[BaselineChange]) -> Table:
    """The other systems against the baseline, and each change in a sentence."""
    return Table(
        *columns_of(
            changes,
            {
                "system": lambda c: c.system,
                "metric": lambda c: c.metric,
                "change": lambda c: f"{c.change:+.{_digits([c.change], None)}f}",
                "significant": lambda c: "yes" if c.significant else "no",
                "people agree": lambda c: c.people.short,
            },
        ),
        records=[each.record() for each in changes],
        title=f"against {changes[0].baseline}",
        text_columns=2,
        footer=[
            *(each.words for each in changes),
            *dict.fromkeys(each.signature for each in changes),
        ],
    )


def bare_lines(scored: Mapping[str, SystemScores], width: int | None = None) -> Iterator[str]:
    """A line for each system with nothing but its scores, separated by tabs."""
    columns = list(zip(*(each.values for each in scored.values()), strict=True))
    digits = [_digits(column, width) for column in columns]
    for each in scored.values():
        yield "\t".join(f"{x:.{places}f}" for x, places in zip(each.values, digits, strict=True))


def _digits(values: Sequence[float], width: int | None) -> int:
    """The decimals asked for; by default 2, or 4 if no score exceeds 1."""
    if width is not None:
        return width
    return 2 if any(abs(value) > 1 for value in values) else 4


def _header(
    metrics: Sequence[Scorer], warnings: Mapping[str, Sequence[str]], bounded: bool
) -> Iterator[str]:
    """The heading of each metric, and of its interval."""
    for metric in metrics:
        yield marked_name(metric.name, metric.sign, warnings.get(metric.name))
        if bounded:
            yield "interval"


def _cells(row: SystemScores, i: int, digits: int, mark: str) -> list[str]:
    """A system's score by a metric, and its interval."""
    score = f"{row.values[i]:.{digits}f}{mark}"
    if not row.intervals:
        return [score]
    low, high = row.intervals[i] or (None, None)
    return [score, interval(low, high, digits)]


def _record(system: str, row: SystemScores, names: Sequence[str]) -> dict[str, Any]:
    """Every number of a system under its name."""
    bounds = {
        f"{name} {side}": None if found is None else found[end]
        for name, found in zip(names, row.intervals, strict=False)
        for end, side in enumerate(("low", "high"))
    }
    scores = dict(zip(names, row.values, strict=True))
    return {"system": system, **scores, **bounds, "segments": row.segments, "flagged": row.flagged}


def _details(row: SystemScores, metrics: Sequence[Scorer]) -> dict[str, dict[str, Any]]:
    """What a score is made of, for each metric that tells: BLEU."""
    return {
        metric.name: _bleu_details(sums, metric)
        for metric, sums in zip(metrics, row.sums, strict=True)
        if metric.name.partition("(")[0] == "bleu"
    }


def _bleu_details(sums: Any, metric: Scorer) -> dict[str, Any]:
    smoothing = getattr(metric, "options", {}).get("smooth", "exp")
    length, reference = (int(each) for each in sums[:2])
    return {
        "precisions": precisions(sums, smoothing).tolist(),
        "brevity_penalty": float(brevity_penalty(sums)),
        "length": length,
        "reference_length": reference,
        "ratio": length / reference if reference else 0.0,
    }


def _detail_line(system: str, name: str, found: Mapping[str, Any]) -> str:
    shown = "/".join(f"{each:.1f}" for each in found["precisions"])
    return (
        f"{system}: {name} precisions {shown}, brevity penalty {found['brevity_penalty']:.3f}, "
        f"length {found['length']:,}, reference length {found['reference_length']:,}, "
        f"ratio {found['ratio']:.3f}"
    )


def _marks(scores: Sequence[float]) -> list[str]:
    """The mark of each score; a blank for most. Higher is better."""
    best = best_of(scores)
    mark = "" if len(best) == len(scores) else BEST if len(best) == 1 else TIED
    return [mark if mark and i in best else " " for i in range(len(scores))]

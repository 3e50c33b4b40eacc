"""An evaluation as a table: metrics as rows, language pairs as columns, with intervals."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from concordant.evaluation.options import TESTS
from concordant.report.tables import Table, marked_name

if TYPE_CHECKING:
    from typing import Any

    from concordant.evaluation.comparisons import MetricComparison
    from concordant.evaluation.evaluation import Evaluation, Row
    from concordant.records import Estimate

ALPHA = 0.05


def evaluation_table(evaluation: Evaluation) -> Table:
    """The table of an evaluation, with marks for significance at 5 %."""
    columns = _columns(evaluation)
    marks = {column: significance_marks(evaluation, column) for column in columns}
    cells = [
        [
            marked_name(row.metric, 1, row.warnings),
            *(_cell(row, column, marks[column].get(row.metric, "")) for column in columns),
        ]
        for row in evaluation.rows
    ]
    options = evaluation.options
    return Table(
        header=["metric", *(_heading(evaluation, column) for column in columns)],
        cells=cells,
        records=[_record(evaluation, row, column) for row in evaluation.rows for column in columns],
        title=f"{evaluation.statistic} with people, {options.level} level",
        warnings=evaluation.warnings,
        footer=_footer(evaluation),
        document={
            "statistic": evaluation.statistic,
            "signature": evaluation.signature,
            "options": asdict(options),
            "columns": [asdict(heading) for heading in evaluation.headings],
            "metrics": {row.metric: row.signature for row in evaluation.rows},
            "comparisons": [_comparison(each) for each in evaluation.comparisons],
            "notes": list(evaluation.notes),
        },
    )


def _columns(evaluation: Evaluation) -> list[str]:
    return list(evaluation.rows[0].estimates) if evaluation.rows else []


def _heading(evaluation: Evaluation, column: str) -> str:
    """The name of a column: the language pair alone if there is only one test set."""
    testsets = {heading.name.rpartition(" ")[0] for heading in evaluation.headings}
    testset, _, pair = column.rpartition(" ")
    return pair if len(testsets) == 1 else f"{testset}\n{pair}".strip()


def _cell(row: Row, column: str, mark: str) -> str:
    estimate = row.estimates[column]
    if estimate is None:
        return "undefined"
    return f"{estimate.value:.3f}{mark or ' '}\n{_interval(estimate)}"


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "no interval "
    return f"[{estimate.low:.3f}, {estimate.high:.3f}]"


def significance_marks(evaluation: Evaluation, column: str) -> dict[str, str]:
    """`*`: differs from the baseline; without one, `†`: no metric is significantly better."""
    tested = [each for each in evaluation.comparisons if each.column == column]
    if evaluation.options.baseline is not None:
        return {each.first: "*" for each in tested if each.p_holm < ALPHA}
    beaten = {_loser(each) for each in tested if each.p_holm < ALPHA}
    names = {each.first for each in tested} | {each.second for each in tested}
    return dict.fromkeys(names - beaten, "†")


def _loser(comparison: MetricComparison) -> str:
    return comparison.second if comparison.difference.value > 0 else comparison.first


def _footer(evaluation: Evaluation) -> list[str]:
    options = evaluation.options
    estimates = {
        f"{row.metric}, {column}": estimate
        for row in evaluation.rows
        for column, estimate in row.estimates.items()
        if estimate is not None
    }
    lines = []
    first = next((each for each in estimates.values() if each.low is not None), None)
    if first is not None:
        lines.append(f"[low, high]: {100 * options.confidence:g} % interval, {first.method}")
    lines += [f"{place}: {each.method}" for place, each in estimates.items() if each.low is None]
    if evaluation.comparisons:
        test = f"{TESTS[options.test]}, p < {ALPHA:g}, Holm-corrected"
        if options.baseline is None:
            lines.append(f"† no metric here is significantly better ({test})")
        else:
            lines.append(f"* significantly different from {options.baseline} ({test})")
    for row in evaluation.rows:
        lines += [f"{row.metric}, {column}: {why}" for column, why in row.undefined.items()]
    counts = "; ".join(
        f"{each.name}: {each.judgements} judgements of {each.systems} systems"
        + (f" on {each.segments} segments" if each.segments else "")
        for each in evaluation.headings
    )
    return [*lines, counts, evaluation.signature, *(row.signature for row in evaluation.rows)]


def _record(evaluation: Evaluation, row: Row, column: str) -> dict[str, Any]:
    estimate = row.estimates[column]
    record: dict[str, Any] = {"metric": row.metric, "column": column}
    names = ("value", "low", "high", "n")
    record |= {name: None if estimate is None else getattr(estimate, name) for name in names}
    record["undefined"] = row.undefined.get(column)
    baseline = evaluation.options.baseline
    if baseline is not None:
        found = [
            each
            for each in evaluation.comparisons
            if (each.column, each.first, each.second) == (column, row.metric, baseline)
        ]
        record["difference"] = found[0].difference.value if found else None
        record["p_holm"] = found[0].p_holm if found else None
    record["signature"] = row.signature
    return record


def _comparison(comparison: MetricComparison) -> dict[str, Any]:
    fields = asdict(comparison)
    return {**{k: v for k, v in fields.items() if k != "difference"}, **fields["difference"]}

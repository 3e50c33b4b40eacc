"""Agreement of metrics with people: rows are metrics, columns language pairs and averages.

Every figure has a bootstrap interval over segments (or documents); every two metrics, or each
metric and a baseline, are compared by a paired permutation test with the same draws.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.arguments import as_list, function, instance, text_list
from concordant.brief import Brief
from concordant.errors import SpecError, nearest
from concordant.evaluation.comparisons import Draws, MetricComparison, compare, measure
from concordant.evaluation.judged_scorer import judged_scorers, naming_notes
from concordant.evaluation.options import (
    EvaluationOptions,
    check,
    check_documents,
    check_fit,
    default_statistic,
    kind_of_judgement,
    resampled_unit,
    signature_of,
)
from concordant.evaluation.scope_warnings import column_warnings, signs_of_columns
from concordant.evaluation.score_points import ScorePoints, score_points
from concordant.evaluation.system_statistics import without_outliers
from concordant.judgements.detection import read
from concordant.judgements.entities import read_entities
from concordant.judgements.judged_set import JudgedSet
from concordant.metrics.find import metric_list
from concordant.records import Collection
from concordant.stats.resampling import estimate_from
from concordant.tabular import Tabular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from concordant.evaluation.judged_scorer import JudgedScorer
    from concordant.judgements.judged_columns import Column
    from concordant.metrics.find import Named
    from concordant.records import Estimate

    Track = Callable[[Sequence[JudgedScorer], str], Iterable[JudgedScorer]]

AVERAGE = "average"


@dataclass(frozen=True, repr=False)
class Row(Brief):
    """One metric: an estimate for each column (None where undefined, with the reason beside).

    `warnings` say where it is not made for a column's language.
    """

    metric: str
    signature: str
    estimates: dict[str, Estimate | None]
    undefined: dict[str, str]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heading:
    """One column: what it holds."""

    name: str
    translations: int
    segments: int
    systems: int
    judgements: int


@dataclass(frozen=True, repr=False)
class Evaluation(Brief, Tabular):
    """The whole result, with the signature of how it was computed and notes on what to know.

    `points` are the scores behind it, where they were asked for.
    """

    statistic: str
    options: EvaluationOptions
    headings: tuple[Heading, ...]
    rows: tuple[Row, ...]
    comparisons: tuple[MetricComparison, ...]
    signature: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    points: tuple[ScorePoints, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """One row for each metric and column: the agreement with its interval; None: undefined."""
        return [
            {
                "metric": row.metric,
                "column": column,
                "value": None if each is None else each.value,
                "low": None if each is None else each.low,
                "high": None if each is None else each.high,
                "n": None if each is None else each.n,
            }
            for row in self.rows
            for column, each in row.estimates.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The agreement of each metric as plain values, and how it was computed."""
        return {
            "statistic": self.statistic,
            "signature": self.signature,
            "notes": list(self.notes),
            "warnings": list(self.warnings),
            "records": self.records(),
        }

    def _title(self) -> str:
        return f"{self.statistic} with people, {self.options.level} level"


def evaluate(
    metrics: Named | Sequence[Named],
    judgements: Collection | str | Path,
    options: EvaluationOptions | None = None,
    *,
    keep_points: bool = False,
    track: Track | None = None,
) -> Evaluation:
    """The agreement of metrics with people's judgements, given as a collection or as its path.

    `metrics` are names as for `load` or what that loaded, files of scores, or folders of such
    files; `track` may wrap the metrics in a progress bar. With `keep_points` the result has the
    scores beside people's, for plots.
    """
    asked = instance(
        EvaluationOptions() if options is None else options,
        "options",
        EvaluationOptions,
        "EvaluationOptions(…)",
    )
    function(track, "track")
    collection = instance(
        read(judgements) if isinstance(judgements, str | Path) else judgements,
        "judgements", Collection, "what read_judgements gave, or a path",
    )  # fmt: skip
    named = metric_list(metrics)
    check(asked)
    kind = kind_of_judgement(collection, asked)
    name = asked.statistic or default_statistic(kind, asked.level)
    check_fit(name, kind, asked)
    given = as_list(asked.pairs)
    pairs = text_list(given, "pairs") if given else ()
    written = collection
    collection = read_entities(written, asked.entities)
    judged = JudgedSet.of(collection, kind, language_pairs=pairs, human=asked.human)
    columns = judged.columns(by_document=asked.by_document)
    check_documents(columns, asked)
    scorers = _scorers(named, columns, asked)
    notes = [*collection.notes, *naming_notes(scorers, columns)]
    if asked.level == "system" and asked.drop_outliers:
        columns = _without_outliers(columns, asked, notes)
    drawn: dict[str, dict[str, Draws]] = {}
    undefined: dict[str, dict[str, str]] = {}
    for scorer in scorers if track is None else track(scorers, f"measuring {name}"):
        drawn[scorer.name], undefined[scorer.name] = measure(scorer, columns, name, asked)
    groups = _averages(columns)
    seen = signs_of_columns(columns)
    rows = tuple(
        replace(
            _row(scorer, name, columns, groups, drawn[scorer.name], undefined[scorer.name], asked),
            warnings=column_warnings(scorer, columns, seen),
        )
        for scorer in scorers
    )
    warnings = tuple(words for row in rows for words in row.warnings)
    comparisons = compare([scorer.name for scorer in scorers], columns, groups, drawn, asked)
    headings = tuple(
        Heading(c.name, len(c.places), len(c.segments), len(c.systems), c.judgements)
        for c in columns
    )
    signature = signature_of(name, kind, columns, asked, resolved=collection is not written)
    points = tuple(
        score_points(scorer, column, asked, drawn[scorer.name][column.name])
        for column in columns
        for scorer in scorers
        if keep_points and column.name in drawn[scorer.name]
    )
    return Evaluation(
        name, asked, headings, rows, comparisons, signature, tuple(notes), warnings, points
    )


def _row(
    scorer: JudgedScorer,
    name: str,
    columns: Sequence[Column],
    groups: dict[str, list[str]],
    drawn: dict[str, Draws],
    undefined: dict[str, str],
    asked: EvaluationOptions,
) -> Row:
    method = f"bootstrap over {resampled_unit(columns, asked)}, {asked.resamples} resamples"
    estimates: dict[str, Estimate | None] = {}
    for column in columns:
        draws = drawn.get(column.name)
        estimates[column.name] = (
            None
            if draws is None
            else estimate_from(draws.value, draws.resampled, draws.n, asked.confidence, method)
        )
    for heading, members in groups.items():
        parts = [drawn[member] for member in members if member in drawn]
        if len(parts) < len(members):
            estimates[heading] = None
            undefined = {**undefined, heading: "undefined for a language pair"}
            continue
        estimates[heading] = estimate_from(
            float(np.mean([part.value for part in parts])),
            np.mean([part.resampled for part in parts], axis=0),
            sum(part.n for part in parts),
            asked.confidence,
            method,
        )
    # SPA compares systems by their segments' scores, not by corpus scores.
    scored = "segment" if name == "spa" else asked.level
    return Row(scorer.name, scorer.signature(scored), estimates, undefined)


def _averages(columns: Sequence[Column]) -> dict[str, list[str]]:
    """Headings of averages and the columns in each: one for every test set with several pairs."""
    by_testset: dict[str, list[str]] = {}
    for column in columns:
        by_testset.setdefault(column.testset, []).append(column.name)
    if len(by_testset) == 1:
        names = next(iter(by_testset.values()))
        return {AVERAGE: names} if len(names) > 1 else {}
    return {f"{AVERAGE} {name}": names for name, names in by_testset.items() if len(names) > 1}


def _scorers(
    metrics: Sequence[Named], columns: Sequence[Column], asked: EvaluationOptions
) -> list[JudgedScorer]:
    given = [str(each) if isinstance(each, str | Path) else each.name for each in metrics]
    for name in asked.lower_is_better:
        if name not in given:
            known = ", ".join(given)
            raise SpecError(f'lower-is-better "{name}" is not one of the given metrics: {known}')
    scorers = [
        scorer
        for metric, name in zip(metrics, given, strict=True)
        for scorer in judged_scorers(
            metric, columns, sign=-1 if name in asked.lower_is_better else 1
        )
    ]
    names = [scorer.name for scorer in scorers]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SpecError(f"metric {', '.join(twice)} is given more than once")
    if asked.baseline is not None and asked.baseline not in names:
        raise SpecError(
            f'baseline "{asked.baseline}" is not one of the metrics {", ".join(names)}'
            f"{nearest(asked.baseline, names)}"
        )
    return scorers


def _without_outliers(
    columns: Sequence[Column], asked: EvaluationOptions, notes: list[str]
) -> list[Column]:
    kept = []
    for column in columns:
        rest, outliers = without_outliers(column, method=asked.system_scores)
        if outliers:
            notes.append(f"{column.name}: outlier systems left out: {', '.join(outliers)}")
        kept.append(rest)
    return kept

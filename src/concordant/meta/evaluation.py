"""How far metrics agree with people: one row a metric, one column a language pair, and the average.

Every figure has a bootstrap interval over segments (or documents); every two metrics, or each
metric and a baseline, are compared by a paired permutation test with the same draws, corrected by
Holm's method over the comparisons of a column.
"""

from __future__ import annotations

import itertools
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant._version import __version__
from concordant.errors import SpecError, UndefinedStatistic, nearest
from concordant.meta.columns import columns_of, kinds_of
from concordant.meta.scorers import scorers_named
from concordant.meta.statistics import STATISTICS, measure_segments, statistic_named
from concordant.meta.system_statistics import measure_systems, resamples_systems, without_outliers
from concordant.stats.resampling import (
    Difference,
    bootstrap_weights,
    difference_from,
    estimate_from,
    swap_masks,
)
from concordant.stats.significance import holm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from concordant.meta.columns import Column, Floats
    from concordant.meta.scorers import Scorer
    from concordant.records import Collection, Estimate
    from concordant.stats.measured import Measured

    Track = Callable[[Sequence[Scorer], str], Iterable[Scorer]]

LEVELS = ("segment", "system")
AVERAGE = "average"


@dataclass(frozen=True)
class Options:
    """What is asked of an evaluation; each default is stated in `concordant evaluate --help`."""

    level: str = "segment"
    statistic: str | None = None
    average: str = "pooled"
    gap: float | None = None
    human: str | None = None
    judged: str | None = None
    pairs: tuple[str, ...] = ()
    by_document: bool = False
    system_scores: str = "expected-wins"
    drop_outliers: bool = False
    baseline: str | None = None
    lower_is_better: tuple[str, ...] = ()
    resamples: int = 1000
    permutations: int = 1000
    confidence: float = 0.95
    seed: int = 0


@dataclass(frozen=True)
class Row:
    """One metric: an estimate for each column (None where undefined, with the reason beside)."""

    metric: str
    signature: str
    estimates: dict[str, Estimate | None]
    undefined: dict[str, str]


@dataclass(frozen=True)
class Comparison:
    """Two metrics in one column; `p_holm` is corrected over all comparisons of the column."""

    column: str
    first: str
    second: str
    difference: Difference
    p_holm: float


@dataclass(frozen=True)
class Heading:
    """One column: what it holds."""

    name: str
    outputs: int
    segments: int
    systems: int
    judgements: int


@dataclass(frozen=True)
class Evaluation:
    """The whole result, with the signature of how it was computed and notes on what to know."""

    statistic: str
    options: Options
    headings: tuple[Heading, ...]
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]
    signature: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Draws:
    """Resamples of one column: a metric's value, bootstrap values, and the measured statistic."""

    value: float
    resampled: Floats
    measured: Measured
    n: int


def evaluate(
    metrics: Sequence[str],
    collection: Collection,
    options: Options | None = None,
    *,
    track: Track = lambda scorers, _: scorers,
) -> Evaluation:
    """The agreement of metrics with the judgements of a collection.

    `metrics` are names of measures, files of scores, or folders of such files; `track` may wrap
    the metrics in a progress bar.
    """
    asked = Options() if options is None else options
    _check(asked)
    kind = _kind(collection, asked)
    name = asked.statistic or _default_statistic(kind, asked.level)
    statistic_named(name, asked.level)
    columns = columns_of(
        collection, kind, patterns=asked.pairs, human=asked.human, by_document=asked.by_document
    )
    scorers = _scorers(metrics, columns, asked)
    notes = list(collection.notes)
    if asked.level == "system" and asked.drop_outliers:
        columns = _without_outliers(columns, asked, notes)
    drawn: dict[str, dict[str, Draws]] = {}
    undefined: dict[str, dict[str, str]] = {}
    for scorer in track(scorers, f"measuring {name}"):
        drawn[scorer.name], undefined[scorer.name] = _measure(scorer, columns, name, asked)
    groups = _averages(columns)
    rows = tuple(
        _row(scorer, columns, groups, drawn[scorer.name], undefined[scorer.name], asked)
        for scorer in scorers
    )
    comparisons = _compare(scorers, columns, groups, drawn, asked)
    headings = tuple(
        Heading(c.name, len(c.outputs), len(c.segments), len(c.systems), c.judgements)
        for c in columns
    )
    signature = _signature(name, kind, columns, asked)
    return Evaluation(name, asked, headings, rows, comparisons, signature, tuple(notes))


def _measure(
    scorer: Scorer, columns: Sequence[Column], name: str, asked: Options
) -> tuple[dict[str, Draws], dict[str, str]]:
    drawn: dict[str, Draws] = {}
    undefined: dict[str, str] = {}
    for column in columns:
        try:
            measured = _measured(scorer, column, name, asked)
            value = measured.value()
        except UndefinedStatistic as reason:
            undefined[column.name] = str(reason)
            continue
        weights = bootstrap_weights(
            _units(column, asked), asked.resamples, _rng(column, asked, 0), clusters=column.clusters
        )
        n = len(column.systems) if asked.level == "system" else column.judgements
        drawn[column.name] = Draws(value, measured.resampled(weights), measured, n)
    return drawn, undefined


def _measured(scorer: Scorer, column: Column, name: str, asked: Options) -> Measured:
    if asked.level == "segment":
        values = scorer.outputs(column)
        return measure_segments(name, column, values, average=asked.average, gap=asked.gap)
    return measure_systems(
        name,
        column,
        scorer,
        method=asked.system_scores,
        seed=asked.seed,
        permutations=asked.permutations,
    )


def _row(
    scorer: Scorer,
    columns: Sequence[Column],
    groups: dict[str, list[str]],
    drawn: dict[str, Draws],
    undefined: dict[str, str],
    asked: Options,
) -> Row:
    method = f"bootstrap over {_resampled_unit(columns, asked)}, {asked.resamples} resamples"
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
    return Row(scorer.name, scorer.signature(asked.level), estimates, undefined)


def _compare(
    scorers: Sequence[Scorer],
    columns: Sequence[Column],
    groups: dict[str, list[str]],
    drawn: dict[str, dict[str, Draws]],
    asked: Options,
) -> tuple[Comparison, ...]:
    names = [scorer.name for scorer in scorers]
    if asked.baseline is None:
        couples = list(itertools.combinations(names, 2))
    else:
        couples = [(each, asked.baseline) for each in names if each != asked.baseline]
    nulls: dict[tuple[str, str, str], Floats] = {}
    for column in columns:
        masks = swap_masks(
            _units(column, asked),
            asked.permutations,
            _rng(column, asked, 1),
            clusters=column.clusters,
        )
        for first, second in couples:
            one, two = drawn[first].get(column.name), drawn[second].get(column.name)
            if one is not None and two is not None:
                swapped = one.measured.swapped(two.measured, masks)
                nulls[column.name, first, second] = swapped[0] - swapped[1]
    members = {column.name: [column.name] for column in columns} | groups
    comparisons = []
    for heading, parts in members.items():
        tested = [
            (
                first,
                second,
                _difference(drawn[first], drawn[second], nulls, (first, second), parts, asked),
            )
            for first, second in couples
            if all((part, first, second) in nulls for part in parts)
        ]
        adjusted = holm([difference.p for _, _, difference in tested]) if tested else ()
        comparisons += [
            Comparison(heading, first, second, difference, float(p))
            for (first, second, difference), p in zip(tested, adjusted, strict=True)
        ]
    return tuple(comparisons)


def _difference(
    first: dict[str, Draws],
    second: dict[str, Draws],
    nulls: dict[tuple[str, str, str], Floats],
    couple: tuple[str, str],
    parts: Sequence[str],
    asked: Options,
) -> Difference:
    value = np.mean([first[part].value - second[part].value for part in parts])
    resampled = np.mean([first[part].resampled - second[part].resampled for part in parts], axis=0)
    null = np.mean([nulls[part, couple[0], couple[1]] for part in parts], axis=0)
    return difference_from(float(value), resampled, null, level=asked.confidence)


def _averages(columns: Sequence[Column]) -> dict[str, list[str]]:
    """Headings of averages and the columns in each: one for every test set with several pairs."""
    by_testset: dict[str, list[str]] = {}
    for column in columns:
        by_testset.setdefault(column.testset, []).append(column.name)
    if len(by_testset) == 1:
        names = next(iter(by_testset.values()))
        return {AVERAGE: names} if len(names) > 1 else {}
    return {f"{AVERAGE} {name}": names for name, names in by_testset.items() if len(names) > 1}


def _units(column: Column, asked: Options) -> int:
    if asked.level == "system" and resamples_systems(column, asked.system_scores):
        return len(column.systems)
    return len(column.segments)


def _rng(column: Column, asked: Options, stream: int) -> np.random.Generator:
    """A generator of its own for each column, so that a figure never depends on its neighbours."""
    return np.random.default_rng([asked.seed, zlib.crc32(column.name.encode()), stream])


def _scorers(metrics: Sequence[str], columns: Sequence[Column], asked: Options) -> list[Scorer]:
    scorers = [
        scorer
        for metric in metrics
        for scorer in scorers_named(
            metric, columns, sign=-1 if metric in asked.lower_is_better else 1
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


def _without_outliers(columns: Sequence[Column], asked: Options, notes: list[str]) -> list[Column]:
    kept = []
    for column in columns:
        rest, outliers = without_outliers(column, method=asked.system_scores, seed=asked.seed)
        if outliers:
            notes.append(f"{column.name}: outlier systems left out: {', '.join(outliers)}")
        kept.append(rest)
    return kept


def _kind(collection: Collection, asked: Options) -> str:
    """The kind of judgement to use: what is asked for, else the first that fits the statistic."""
    present = kinds_of(collection)
    if not present:
        raise SpecError("there are no judgements, only texts or scores; name a file that has some")
    if asked.judged is not None:
        if asked.judged not in present:
            raise SpecError(f"there are no {asked.judged}; there are {', '.join(present)}")
        return asked.judged
    order: tuple[str, ...]
    if asked.level == "system":
        order = ("system ratings", "ratings", "rankings", "preferences")
    elif asked.statistic is None:
        order = ("ratings", "preferences", "rankings")
    else:
        order = STATISTICS[asked.statistic].kinds if asked.statistic in STATISTICS else ()
    fitting = [kind for kind in order if kind in present]
    if not fitting:
        wanted = asked.statistic or f"{asked.level} level"
        raise SpecError(
            f"{wanted} needs {' or '.join(order) or 'other judgements'}; "
            f"there are {', '.join(present)}"
        )
    return fitting[0]


def _default_statistic(kind: str, level: str) -> str:
    return "pearson" if level == "system" or kind == "ratings" else "tau-wmt14"


def _check(asked: Options) -> None:
    if asked.level not in LEVELS:
        raise SpecError(f'level "{asked.level}" is not one of {", ".join(LEVELS)}')
    if asked.resamples < 1 or asked.permutations < 1:
        raise SpecError("resamples and permutations must be at least 1")
    if not 0 < asked.confidence < 1:
        raise SpecError(f"confidence {asked.confidence:g} must lie between 0 and 1, such as 0.95")


def _resampled_unit(columns: Sequence[Column], asked: Options) -> str:
    by_system = asked.level == "system" and any(
        resamples_systems(column, asked.system_scores) for column in columns
    )
    return "systems" if by_system else "documents" if asked.by_document else "segments"


def _signature(name: str, kind: str, columns: Sequence[Column], asked: Options) -> str:
    parts = [f"statistic:{name}", f"level:{asked.level}", f"human:{kind.replace(' ', '-')}"]
    if asked.level == "segment":
        parts.append(f"average:{asked.average}")
    elif kind in {"rankings", "preferences"}:
        parts.append(f"system-scores:{asked.system_scores}")
    if asked.gap is not None:
        parts.append(f"gap:{asked.gap:g}")
    parts += [
        f"bootstrap:{asked.resamples}x{_resampled_unit(columns, asked)}",
        f"permutations:{asked.permutations}",
    ]
    return "|".join([*parts, f"seed:{asked.seed}", f"concordant:{__version__}"])

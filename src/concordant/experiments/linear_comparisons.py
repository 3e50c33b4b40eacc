"""Three objectives compared: differences, Williams' test, and which is the most stable.

Stability is what Stanojević and Sima'an (2017) claim of the joint objective: whichever way metrics
are tested, it is not far from the best. It is measured as the shortfall, the best objective's
agreement with people minus an objective's own, over the four ways of testing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.experiments.figures import Figure, Resampled, difference_of, figure, mean_of
from concordant.stats.correlation import pearson
from concordant.stats.significance import williams
from concordant.stats.supersampling import compare_on_hybrids

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.evaluation.comparisons import Draws
    from concordant.judgements.judged_columns import Column, Floats

    Found = dict[str, dict[str, Draws]]  # objective → language pair → what was measured
    Printed = Mapping[str, float]  # objective → what the paper has

EN = "en"
COUPLES = (("joint", "sent"), ("joint", "corpus"), ("sent", "corpus"))
LEVEL = 0.05
SEED = 0


def comparisons(
    part: str,
    found: Found,
    printed: Printed,
    columns: Sequence[Column],
    scores: Mapping[str, Mapping[str, Floats]],
    *,
    level: str,
) -> list[Figure]:
    """For each two objectives how much better the first is, and where `scores` are, p-values.

    `scores` has, for a language pair, each objective's segment scores. The p is Williams',
    of one side: small where the first is better. Over systems it is of 10,000 hybrids of them. The
    last row asks whether joint is below the better of the other two.
    """
    figures = []
    for first, second in COUPLES:
        gap = difference_of(*(mean_of(found[each].values()) for each in (first, second)))
        known = printed[first] - printed[second]
        figures.append(figure(f"{part} {first} minus {second}", EN, known, gap))
    test = _hybrid_p if level == "system" else _williams_p
    for column in columns:
        if column.pair not in scores:
            continue
        own = scores[column.pair]
        for first, second in COUPLES:
            p = test(own[first], own[second], column)
            figures.append(Figure(f"{part} {first} over {second}: p", column.pair, None, p))
        better = max(("sent", "corpus"), key=lambda each: found[each][column.pair].value)
        p = test(own[better], own["joint"], column)
        least = LEVEL if level == "segment" else None
        label = f"{part} joint below the better single one: p"
        figures.append(Figure(label, column.pair, None, p, None, least=least))
    return figures


def stability(found: Mapping[str, Found], printed: Mapping[str, Printed]) -> list[Figure]:
    """Each objective's shortfall over the ways of testing, on average and at worst."""
    objectives = list(next(iter(found.values())))
    means = [[mean_of(each[o].values()) for o in objectives] for each in found.values()]
    value = _shortfall(np.array([[each.value for each in row] for row in means]))
    resampled = _shortfall(np.array([[each.resampled for each in row] for row in means]))
    known = _shortfall(np.array([[printed[way][o] for o in objectives] for way in found]))
    figures = []
    for title, reduce in (("mean of the four", np.mean), ("worst of the four", np.max)):
        ours, theirs, draws = (reduce(each, axis=0) for each in (value, known, resampled))
        for i, objective in enumerate(objectives):
            mean = Resampled(float(ours[i]), draws[i], 0)
            label = f"shortfall from the best objective, {title}"
            figures.append(figure(label, objective, float(theirs[i]), mean))
        joint = objectives.index("joint")
        for i, objective in enumerate(objectives):
            if i != joint:
                gap = Resampled(float(ours[i] - ours[joint]), draws[i] - draws[joint], 0)
                label = f"stability: how much smaller joint's is, {title}"
                wanted = float(theirs[i] - theirs[joint])
                figures.append(figure(label, f"than {objective}'s", wanted, gap))
    return figures


def _shortfall(agreement: Floats) -> Floats:
    """(ways, objectives, …) → the best of the objectives minus each."""
    return np.asarray(agreement.max(axis=1, keepdims=True) - agreement)


def _williams_p(first: Floats, second: Floats, column: Column) -> float:
    human = column.ratings
    assert human is not None  # noqa: S101 - a column of ratings
    correlations = pearson(first, human), pearson(second, human), pearson(first, second)
    return williams(*correlations, len(human)).p_one_sided


def _hybrid_p(first: Floats, second: Floats, column: Column) -> float:
    assert column.ratings is not None  # noqa: S101 - a column of ratings
    tables = [_matrix(column, each) for each in (first, second, column.ratings)]
    judged = _matrix(column, np.ones(len(column.places)))
    rng = np.random.default_rng(SEED)
    return compare_on_hybrids(*tables, rng=rng, judged=judged).test.p_one_sided


def _matrix(column: Column, values: Floats) -> Floats:
    """Scores of translations as (systems, segments); 0 where there is no translation."""
    table = np.zeros((len(column.systems), len(column.segments)))
    table[column.system, column.segment] = values
    return table

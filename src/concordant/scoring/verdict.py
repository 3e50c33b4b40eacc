"""The verdict of a comparison: sentences that can be read without knowing statistics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from concordant.metrics.scope import best_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.scoring.comparison_result import Comparison, MetricResult
    from concordant.stats.contest import PairTest


MOST_NAMED = 3


def verdict(comparison: Comparison) -> str:
    """Which system is best by the first metric, if that is significant, and if others agree.

    There is no verdict if the metric is not made for these texts.
    """
    main, *others = comparison.metrics
    if main.doubts:
        return f"No verdict: {main.name} is not reliable on these texts (see the warnings)."
    if comparison.baseline is not None:
        return " ".join(_baseline_sentence(comparison, each) for each in comparison.metrics)
    return " ".join([
        _main_sentence(comparison, main),
        *([_others_sentence(comparison, main, others)] if others else []),
    ])


def rivals(comparison: Comparison, metric: MetricResult) -> list[int]:
    """The systems that are not significantly different from the best one."""
    best, *rest = metric.order
    alpha = comparison.options.alpha
    return [i for i in rest if not metric.pair(best, i).significant(alpha)]


def decimals(metric: MetricResult) -> int:
    """The number of decimals of a metric's shown scores: 2, or 4 if none exceeds 1."""
    return 2 if any(abs(each.score) > 1 for each in metric.contest.standings) else 4


def p_cell(p: float, floor: bool) -> str:
    """A p-value with four decimals; at its floor (no draw was as extreme), an upper bound.

    >>> p_cell(0.0312, False), p_cell(15 / 1001, True)
    ('0.0312', '< 0.0150')
    """
    return f"< {math.floor(1e4 * p + 1) / 1e4:.4f}" if floor else f"{p:.4f}"


def p_words(p: float, floor: bool) -> str:
    """A p-value in a sentence, with three decimals.

    >>> p_words(0.0001, False), p_words(0.0312, False), p_words(0.0099, True)
    ('p < 0.001', 'p = 0.031', 'p < 0.010')
    """
    bar = math.floor(1e3 * p + 1) / 1e3
    return f"p < {bar:.3f}" if floor or bar <= 0.001 else f"p = {p:.3f}"


def _main_sentence(comparison: Comparison, metric: MetricResult) -> str:
    digits = decimals(metric)
    best, second = metric.order[:2]
    name = comparison.systems[best]
    score = f"{metric.shown(metric.contest.standings[best].score):.{digits}f}"
    leaders, among = _leaders(metric), rivals(comparison, metric)
    test = metric.pair(best, second)
    gap = abs(test.difference)
    if len(leaders) > 1:
        same = list_names([comparison.systems[i] for i in leaders])
        first = "" if len(leaders) == len(metric.order) else ", the best one"
        return (
            f"{same} have the same score by {metric.name} ({score}){first}; it cannot tell which "
            "is better."
        )
    if among:
        p, floor = max(
            (test.p_bootstrap_holm, test.bootstrap_at_floor),
            (test.p_randomisation_holm, test.randomisation_at_floor),
        )
        others = list_names([comparison.systems[i] for i in among])
        if len(among) > MOST_NAMED:
            others = f"{len(among)} others"
        which = "which" if among == [second] else f"of which {comparison.systems[second]}"
        return (
            f"{name} scores best by {metric.name} ({score}), but on this test set it is not "
            f"significantly different from {others}, {which} is {gap:.{digits}f} behind "
            f"({p_words(p, floor)})."
        )
    return (
        f"{name} is the best of {len(comparison.systems)} systems by {metric.name} "
        f"({score}), {gap:.{digits}f} ahead of {comparison.systems[second]}; by both tests it is "
        "significantly better than every other system."
    )


def _others_sentence(
    comparison: Comparison, main: MetricResult, others: Sequence[MetricResult]
) -> str:
    leaders = _leaders(main)
    agree = [each.name for each in others if _leaders(each) == leaders]
    differ = [each for each in others if _leaders(each) != leaders]
    parts = [f"{list_names(agree)} {_agree(len(agree), len(leaders))}"] if agree else []
    parts += [
        f"{each.name} puts {list_names([comparison.systems[i] for i in _leaders(each)])} first"
        for each in differ
    ]
    return ("" if agree else "But ") + "; ".join(parts) + "."


def _leaders(metric: MetricResult) -> list[int]:
    """The systems with the best score: one, or several that score the same."""
    best = best_of([each.score for each in metric.contest.standings])
    return [i for i in metric.order if i in best]


def _agree(metrics: int, leaders: int) -> str:
    what = "on the best" if leaders == 1 else "on that"
    return f"agrees {what}" if metrics == 1 else f"agree {what}"


BETTER, WORSE, SAME, EQUAL = "better", "worse", "not significant", "equal"


def outcome(test: PairTest, baseline: int, alpha: float) -> str:
    """How the other system of a test does against the baseline."""
    if test.difference == 0:
        return EQUAL
    if not test.significant(alpha):
        return SAME
    return WORSE if test.order[0] == baseline else BETTER


def _baseline_sentence(comparison: Comparison, metric: MetricResult) -> str:
    """Which systems are better or worse than the baseline by a metric."""
    names = comparison.systems
    base = names.index(str(comparison.baseline))
    groups: dict[str, list[str]] = {BETTER: [], WORSE: [], SAME: []}
    for test in metric.against:
        found = outcome(test, base, comparison.options.alpha)
        other = test.second if test.first == base else test.first
        groups[SAME if found == EQUAL else found].append(names[other])
    words = {
        BETTER: "significantly better than",
        WORSE: "significantly worse than",
        SAME: "not significantly different from",
    }
    parts = [
        f"{list_names(found)} {'is' if len(found) == 1 else 'are'} {words[kind]}"
        for kind, found in groups.items()
        if found
    ]
    first, *rest = parts
    whole = [f"{first} the baseline {comparison.baseline}", *(f"{each} it" for each in rest)]
    return f"By {metric.name}, {list_names(whole)}."


def list_names(names: Sequence[str]) -> str:
    """Names as an English list.

    >>> list_names(["a"]), list_names(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last

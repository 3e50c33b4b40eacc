"""The verdict of a comparison: a short line, and the facts behind it in a sentence each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from concordant.metrics.scope import best_of
from concordant.scoring.past_campaigns import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.scoring.comparison_result import Comparison, MetricResult
    from concordant.scoring.past_campaigns import PeopleAgree
    from concordant.stats.contest import PairTest


MOST_NAMED = 3
MOST_FACTS = 6


def verdict(comparison: Comparison) -> str:
    """One short line: which system is best by the first metric, and how sure that is.

    There is no verdict if the metric is not made for these texts.
    """
    main = comparison.metrics[0]
    if main.doubts:
        return f"No verdict: {main.name} is not reliable on these texts (see the warnings)."
    if comparison.baseline is not None:
        return _baseline_line(comparison, main)
    return _best_line(comparison, main)


def facts(comparison: Comparison) -> tuple[str, ...]:
    """The figures behind the verdict: each metric's difference, its p-value, the past campaigns.

    Without a baseline it is the difference of the two best systems by the first metric; with one,
    of every other system and that.
    """
    main, *others = comparison.metrics
    reliable = [each for each in comparison.metrics if not each.doubts]
    if comparison.baseline is not None:
        found = [pair_words(comparison, each, test) for each in reliable for test in each.against]
        more = len(found) - MOST_FACTS
        return (*found[:MOST_FACTS], *([f"{more} more are in the tables."] if more > 0 else []))
    best, second = main.order[:2]
    return (
        *(pair_words(comparison, each, each.pair(best, second)) for each in reliable),
        *([_others_sentence(comparison, main, others)] if others and not main.doubts else []),
    )


def pair_words(comparison: Comparison, metric: MetricResult, test: PairTest) -> str:
    """A sentence on two systems: the difference, whether it is significant, whether people agreed.

    As in "chrf +1.20 (A over B): statistically significant (p = 0.003); in past campaigns …".
    """
    change = metric.sign * abs(test.difference)
    return difference_words(
        metric.name, f"{change:+.{decimals(metric)}f}",
        [comparison.systems[i] for i in test.order],
        test, metric.past.of(change), comparison.options.alpha,
    )  # fmt: skip


def difference_words(
    metric: str,
    change: str,
    systems: Sequence[str],
    test: PairTest,
    people: PeopleAgree,
    alpha: float,
) -> str:
    """The same of a metric's change in words, from the worse to the better of two systems."""
    if test.difference == 0:
        return f"{metric}: {list_names(systems)} have the same score."
    p, floor = max(
        (test.p_bootstrap_holm, test.bootstrap_at_floor),
        (test.p_randomisation_holm, test.randomisation_at_floor),
    )
    sure = "statistically significant" if test.significant(alpha) else "not significant"
    over = " over ".join(systems)
    return f"{metric} {change} ({over}): {sure} ({p_words(p, floor)}); {people.words}."


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

    >>> p_words(0.0001, False), p_words(0.0312, False), p_words(0.0099, True), p_words(1.0, False)
    ('p < 0.001', 'p = 0.031', 'p < 0.010', 'p > 0.999')
    """
    if p >= 0.9995:
        return "p > 0.999"
    bar = math.floor(1e3 * p + 1) / 1e3
    return f"p < {bar:.3f}" if floor or bar <= 0.001 else f"p = {p:.3f}"


def _best_line(comparison: Comparison, metric: MetricResult) -> str:
    best, second = metric.order[:2]
    name, count = comparison.systems[best], len(metric.order)
    leaders, among = _leaders(metric), rivals(comparison, metric)
    if len(leaders) > 1:
        same = list_names([comparison.systems[i] for i in leaders])
        first = "" if len(leaders) == count else ", the best one"
        return (
            f"{same} have the same score by {metric.name}{first}; it cannot tell which is better."
        )
    sure = _chance_words(metric.people(best, second))
    if not among:
        rest = comparison.systems[second] if count == 2 else f"the other {count - 1} systems"
        return f"{name} is significantly better than {rest} by {metric.name}{sure}."
    others = list_names([comparison.systems[i] for i in among])
    if len(among) > MOST_NAMED:
        others = f"{len(among)} others"
    return f"{name} scores best by {metric.name}, but not significantly better than {others}{sure}."


def _chance_words(people: PeopleAgree) -> str:
    """The end of a verdict: how likely people agree; nothing where that is not known."""
    if people.chance is None:
        return ""
    thin = " (thin data)" if people.thin else ""
    return f"; chance that people agree: {percent(people.chance)} %{thin}"


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


def _baseline_line(comparison: Comparison, metric: MetricResult) -> str:
    """Which systems are better or worse than the baseline by a metric."""
    names = comparison.systems
    base = names.index(str(comparison.baseline))
    groups: dict[str, list[str]] = {BETTER: [], WORSE: [], SAME: []}
    for test in metric.against:
        found = outcome(test, base, comparison.options.alpha)
        other = test.second if test.first == base else test.first
        groups[SAME if found == EQUAL else found].append(names[other])
    words = {
        BETTER: "significantly better",
        WORSE: "significantly worse",
        SAME: "not significantly different",
    }
    parts = [
        f"{list_names(found)} {'is' if len(found) == 1 else 'are'} {words[kind]}"
        for kind, found in groups.items()
        if found
    ]
    return f"Against {comparison.baseline} by {metric.name}: {'; '.join(parts)}."


def list_names(names: Sequence[str]) -> str:
    """Names as an English list.

    >>> list_names(["a"]), list_names(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last

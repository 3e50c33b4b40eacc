"""A comparison in sentences that need no statistics to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.scoring.comparison import Comparison, MetricResult


MOST_NAMED = 3


def verdict(comparison: Comparison) -> str:
    """Which system is best by the first metric, whether that is sure, and if others agree."""
    main, *others = comparison.metrics
    return " ".join([
        _main_sentence(comparison, main),
        *([_others_sentence(comparison, main, others)] if others else []),
    ])


def rivals(comparison: Comparison, metric: MetricResult) -> list[int]:
    """The systems that this test set cannot tell from the best one."""
    best, *rest = metric.order
    alpha = comparison.options.alpha
    return [i for i in rest if not metric.pair(best, i).significant(alpha)]


def decimals(metric: MetricResult) -> int:
    """How many decimals scores of a metric are shown with: 2, or 4 if all lie within 1."""
    return 2 if any(abs(each.score) > 1 for each in metric.contest.standings) else 4


def p_words(p: float, draws: int) -> str:
    """A p-value in words; below 0.001, or what the number of draws can show, only that.

    >>> p_words(0.0001, 10_000), p_words(0.0312, 10_000), p_words(1 / 101, 100)
    ('p < 0.001', 'p = 0.031', 'p = 0.010')
    """
    bar = max(0.001, 1.0 / (draws + 1))
    return f"p < {bar:.3f}" if p < bar else f"p = {p:.3f}"


def _main_sentence(comparison: Comparison, metric: MetricResult) -> str:
    digits = decimals(metric)
    best, second = metric.order[:2]
    name = comparison.systems[best]
    score = metric.shown(metric.contest.standings[best].score)
    among = rivals(comparison, metric)
    test = metric.pair(best, second)
    gap = abs(test.difference)
    if test.difference == 0:
        draw = listed([name, *(comparison.systems[i] for i in among)])
        return f"By {metric.name}, {draw} cannot be told apart on this test set."
    if among:
        p = max(test.p_bootstrap_holm, test.p_randomisation_holm)
        draws = min(comparison.options.resamples or 0, comparison.options.permutations or 0)
        others = listed([comparison.systems[i] for i in among])
        if len(among) > MOST_NAMED:
            others = f"{len(among)} others"
        which = "which" if among == [second] else f"of which {comparison.systems[second]}"
        return (
            f"{name} scores best by {metric.name} ({score:.{digits}f}), but on this test set it "
            f"cannot be told from {others}, {which} is {gap:.{digits}f} behind "
            f"({p_words(p, draws)})."
        )
    return (
        f"{name} is the best of {len(comparison.systems)} systems by {metric.name} "
        f"({score:.{digits}f}), {gap:.{digits}f} ahead of {comparison.systems[second]}; both tests "
        "say that its lead over every other system is more than chance."
    )


def _others_sentence(
    comparison: Comparison, main: MetricResult, others: Sequence[MetricResult]
) -> str:
    leaders = _leaders(main)
    agree = [each.name for each in others if _leaders(each) == leaders]
    differ = [each for each in others if _leaders(each) != leaders]
    parts = [f"{listed(agree)} {_agree(len(agree), len(leaders))}"] if agree else []
    parts += [
        f"{each.name} puts {listed([comparison.systems[i] for i in _leaders(each)])} first"
        for each in differ
    ]
    return ("" if agree else "But ") + "; ".join(parts) + "."


def _leaders(metric: MetricResult) -> list[int]:
    """The systems with the best score: one, or several that score the same."""
    scores = [each.score for each in metric.contest.standings]
    return [i for i in metric.order if scores[i] == max(scores)]


def _agree(metrics: int, leaders: int) -> str:
    what = "on the best" if leaders == 1 else "on that"
    return f"agrees {what}" if metrics == 1 else f"agree {what}"


def listed(names: Sequence[str]) -> str:
    """Names as a list in words.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last

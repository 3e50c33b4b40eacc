"""What the scripts of a comparison's page read: scores, texts, flags and groups as compact lists.

Scores are better when higher, as in the comparison. They keep nine decimals, so that the page
counts the same wins, losses and ties as the tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.metrics.flags.flags import FLAGS
from concordant.scoring.segment_groups import segment_groups
from concordant.scoring.verdict import decimals, p_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.scoring.comparison_result import Comparison, MetricResult
    from concordant.scoring.explanations import ExplainedSegments
    from concordant.stats.arrays import Floats

MOST_CHARACTERS = 80_000_000  # of all texts in a page: a browser still opens it
SCORE_DIGITS = 9


def page_data(
    comparison: Comparison, explained: Mapping[str, ExplainedSegments], *, shown: Sequence[int]
) -> dict[str, Any]:
    """The data of a page; texts of segments that are not `shown` are left out."""
    keep = set(shown)
    count = len(comparison.references)

    def kept(texts: Sequence[Any]) -> list[Any]:
        if len(keep) == count:
            return list(texts)
        return [text if i in keep else None for i, text in enumerate(texts)]

    given = [list(each) for each in comparison.references]
    return {
        "systems": list(comparison.systems),
        "order": comparison.metrics[0].order,
        "metrics": [_metric(comparison, each, explained) for each in comparison.metrics],
        "references": kept(given),
        "sources": None if comparison.sources is None else kept(comparison.sources),
        "translations": [kept(comparison.translations[name]) for name in comparison.systems],
        "lengths": np.asarray(comparison.lengths).tolist(),
        "flagNames": list(FLAGS),
        "flagWords": list(FLAGS.values()),
        "flags": _flags(comparison),
        "documents": _documents(comparison),
        "groups": [
            {"name": each.name, "about": each.about, "labels": list(each.labels),
             "of": each.of.tolist()}
            for each in segment_groups(first_texts(comparison), comparison.lengths)
        ],
    }  # fmt: skip


def shown_segments(comparison: Comparison, most: int = MOST_CHARACTERS) -> list[int]:
    """The segments whose texts fit into a page: all, or those where the systems differ most."""
    sizes = np.zeros(len(comparison.references), dtype=np.int64)
    for texts in comparison.translations.values():
        sizes += np.fromiter(map(len, texts), np.int64, len(texts))
    for i, given in enumerate(comparison.references):
        sizes[i] += sum(map(len, given))
    if comparison.sources is not None:
        sizes += np.fromiter(map(len, comparison.sources), np.int64, len(sizes))
    if int(sizes.sum()) <= most:
        return list(range(len(sizes)))
    order = comparison.metrics[0].by_spread()
    return sorted(order[: int(np.searchsorted(np.cumsum(sizes[order]), most, side="right"))])


def first_texts(comparison: Comparison) -> list[str]:
    """Each segment's first reference, or its source where there is none."""
    sources = comparison.sources or [""] * len(comparison.references)
    given = zip(comparison.references, sources, strict=True)
    return [references[0] if references else source for references, source in given]


def _metric(
    comparison: Comparison, metric: MetricResult, explained: Mapping[str, ExplainedSegments]
) -> dict[str, Any]:
    parts = explained.get(metric.name)
    return {
        "name": metric.name,
        "sign": metric.sign,
        "digits": decimals(metric),
        "order": metric.order,
        "scores": _rounded(metric.segments, SCORE_DIGITS),
        "pairs": [_pair(comparison, metric, record) for record in
                  metric.pairs(comparison.systems, comparison.options.alpha)],
        "parts": None if parts is None else {
            "names": list(parts.names), "scale": parts.scale, "segments": list(parts.segments),
            "moved": [_rounded(each, 3) for each in parts.moved],
        },
    }  # fmt: skip


def _pair(comparison: Comparison, metric: MetricResult, record: Mapping[str, Any]) -> list[Any]:
    """A pair for the scripts: both systems, the difference with its interval, p, what people said.

    In the order that `pairFacts` in pair.js reads.
    """
    digits = decimals(metric) + 2
    places = [comparison.systems.index(record[side]) for side in ("better", "worse")]
    numbers = [round(record[key], digits) for key in ("difference", "low", "high")]
    people = metric.people(*places).words
    return [*places, *numbers, p_words(*larger_p(record)), record["significant"], people]


def larger_p(record: Mapping[str, Any]) -> tuple[float, bool]:
    """The larger of a pair's two corrected p-values, and whether it is only an upper bound."""
    tests = ("bootstrap", "randomisation")
    return max((record[f"p_{test}_holm"], record[f"p_{test}_at_floor"]) for test in tests)


def _rounded(values: Floats, digits: int) -> list[Any]:
    found: list[Any] = np.round(np.asarray(values, dtype=np.float64), digits).tolist()
    return found


def _flags(comparison: Comparison) -> list[list[int]]:
    """System, segment, and the numbers of the flags, for each flagged translation."""
    number = {name: i for i, name in enumerate(FLAGS)}
    return [
        [k, i, *(number[flag] for flag in found)]
        for k, system in enumerate(comparison.systems)
        for i, found in enumerate(comparison.flags[system])
        if found
    ]


def _documents(comparison: Comparison) -> dict[str, Any] | None:
    """The names of the documents in their order, and the document of each segment."""
    if comparison.document_names is None:
        return None
    names = list(dict.fromkeys(comparison.document_names))
    number = {name: i for i, name in enumerate(names)}
    return {"names": names, "of": [number[name] for name in comparison.document_names]}

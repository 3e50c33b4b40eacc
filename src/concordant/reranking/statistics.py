"""The counts behind every candidate's score: what tuners and reward models add up and score.

A metric's score of any choice of candidates, one a list, is a function of the sum of their
counts. So a tuner needs the texts once: it then searches over sums of rows (Och 2003).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.scorer import NOTHING, Batch
from concordant.reranking.rerank import check_scorable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scorer import Scorer
    from concordant.reranking.lists import CandidateList

CANDIDATES_AT_ONCE = 10_000


@dataclass(frozen=True)
class ListStatistics:
    """A list's rows: the metric's `counts` of each candidate, and the decoder's `features`."""

    name: str
    counts: Floats  # (candidates, counts)
    features: Floats  # (candidates, features)


def list_statistics(
    lists: Iterable[CandidateList], metric: Scorer, *, threads: int = 1
) -> Iterator[ListStatistics]:
    """The counts of every candidate against its list's references, list by list.

    Many lists are counted at once; no text is copied. The score of a choice is
    `metric.system_scores` of the sum of the chosen rows, that of a single candidate
    `metric.segment_scores` of its row.

    >>> from concordant.metrics.find import load
    >>> from concordant.reranking.lists import CandidateList
    >>> bleu, lists = load("bleu"), [CandidateList("1", ("a cat", "the cat"), ("the cat",))]
    >>> [found] = list_statistics(lists, bleu)
    >>> found.counts.shape, bleu.segment_scores(found.counts).round(1).tolist()
    ((2, 10), [50.0, 100.0])
    """
    rest = iter(lists)
    while some := _some(rest):
        for each in some:
            check_scorable(each, metric)
        owners = np.repeat(np.arange(len(some)), [len(each.candidates) for each in some])
        given = [list(some[i].references) for i in owners.tolist()]
        sources = [some[i].source or "" for i in owners] if metric.needs.sources else None
        batch = Batch([text for each in some for text in each.candidates], given, sources)
        counts = metric.counts(batch, threads=threads, prepared=NOTHING)
        ends = np.cumsum([len(each.candidates) for each in some])[:-1]
        for each, rows in zip(some, np.split(counts, ends), strict=True):
            features = np.array(each.features or [()] * len(rows), dtype=np.float64)
            yield ListStatistics(each.name, rows, features)


def _some(lists: Iterator[CandidateList]) -> list[CandidateList]:
    """The next lists, until they have enough candidates."""
    found: list[CandidateList] = []
    while sum(len(each.candidates) for each in found) < CANDIDATES_AT_ONCE:
        added = list(islice(lists, 1))
        if not added:
            break
        found += added
    return found

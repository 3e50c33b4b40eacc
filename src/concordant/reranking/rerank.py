"""Lists of candidates → the best of each, list by list in constant memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.metrics.scorer import NOTHING, Batch
from concordant.reranking.choices import Choice, Consensus, best_by_consensus, best_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from concordant.metrics.scorer import Prepared, Scorer
    from concordant.reranking.lists import CandidateList

LISTS_AT_ONCE = 50


@dataclass
class ListTally:
    """What the lists were like: how many, how long, which are special."""

    lists: int = 0
    candidates: int = 0
    single: int = 0
    repeated: int = 0
    certainty: float = 0.0
    certain: int = 0  # lists with a certainty
    references: set[int] = field(default_factory=set)

    def add(self, each: CandidateList, choice: Choice) -> None:
        """Count one more list."""
        size = len(each.candidates)
        self.lists += 1
        self.candidates += size
        self.single += size == 1
        self.repeated += len(set(each.candidates)) < size
        self.references.add(len(each.references))
        if choice.certainty is not None:
            self.certain += 1
            self.certainty += choice.certainty


def rerank(
    lists: Iterable[CandidateList],
    metric: Scorer,
    *,
    consensus: Consensus | None = None,
    threads: int = 1,
) -> Iterator[tuple[CandidateList, Choice]]:
    """Each list with its best candidate: by consensus, or by the metric's own score.

    Without consensus the metric compares with each list's references, unless it needs none.

    >>> from concordant.metrics.find import load
    >>> from concordant.reranking.lists import CandidateList
    >>> lists = [CandidateList("1", ("a cat sat", "the cat sat", "dogs"))]
    >>> [choice.text for _, choice in rerank(lists, load("chrf"), consensus=Consensus())]
    ['the cat sat']
    """
    if not metric.needs.texts:
        raise ConcordantError(f"{metric.name} has scores from a file and cannot score texts")
    if consensus is not None and not metric.needs.references:
        raise ConcordantError(
            f"{metric.name} compares with no references, so candidates cannot agree by it; leave "
            "out --mbr, or choose another metric"
        )
    if not metric.needs.test_set:
        ready = NOTHING
    else:
        lists = list(lists)  # it must know all references before the first list
        ready = metric.prepare([_compared(each, consensus) for each in lists])
    if consensus is None:
        yield from _by_score(lists, metric, threads, ready)
        return
    for number, each in enumerate(lists):
        _check_source(each, metric)
        yield (
            each,
            best_by_consensus(each, metric, consensus, number, threads=threads, prepared=ready),
        )


def _compared(each: CandidateList, consensus: Consensus | None) -> Sequence[str]:
    return each.references if consensus is None else each.compared


def _by_score(
    lists: Iterable[CandidateList], metric: Scorer, threads: int, prepared: Prepared
) -> Iterator[tuple[CandidateList, Choice]]:
    """Several lists are scored at once; a score does not depend on the others."""
    rest = iter(lists)
    while some := list(islice(rest, LISTS_AT_ONCE)):
        for each in some:
            check_scorable(each, metric)
        owners = np.repeat(np.arange(len(some)), [len(each.candidates) for each in some])
        given = [list(some[i].references) for i in owners] if metric.needs.references else []
        sources = [some[i].source or "" for i in owners] if metric.needs.sources else None
        batch = Batch([text for each in some for text in each.candidates], given, sources)
        scores = metric.segment_scores(metric.counts(batch, threads=threads, prepared=prepared))
        for i, each in enumerate(some):
            yield each, best_of(each, scores[owners == i], metric.sign)


def check_scorable(each: CandidateList, metric: Scorer) -> None:
    """Raise if a list lacks the references or the source that a metric needs."""
    _check_source(each, metric)
    if metric.needs.references and not each.references:
        raise each.fault(
            f'list "{each.name}" has no reference, and {metric.name} needs one; give references, '
            "choose by consensus (--mbr), or use a metric without references"
        )


def _check_source(each: CandidateList, metric: Scorer) -> None:
    if metric.needs.sources and each.source is None:
        raise each.fault(f'list "{each.name}" has no source, and {metric.name} needs it')

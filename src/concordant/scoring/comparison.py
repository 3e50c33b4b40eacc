"""Systems compared on one test set: who is better, how sure that is, and where they differ.

Each metric ranks the systems with intervals and tests every pair (`stats.contest`); several metrics
stand side by side, with how far they agree. Segments are counted once for all of this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.lexical.flags import flags
from concordant.lexical.measures import Measure
from concordant.lexical.text_traits import text_traits
from concordant.lexical.texts import checked
from concordant.metric import Metric
from concordant.scoring.comparison_options import PERMUTATIONS, RESAMPLES, Options
from concordant.scoring.named import scorers_named
from concordant.specs import DEFAULT_METRIC
from concordant.stats.contest import Contest, contest
from concordant.stats.draws import resampled_sums
from concordant.stats.measured import moments, pearson_from_moments
from concordant.stats.resampling import estimate_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from concordant.records import Estimate
    from concordant.stats.arrays import Floats, Ints
    from concordant.stats.contest import PairTest

    Named = str | Path | Measure | Metric
    # Wraps the steps of a long run with words for each, as a progress bar does.
    Track = Callable[[Sequence[tuple[Measure, str]], str], Iterable[tuple[Measure, str]]]

ROUNDING = 1e-9  # of a segment's score: less is a tie


@dataclass(frozen=True)
class MetricResult:
    """What one metric says of all systems.

    `segments` (systems, segments) and the scores of the `contest` are better when higher: where the
    metric's lower scores are better (`sign` -1) they are negated. `shown` turns them back.
    """

    name: str
    sign: int
    signature: str
    contest: Contest
    segments: Floats

    @property
    def order(self) -> list[int]:
        """The systems from best to worst."""
        scores = [each.score for each in self.contest.standings]
        return sorted(range(len(scores)), key=lambda i: -scores[i])

    def pair(self, first: int, second: int) -> PairTest:
        """The test of two systems, the one of the smaller number first."""
        wanted = (min(first, second), max(first, second))
        return next(each for each in self.contest.pairs if (each.first, each.second) == wanted)

    def shown(self, score: float) -> float:
        """A score as the metric itself gives it."""
        return self.sign * score

    def outcomes(self, first: int, second: int) -> tuple[int, int, int]:
        """On how many segments the first system scores higher, lower, and the same."""
        difference = self.segments[first] - self.segments[second]
        size = ROUNDING * np.maximum(1.0, np.abs(self.segments[first]))
        wins, losses = int((difference > size).sum()), int((difference < -size).sum())
        return wins, losses, difference.size - wins - losses

    def most_different(self, first: int, second: int, count: int) -> list[int]:
        """The segments where two systems differ most, the largest difference first."""
        size = np.abs(self.segments[first] - self.segments[second])
        return [int(i) for i in np.argsort(-size, kind="stable")[:count] if size[i] > 0]

    @property
    def detectable(self) -> float | None:
        """The difference that this test set can show, for the middle one of all pairs.

        Systems that score alike whatever is drawn tell nothing of it; None if all do.
        """
        found = [each.detectable for each in self.contest.pairs if each.detectable > ROUNDING]
        return float(np.median(found)) if found else None


@dataclass(frozen=True)
class MetricAgreement:
    """How far two metrics agree: pairs of systems ordered alike, and Pearson's r of all outputs.

    `outputs` is None where a metric gives the same score to all.
    """

    first: str
    second: str
    same_order: int
    pairs: int
    outputs: Estimate | None


@dataclass(frozen=True)
class Comparison:
    """Systems on one test set, by one or more metrics, and the texts they were compared on."""

    systems: tuple[str, ...]
    metrics: tuple[MetricResult, ...]
    agreements: tuple[MetricAgreement, ...]
    outputs: Mapping[str, Sequence[str]]
    references: Sequence[Sequence[str]]
    sources: Sequence[str] | None
    flags: Mapping[str, Sequence[tuple[str, ...]]]
    lengths: Ints
    documents: int | None
    options: Options

    def signature(self, metric: MetricResult) -> str:
        """What computed a metric's scores, intervals and tests."""
        drawn = "segments" if self.documents is None else "documents"
        return (
            f"nrefs:{len(self.references[0])}|{metric.signature}|bootstrap:{self.options.resamples}"
            f"|randomisation:{self.options.permutations}|unit:{drawn}|correction:holm"
            f"|level:{self.options.level:g}|seed:{self.options.seed}"
        )


def compare(
    outputs: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None = None,
    *,
    metric: Named | Sequence[Named] = DEFAULT_METRIC,
    documents: Sequence[str] | None = None,
    language: str | None = None,
    options: Options | None = None,
    threads: int = 1,
    track: Track | None = None,
) -> Comparison:
    """The systems, each a list of outputs by name, compared by one metric or several.

    `metric` is a name as for `load`, what that loaded, or several of these. `documents` names the
    document of each segment; documents are then resampled as a whole. `language`, as in "de", is
    for flags, and for metrics that differ by it: `fast-any` stands in for `fast`.

    >>> outputs = {"A": ["a cat sat", "it rains"], "B": ["cats", "it rain"]}
    >>> result = compare(outputs, [["the cat sat"], ["it rains"]], metric="chrf")
    >>> [result.systems[i] for i in result.metrics[0].order]
    ['A', 'B']
    """
    _check(outputs, references, sources, documents)
    options = (Options() if options is None else options).settled(len(outputs))
    named = [metric] if isinstance(metric, str | Path | Measure | Metric) else metric
    measures = scorers_named(named, language)
    prepared = {
        each.name: {**each.prepare(references), **_sources_for(each, sources)} for each in measures
    }
    steps = [(measure, system) for measure in measures for system in outputs]
    counts: dict[tuple[str, str], Floats] = {}
    for measure, system in steps if track is None else track(steps, "scoring"):
        counts[measure.name, system] = measure.counts(
            outputs[system], references, threads=threads, **prepared[measure.name]
        )
    results = tuple(
        _result(measure, [counts[measure.name, system] for system in outputs], documents, options)
        for measure in measures
    )
    return Comparison(
        tuple(outputs),
        results,
        tuple(_agreement(*both, documents, options) for both in combinations(results, 2)),
        outputs,
        references,
        sources,
        {name: flags(texts, references, sources, language=language)
         for name, texts in outputs.items()},
        _lengths(references),
        None if documents is None else len(set(documents)),
        options,
    )  # fmt: skip


def _result(
    measure: Measure, counts: Sequence[Floats], documents: Sequence[str] | None, options: Options
) -> MetricResult:
    # Every metric draws anew from the seed: its figures are the same beside whatever others.
    found = contest(
        counts,
        lambda sums: measure.sign * measure.corpus_scores(sums),
        rng=np.random.default_rng(options.seed),
        groups=None if documents is None else np.asarray(documents),
        n_resamples=options.resamples or RESAMPLES,
        n_permutations=options.permutations or PERMUTATIONS,
        level=options.level,
    )
    segments = np.stack([measure.sign * measure.segment_scores(each) for each in counts])
    signature = measure.signature(level="system")
    return MetricResult(measure.name, measure.sign, signature, found, segments)


def _agreement(
    first: MetricResult, second: MetricResult, documents: Sequence[str] | None, options: Options
) -> MetricAgreement:
    pairs = list(zip(first.contest.pairs, second.contest.pairs, strict=True))
    same = sum(np.sign(a.difference) == np.sign(b.difference) for a, b in pairs)
    systems, segments = first.segments.shape
    unit = np.arange(segments)
    if documents is not None:
        unit = np.unique(np.asarray(documents), return_inverse=True)[1]
    units = int(unit.max()) + 1
    sums = moments(first.segments.ravel(), second.segments.ravel(), np.tile(unit, systems), units)
    rng = np.random.default_rng(options.seed)
    again = [pearson_from_moments(each) for each in resampled_sums(sums, RESAMPLES, rng)]
    value = float(pearson_from_moments(sums.sum(axis=0)))
    found = None
    if not np.isnan(value):
        found = estimate_from(value, np.concatenate(again), systems * segments, options.level)
    return MetricAgreement(first.name, second.name, int(same), len(pairs), found)


def _sources_for(measure: Measure, sources: Sequence[str] | None) -> dict[str, object]:
    if not measure.steps.sources:
        return {}
    if sources is None:
        raise ConcordantError(f"{measure.name} compares with the source; give the sources (-s) too")
    return {"sources": sources}


def _lengths(references: Sequence[Sequence[str]]) -> Ints:
    """The words of each segment's first reference; of Chinese and Japanese, the characters."""
    return text_traits([given[0] for given in references]).tokens


def _check(
    outputs: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None,
    documents: Sequence[str] | None,
) -> None:
    if not isinstance(outputs, Mapping):
        raise ConcordantError(
            "outputs must be given by system, such as {'A': ['first output', …], 'B': […]}"
        )
    if len(outputs) < 2:
        raise ConcordantError(f"{len(outputs)} system cannot be compared; name at least two")
    for name, texts in outputs.items():
        try:
            checked(texts, references)
        except ConcordantError as fault:
            raise ConcordantError(f"{name}: {fault}") from None
    if len(references) < 2:
        raise ConcordantError(
            f"{len(references)} segment cannot say how sure a difference is; a comparison needs 2 "
            "or more (concordant score takes any number)"
        )
    for what, given in (("sources", sources), ("documents", documents)):
        if given is not None and len(given) != len(references):
            raise ConcordantError(f"{len(given)} {what} for {len(references)} segments")
    if documents is not None and len(set(documents)) < 2:
        raise ConcordantError("all segments are of one document; at least 2 can be resampled")

"""Systems compared on one test set: which is better, how certain that is, where they differ.

Each metric ranks the systems with intervals and tests every pair (`stats.contest`); several metrics
are shown side by side, with their agreement. Segments are counted once for all of this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from concordant.arguments import (
    as_list,
    as_references,
    function,
    instance,
    text,
    text_list,
    thread_count,
)
from concordant.errors import ConcordantError, check_known
from concordant.metrics.find import default_warnings, find
from concordant.metrics.flags.flags import flags
from concordant.metrics.flags.text_traits import text_traits
from concordant.metrics.lexical.texts import check_texts, with_reference_count
from concordant.metrics.scope import (
    empty_warnings,
    scope_warnings,
    segment_warnings,
    tie_warnings,
)
from concordant.metrics.scorer import Batch, check_batch, language_code
from concordant.metrics.signs import foreign_lines, foreign_warnings, language_warnings, signs_of
from concordant.scoring.comparison_options import PERMUTATIONS, RESAMPLES, ComparisonOptions
from concordant.scoring.comparison_result import Comparison, MetricAgreement, MetricResult
from concordant.scoring.past_campaigns import past_agreement
from concordant.scoring.verdict import facts, verdict
from concordant.stats.contest import against, contest
from concordant.stats.draws import resampled_sums
from concordant.stats.measured import moments, pearson_from_moments
from concordant.stats.resampling import estimate_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from concordant.metrics.batch import References, Texts
    from concordant.metrics.find import Named
    from concordant.metrics.scorer import Scorer
    from concordant.metrics.signs import Signs
    from concordant.scoring.past_campaigns import PastAgreement
    from concordant.stats.arrays import Floats, Ints

    # Wraps the steps of a long run with words for each, as a progress bar does.
    Track = Callable[[Sequence[tuple[Scorer, str]], str], Iterable[tuple[Scorer, str]]]


def compare(
    translations: Mapping[str, Texts],
    references: References = (),
    sources: Texts | None = None,
    *,
    metric: Named | Sequence[Named] | None = None,
    documents: Texts | None = None,
    baseline: str | None = None,
    language: str | None = None,
    options: ComparisonOptions | None = None,
    threads: int = 1,
    track: Track | None = None,
) -> Comparison:
    """Compare systems (name → translations) by one or several metrics.

    Texts come as lists, tuples, arrays, columns of a data frame, or generators. `references` has a
    text for each segment, or a list of texts.
    `metric` is a name as for `load`, a loaded metric, or a list of these; by default `base`, or
    `fast-any` where `language` says, or else the references show, that they are not English, or
    `qe` where there are sources and no references.
    `documents` names the document of each segment; documents are then resampled as a whole. With
    `baseline`, the name of a system, the others are tested against that one, and p-values are
    corrected for these tests alone.
    `language`, as in "de", also selects METEOR's and the flags' language.

    >>> systems = {"A": ["a cat sat", "it rains"], "B": ["cats", "it rain"]}
    >>> result = compare(systems, ["the cat sat", "it rains"], metric="chrf")
    >>> [result.systems[i] for i in result.metrics[0].order]
    ['A', 'B']
    """
    translations, given = _named(translations), as_references(references)
    sources, documents = _listed(sources, "sources"), _listed(documents, "documents")
    alone = sources is not None and not any(given)
    if sources is not None and alone:
        given = [[] for _ in sources]
    _check(translations, given, sources, documents)
    if baseline is not None:
        check_known("baseline", baseline, translations)
    function(track, "track")
    options = instance(
        ComparisonOptions() if options is None else options,
        "options",
        ComparisonOptions,
        "ComparisonOptions(…)",
    ).settled(len(translations))
    language, seen = language_code(language), signs_of(given)
    chosen = default_warnings(language, seen, references=not alone) if metric is None else ()
    compared = _compare(
        translations, given, sources,
        find(metric, language, seen, references=not alone), seen,
        documents=documents, baseline=baseline, language=language, options=options,
        threads=thread_count(threads),
        track=track,
    )  # fmt: skip
    compared = replace(compared, warnings=(*chosen, *compared.warnings))
    return replace(compared, verdict=verdict(compared), facts=facts(compared))


def _compare(
    translations: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None,
    metrics: Sequence[Scorer],
    seen: Signs,
    *,
    documents: Sequence[str] | None,
    baseline: str | None,
    language: str | None,
    options: ComparisonOptions,
    threads: int,
    track: Track | None,
) -> Comparison:
    """The comparison of checked texts, without the verdict."""
    batches = {name: Batch(texts, references, sources) for name, texts in translations.items()}
    for each in metrics:
        check_batch(next(iter(batches.values())), each)
    prepared = {each.name: each.prepare(references) for each in metrics}
    steps = [(each, system) for each in metrics for system in translations]
    counts: dict[tuple[str, str], Floats] = {}
    for each, system in steps if track is None else track(steps, "scoring"):
        counts[each.name, system] = each.counts(
            batches[system], threads=threads, prepared=prepared[each.name]
        )
    base = None if baseline is None else list(translations).index(baseline)
    results = tuple(
        _warn(
            _result(each, [counts[each.name, system] for system in translations], references,
                    past_agreement(each, len(references), max(map(len, references)),
                                   english=seen.english, language=language),
                    documents, options, base),
            tuple(translations), scope_warnings(each.name, each.scope, seen, language),
        )
        for each in metrics
    )  # fmt: skip
    found = {
        name: flags(texts, references, sources, language=language)
        for name, texts in translations.items()
    }
    return Comparison(
        tuple(translations),
        results,
        tuple(_agreement(*both, documents, options) for both in combinations(results, 2)),
        translations,
        references,
        sources,
        found,
        _lengths(references, sources),
        None if documents is None else len(set(documents)),
        options,
        (
            *(words for each in results for words in each.warnings),
            *language_warnings(seen, language),
            *_of_systems(found),
        ),
        baseline=baseline,
        document_names=documents,
    )


def _warn(result: MetricResult, systems: Sequence[str], doubts: tuple[str, ...]) -> MetricResult:
    """The result with its warnings."""
    scores = [result.shown(each.score) for each in result.contest.standings]
    same = [
        words
        for name, row in zip(systems, result.sign * result.segments, strict=True)
        for words in segment_warnings(
            result.name, len(row), float(row.min()), float(row.max()), name
        )
    ]
    return replace(result, doubts=doubts, ties=(*same, *tie_warnings(result.name, scores)))


def _of_systems(found: Mapping[str, Sequence[tuple[str, ...]]]) -> list[str]:
    """A warning for each system without any text, or with texts in another language."""
    warnings: list[str] = []
    for name, each in found.items():
        empty, foreign = sum("empty-output" in names for names in each), foreign_lines(each)
        warnings += empty_warnings(empty, len(each), name)
        warnings += foreign_warnings(foreign, len(foreign), len(each), name)
    return warnings


def _result(
    metric: Scorer,
    counts: Sequence[Floats],
    references: Sequence[Sequence[str]],
    past: PastAgreement,
    documents: Sequence[str] | None,
    options: ComparisonOptions,
    baseline: int | None,
) -> MetricResult:
    # Every metric starts from the seed, so its figures do not depend on the other metrics.
    found = contest(
        counts,
        lambda sums: metric.sign * metric.system_scores(sums),
        rng=np.random.default_rng(options.seed),
        groups=None if documents is None else np.asarray(documents),
        n_resamples=RESAMPLES if options.resamples is None else options.resamples,
        n_permutations=PERMUTATIONS if options.permutations is None else options.permutations,
        level=options.level,
    )
    segments = np.stack([metric.sign * metric.segment_scores(each) for each in counts])
    signature = with_reference_count(references, metric.signature(level="system"))
    tests = () if baseline is None else against(found.pairs, baseline)
    return MetricResult(
        metric.name, metric.sign, metric.scale, signature, found, segments, past, tests
    )


def _agreement(
    first: MetricResult,
    second: MetricResult,
    documents: Sequence[str] | None,
    options: ComparisonOptions,
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


def _lengths(references: Sequence[Sequence[str]], sources: Sequence[str] | None) -> Ints:
    """The words of each segment's first reference; of Chinese and Japanese, the characters.

    Where there are no references, those of the source.
    """
    if sources is not None and not any(references):
        return text_traits(sources).tokens
    return text_traits([given[0] for given in references]).tokens


def _named(translations: Mapping[str, Texts]) -> dict[str, list[str]]:
    """The translations of each system as a list."""
    if not isinstance(translations, Mapping):
        raise ConcordantError(
            "translations must be a dict by system, such as {'A': ['first one', …], 'B': […]}"
        )
    return {text(name, "the name of a system"): as_list(t) for name, t in translations.items()}


def _listed(values: Texts | None, name: str) -> list[str] | None:
    return None if values is None else text_list(values, name)


def _check(
    translations: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None,
    documents: Sequence[str] | None,
) -> None:
    if len(translations) < 2:
        raise ConcordantError(f"{len(translations)} system cannot be compared; give at least two")
    for name, texts in translations.items():
        if sources is not None and not any(references):
            if len(text_list(texts, "translations")) != len(sources):
                raise ConcordantError(f"{name}: {len(texts)} translations, {len(sources)} sources")
            continue
        try:
            check_texts(texts, references)
        except ConcordantError as fault:
            raise ConcordantError(f"{name}: {fault}") from None
    if len(references) < 2:
        raise ConcordantError(
            f"{len(references)} segment is too few to test differences; a comparison needs 2 "
            "or more (concordant score takes any number)"
        )
    for what, given in (("sources", sources), ("documents", documents)):
        if given is not None and len(given) != len(references):
            raise ConcordantError(f"{len(given)} {what} for {len(references)} segments")
    if documents is not None and len(set(documents)) < 2:
        raise ConcordantError("all segments are in one document; resampling needs at least 2")

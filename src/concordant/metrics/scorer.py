"""What everything that scores has in common: two steps, counts and scores of counts.

`counts` turns each translation into a row of numbers; `segment_scores` and `system_scores` turn
rows into scores. The counts of a system are the sum of its rows, so a system's score, a bootstrap
and a permutation never touch the texts again. A measure has counts of its own. A learned metric, a
feature and a file of scores count a translation's score and 1: a system's score is the mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from concordant.arguments import text, text_list, thread_count
from concordant.errors import ConcordantError
from concordant.metrics.batch import Batch as Batch  # noqa: PLC0414 - what scorers take
from concordant.metrics.flags.flags import flags
from concordant.metrics.flags.language_codes import target_language
from concordant.metrics.lexical.texts import check_texts, with_reference_count
from concordant.metrics.scope import empty_warnings, scope_warnings, segment_warnings
from concordant.metrics.signs import language_warnings, signs_of_batch
from concordant.records import Scores
from concordant.stats.measured import mean_of_groups

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from concordant.metrics.batch import References, Texts
    from concordant.metrics.lexical.texts import Floats
    from concordant.metrics.scope import Scope

    Ints = npt.NDArray[np.int64]

    # What a scorer found out beforehand about the references of the whole test set.
    Prepared = Mapping[str, Any]

NOTHING: Prepared = {}
NOTHING_TO_SCORE = "there are no translations to score; give at least one"


@dataclass(frozen=True)
class Needs:
    """What a scorer asks for.

    `texts` and `references` of what it scores, `sources` too, all references of the `test_set`
    before the first segment; `network` says that several systems are best counted together, since
    what was encoded is remembered.
    """

    texts: bool = True
    references: bool = True
    sources: bool = False
    test_set: bool = False
    network: bool = False


class Scorer(Protocol):
    """Anything that scores: BLEU, `tokens(potion)`, `fast`, a metric's folder, a file of scores."""

    @property
    def name(self) -> str:
        """The name that asks for it, and the heading of its scores."""
        ...

    @property
    def sign(self) -> int:
        """-1 where a lower score is better, else 1."""
        ...

    @property
    def scale(self) -> str:
        """What the score is, for readers of a report; "" if nothing is known."""
        ...

    @property
    def scope(self) -> Scope:
        """The texts that it is made for."""
        ...

    @property
    def needs(self) -> Needs:
        """What it asks for."""
        ...

    @property
    def averages(self) -> bool:
        """Whether a system's score is the mean of its segments' scores."""
        ...

    def signature(self, *, level: str) -> str:
        """What computes the numbers, in sacrebleu's style."""
        ...

    def prepare(self, references: Sequence[Sequence[str]]) -> Prepared:
        """What `counts` must be told of the references of the whole test set; mostly nothing."""
        ...

    def counts(self, batch: Batch, *, threads: int = 1, prepared: Prepared = NOTHING) -> Floats:
        """One row of counts for each translation."""
        ...

    def segment_scores(self, counts: Floats) -> Floats:
        """The score of each row of counts."""
        ...

    def system_scores(self, counts: Floats) -> Floats:
        """The system score of each row (last axis) of summed counts."""
        ...

    def aggregate_scores(
        self,
        candidates: Sequence[str],
        references: Sequence[str],
        weights: Floats,
        *,
        threads: int = 1,
    ) -> Floats:
        """The score of each candidate against one combination of all references."""
        ...

    @property
    def compares(self) -> bool:
        """Whether it compares two translations, and not only their scores."""
        ...

    def margins(
        self, first: Batch, second: Batch, *, threads: int = 1, prepared: Prepared = NOTHING
    ) -> Floats:
        """How far each first translation is preferred, in [-1/2, 1/2]."""
        ...


class BaseScorer:
    """What scorers inherit: scores and preferences of texts in memory."""

    @property
    def compares(self) -> bool:
        """Whether it compares two translations, and not only their scores."""
        return False

    def score(
        self: Scorer,
        translations: Texts,
        references: References = (),
        sources: Texts | None = None,
        *,
        language: str | None = None,
        threads: int = 1,
    ) -> Scores:
        """The scores of translations, each with one or more references, and that of the whole.

        Texts come as a list, a tuple, an array, a column of a data frame, or a generator.
        `references` has a text for each translation, or a list of texts.
        `language`, as in "de", is the target language, for flags and warnings.

        >>> from concordant.metrics.find import load
        >>> round(load("chrf").score(["the cat sat"], [["the cat sits"]]).system, 2)
        61.03
        """
        batch = Batch.of(translations, references, sources)
        check_batch(batch, self)
        language = language_code(language)
        prepared = self.prepare(batch.references)
        counts = self.counts(batch, threads=thread_count(threads), prepared=prepared)
        segments = self.segment_scores(counts)
        system = float(self.system_scores(sum_rows(counts)))
        return scores_of(self, batch, segments, system, language)

    def prefer(
        self: Scorer,
        first: Texts,
        second: Texts,
        references: References = (),
        sources: Texts | None = None,
        *,
        threads: int = 1,
    ) -> Floats:
        """The probability that `first` is better than `second`, for each segment.

        A metric that only scores gives 1, 0, or 1/2 for a tie.

        >>> from concordant.metrics.find import load
        >>> load("chrf").prefer(["the cat sat"], ["a dog"], [["the cat sits"]]).tolist()
        [1.0]
        """
        one = Batch.of(first, references, sources)
        check_batch(one, self)
        both = [one, replace(one, translations=text_list(second, "second"))]
        if len(both[0]) != len(both[1]):
            raise ConcordantError(f"{len(both[0])} first translations, {len(both[1])} second ones")
        prepared = self.prepare(one.references)
        margins = self.margins(both[0], both[1], threads=thread_count(threads), prepared=prepared)
        return np.asarray(0.5 + margins)

    def aggregate_scores(
        self: Scorer,
        candidates: Sequence[str],  # noqa: ARG002 - for those that have an aggregate
        references: Sequence[str],  # noqa: ARG002
        weights: Floats,  # noqa: ARG002
        *,
        threads: int = 1,  # noqa: ARG002
    ) -> Floats:
        """The score of each candidate against one combination of all references.

        The combination is their mean: of the counts of each n-gram, or of their vectors (Vamvas and
        Sennrich 2024). `weights` sum to 1.

        >>> from concordant.metrics.find import load
        >>> halves = np.array([0.5, 0.5])
        >>> load("chrf").aggregate_scores(["a cat"], ["a cat", "a dog"], halves).round(1).tolist()
        [53.1]
        """
        raise ConcordantError(
            f"{self.name} has no aggregate of references; chrf, chrf++, sentence(…) and vectors(…) "
            "have one. Compare with each of them: leave out --aggregate"
        )

    def margins(
        self: Scorer,
        first: Batch,
        second: Batch,
        *,
        threads: int = 1,
        prepared: Prepared = NOTHING,
    ) -> Floats:
        """1/2 where the first translation has the better score, -1/2 where the second has it."""
        counts = self.counts(first.joined(second), threads=threads, prepared=prepared)
        one, two = np.split(self.segment_scores(counts), 2)
        return np.asarray(0.5 * self.sign * np.sign(one - two))


class AveragingScorer(BaseScorer):
    """A scorer whose counts are each score and 1, so that a system's score is the mean."""

    averages = True

    def segment_scores(self, counts: Floats) -> Floats:
        """The score of each row of counts."""
        return counts[..., 0]

    def system_scores(self, counts: Floats) -> Floats:
        """The mean score of each row of summed counts, NaN where nothing was counted."""
        return mean_of_groups(counts)


def count_scores(scores: Floats) -> Floats:
    """The counts of a scorer that averages: each score and 1."""
    return np.stack([scores, np.ones(len(scores))], axis=-1)


def sum_rows(counts: Floats, total: Floats | None = None) -> Floats:
    """The sum of rows, one added after the other to the total: the same sum in any blocks."""
    start = np.zeros(counts.shape[1]) if total is None else total
    return np.asarray(np.cumsum(np.vstack([start, counts]), axis=0)[-1])


def check_batch(batch: Batch, scorer: Scorer) -> None:
    """Refuse texts that cannot be scored: no list, values that are not texts, unequal lengths."""
    if not scorer.needs.texts:
        raise ConcordantError(f"{scorer.name} has scores from a file and cannot score texts")
    translations, references, sources = batch.translations, batch.references, batch.sources
    if isinstance(translations, list | tuple) and not translations:
        raise ConcordantError(NOTHING_TO_SCORE)
    none = isinstance(references, list | tuple) and not any(references)
    if scorer.needs.references and none and sources is not None:
        raise ConcordantError(
            f"{scorer.name} compares with references, and there are none; give them (-r), or use "
            "qe, which compares with the sources"
        )
    if scorer.needs.references or not none:
        check_texts(translations, references)
    text_list(translations, "translations")
    if not len(translations):
        raise ConcordantError(NOTHING_TO_SCORE)
    if sources is not None and len(text_list(sources, "sources")) != len(translations):
        raise ConcordantError(
            f"{len(translations)} translations, but {len(sources)} sources; give one for each"
        )
    if scorer.needs.sources and sources is None:
        raise ConcordantError(f"{scorer.name} needs the source; give the sources too (-s)")


def language_code(language: str | None) -> str | None:
    """The code of a language as the user gives it; None stays None."""
    return None if language is None else target_language(text(language, "language"))


def scores_of(
    scorer: Scorer, batch: Batch, segments: Floats, system: float, language: str | None
) -> Scores:
    """The record of a metric's scores, with signatures, flags and warnings.

    Flags take as long as a fast measure, so they wait until they are read.
    """
    references = batch.references
    texts = (
        tuple(batch.translations),
        tuple(map(tuple, references)),
        None if batch.sources is None else tuple(batch.sources),
    )
    seen = signs_of_batch(references, batch.translations)
    empty = sum(not each.strip() for each in batch.translations)
    warnings = (
        *scope_warnings(scorer.name, scorer.scope, seen, language),
        *segment_warnings(scorer.name, len(segments), float(segments.min()), float(segments.max())),
        *language_warnings(seen, language),
        *empty_warnings(empty, len(segments)),
    )
    of_system, of_segment = (
        with_reference_count(references, scorer.signature(level=level))
        for level in ("system", "segment")
    )
    find_flags = partial(flags, *texts, language=language)
    return Scores(system, segments, of_system, of_segment, find_flags, warnings)

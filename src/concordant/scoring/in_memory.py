"""The scores of texts in memory by one metric: what `concordant.score` is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from concordant.errors import SpecError
from concordant.metrics.batch import Batch
from concordant.metrics.find import default_warnings, find
from concordant.metrics.scorer import BaseScorer, check_batch, language_code
from concordant.metrics.signs import signs_of_batch

if TYPE_CHECKING:
    from concordant.metrics.batch import References, Texts
    from concordant.metrics.find import Named
    from concordant.records import Scores


def score(
    translations: Texts,
    references: References = (),
    sources: Texts | None = None,
    *,
    metric: Named | None = None,
    language: str | None = None,
    threads: int = 1,
) -> Scores:
    """Score translations by one metric: the system, and each segment.

    Texts come as a list, a tuple, an array, a column of a data frame, or a generator. `references`
    has a text for each translation, or a list of texts. `metric` is a name as for `load`, or a
    loaded metric; by default `base`, or `fast-any` where `language` says, or else the references
    show, that they are not English, or `qe` where there are sources and no references; the warnings
    then say so.

    >>> scores = score(["a cat sat", "it rains"], ["the cat sat", "it rains"], metric="chrf")
    >>> round(scores.system, 2), scores.segments.round(2).tolist()
    (72.42, [53.61, 100.0])
    """
    if isinstance(metric, list | tuple):
        raise SpecError("score takes one metric; compare takes several")
    batch, language = Batch.of(translations, references, sources), language_code(language)
    compared = sources is None or any(batch.references)
    (found,) = find(metric, language, references=compared)
    check_batch(batch, found)
    chosen: tuple[str, ...] = ()
    if metric is None:
        seen = signs_of_batch(batch.references, batch.translations)
        (found,) = find(None, language, seen, references=compared)
        chosen = default_warnings(language, seen, references=compared)
    scores = BaseScorer.score(
        found, batch.translations, batch.references, batch.sources,
        language=language, threads=threads,
    )  # fmt: skip
    return replace(scores, warnings=(*chosen, *scores.warnings))

"""Features that see the two texts and nothing else: measures, n-grams, skip-bigrams, lengths."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.features.feature import Feature, Kind, arguments
from concordant.metrics.lexical import bleu, ngrams
from concordant.metrics.lexical.measures import measure_named
from concordant.metrics.scorer import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.features.feature import Context
    from concordant.metrics.lexical.texts import Floats
    from concordant.specs import Spec

SCORES = ("P", "R", *ngrams.BETAS)


def measure_feature(spec: Spec) -> Feature:
    """A measure's sentence score as one column, better when higher."""
    measure = measure_named(str(spec))

    def extract(
        translations: Sequence[str], references: Sequence[Sequence[str]], /, *, context: Context
    ) -> Floats:
        whole = references if context.test_set is None else context.test_set
        batch, prepared = Batch(translations, references), measure.prepare(whole)
        counts = measure.counts(batch, threads=context.threads, prepared=prepared)
        return measure.sign * measure.segment_scores(counts)[:, None]

    return Feature(
        spec,
        (str(spec),),
        extract,
        main=0,
        signature=measure.signature(level="segment"),
        whole_test_set=measure.needs.test_set,
        outside=measure.data,
    )


def _bleucomp(spec: Spec) -> Feature:
    arguments(spec, (), "bleucomp")

    def extract(
        translations: Sequence[str], references: Sequence[Sequence[str]], /, *, context: Context
    ) -> Floats:
        return bleu.components(bleu.counts(translations, references, threads=context.threads))

    return Feature(spec, tuple(f"bleucomp {name}" for name in bleu.COMPONENTS), extract)


def _ngrams(spec: Spec) -> Feature:
    unit, span = arguments(
        spec, ("chars or words", "orders such as 1-5"), LEXICAL_KINDS["ngrams"].usage
    )
    most = {"chars": 6, "words": 4}.get(unit)
    if most is None:
        raise SpecError(f'{spec}: "{unit}" is not one of chars, words')
    first, last = _orders(spec, span, most)
    count = partial(
        ngrams.counts,
        char_order=last if unit == "chars" else 0,
        word_order=last if unit == "words" else 0,
    )
    orders = count.keywords
    count_grid = partial(
        ngrams.grid_counts, char_order=orders["char_order"], word_order=orders["word_order"]
    )

    def extract(
        translations: Sequence[str], references: Sequence[Sequence[str]], /, *, context: Context
    ) -> Floats:
        if context.grid is not None:
            counts = count_grid(*context.grid)
        else:
            counts = count(translations, references, threads=context.threads)
        return gram_scores(counts[:, 3 * (first - 1) :])

    columns = (f"ngrams({unit},{n}) {s}" for n in range(first, last + 1) for s in SCORES)
    return Feature(spec, tuple(columns), extract)


def _skipgrams(spec: Spec) -> Feature:
    (reach,) = arguments(
        spec, ("how many words may be skipped, or inf",), LEXICAL_KINDS["skipgrams"].usage
    )
    if reach != "inf" and not reach.isdecimal():
        raise SpecError(f'{spec}: "{reach}" is neither a number nor inf')
    count = partial(ngrams.skip_counts, skip=None if reach == "inf" else int(reach))

    def extract(
        translations: Sequence[str], references: Sequence[Sequence[str]], /, *, context: Context
    ) -> Floats:
        return gram_scores(count(translations, references, threads=context.threads))

    return Feature(spec, tuple(f"{spec} {score}" for score in SCORES), extract)


def _length(spec: Spec) -> Feature:
    arguments(spec, (), "length")

    def extract(
        translations: Sequence[str], references: Sequence[Sequence[str]], /, *, context: Context
    ) -> Floats:
        threads = context.threads
        words = bleu.counts(translations, references, threads=threads)[:, :2]
        characters = ngrams.counts(translations, references, char_order=1, threads=threads)[:, :2]
        return np.stack([_disbalance(words), _disbalance(characters)], axis=-1)

    return Feature(spec, ("length words", "length chars"), extract)


def _disbalance(lengths: Floats) -> Floats:
    """How far two lengths are apart, by the shorter: 0 when equal (a length of 0 counts as 1)."""
    gap = np.abs(lengths[:, 0] - lengths[:, 1])
    return np.asarray(gap / np.maximum(lengths.min(axis=1), 1.0))


def gram_scores(counts: Floats) -> Floats:
    """Precision, recall and F scores of each triple of counts, in the order of SCORES."""
    p, r = ngrams.precision(counts), ngrams.recall(counts)
    parts = [p, r, *(ngrams.weighted_mean(p, r, beta) for beta in ngrams.BETAS.values())]
    return np.stack(parts, axis=-1).reshape(len(counts), len(parts) * counts.shape[1] // 3)


def _orders(spec: Spec, span: str, most: int) -> tuple[int, int]:
    first, _, last = span.partition("-")
    if first.isdecimal() and (last or first).isdecimal():
        low, high = int(first), int(last or first)
        if 1 <= low <= high <= most:
            return low, high
    raise SpecError(f'{spec}: orders "{span}" are not within 1-{most}')


LEXICAL_KINDS = {
    "bleucomp": Kind("bleucomp", "BLEU's parts (Guzmán et al. 2015, §6.1)", _bleucomp),
    "ngrams": Kind(
        "ngrams(chars,1-5), ngrams(words,1-4)",
        "n-gram precision, recall, F1, F2 and F0.5 (Stanojević and Sima'an 2014, 2017)",
        _ngrams,
    ),
    "skipgrams": Kind(
        "skipgrams(2), skipgrams(inf)",
        "skip-bigram precision, recall and F (Stanojević and Sima'an 2017)",
        _skipgrams,
    ),
    "length": Kind("length", "difference of lengths in words and in characters", _length),
}

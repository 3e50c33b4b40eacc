"""Every feature by name: its columns, the function that computes them, and where it comes from.

A spec such as `ngrams(chars,1-5)` is resolved once into a `Feature`; a new feature is one row of
the table below.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError, nearest
from concordant.lexical import bleu, ngrams
from concordant.lexical.measures import MEASURES, measure_named
from concordant.specs import Spec, parse_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.lexical.texts import Floats

    Extract = Callable[..., Floats]

SCORES = ("P", "R", *ngrams.BETAS)


@dataclass(frozen=True)
class Feature:
    """One spec resolved: `extract(hypotheses, references, threads=…)` gives (segments, columns)."""

    spec: Spec
    columns: tuple[str, ...]
    extract: Extract


@dataclass(frozen=True)
class Kind:
    """A row of the table: how it is spelled, what it is, and how a spec becomes a feature."""

    usage: str
    title: str
    build: Callable[[Spec], Feature]


def feature_named(text: str | Spec) -> Feature:
    """The feature that a text spells; an unknown name is an error that lists the known ones.

    >>> feature_named("skipgrams(inf)").columns[:3]
    ('skipgrams(inf) P', 'skipgrams(inf) R', 'skipgrams(inf) F1')
    """
    spec = parse_spec(text) if isinstance(text, str) else text
    kind = KINDS.get(spec.name)
    if kind is None and spec.name in MEASURES:
        return _measure(spec)
    if kind is None:
        known = [*KINDS, *MEASURES]
        raise SpecError(
            f'feature "{spec.name}" is not one of {", ".join(known)}{nearest(spec.name, known)}'
        )
    return kind.build(spec)


def _measure(spec: Spec) -> Feature:
    """A measure's sentence score as one column, better when higher."""
    measure = measure_named(str(spec))

    def extract(
        hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, threads: int = 1
    ) -> Floats:
        ready = measure.prepare(references)
        counts = measure.counts(hypotheses, references, threads=threads, **ready)
        return measure.sign * measure.segment_scores(counts)[:, None]

    return Feature(spec, (str(spec),), extract)


def _bleucomp(spec: Spec) -> Feature:
    _arguments(spec, ())

    def extract(
        hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, threads: int = 1
    ) -> Floats:
        return bleu.components(bleu.counts(hypotheses, references, threads=threads))

    return Feature(spec, tuple(f"bleucomp {name}" for name in bleu.COMPONENTS), extract)


def _ngrams(spec: Spec) -> Feature:
    unit, span = _arguments(spec, ("chars or words", "orders such as 1-5"))
    most = {"chars": 6, "words": 4}.get(unit)
    if most is None:
        raise SpecError(f'{spec}: "{unit}" is not one of chars, words')
    first, last = _orders(spec, span, most)
    count = partial(
        ngrams.counts,
        char_order=last if unit == "chars" else 0,
        word_order=last if unit == "words" else 0,
    )

    def extract(
        hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, threads: int = 1
    ) -> Floats:
        counts = count(hypotheses, references, threads=threads)
        return _scores(counts[:, 3 * (first - 1) :])

    columns = (f"ngrams({unit},{n}) {s}" for n in range(first, last + 1) for s in SCORES)
    return Feature(spec, tuple(columns), extract)


def _skipgrams(spec: Spec) -> Feature:
    (reach,) = _arguments(spec, ("how many words may be skipped, or inf",))
    if reach != "inf" and not reach.isdecimal():
        raise SpecError(f'{spec}: "{reach}" is neither a number nor inf')
    count = partial(ngrams.skip_counts, skip=None if reach == "inf" else int(reach))

    def extract(
        hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, threads: int = 1
    ) -> Floats:
        return _scores(count(hypotheses, references, threads=threads))

    return Feature(spec, tuple(f"{spec} {score}" for score in SCORES), extract)


def _length(spec: Spec) -> Feature:
    _arguments(spec, ())

    def extract(
        hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, threads: int = 1
    ) -> Floats:
        words = bleu.counts(hypotheses, references, threads=threads)[:, :2]
        characters = ngrams.counts(hypotheses, references, char_order=1, threads=threads)[:, :2]
        return np.stack([_disbalance(words), _disbalance(characters)], axis=-1)

    return Feature(spec, ("length words", "length chars"), extract)


def _disbalance(lengths: Floats) -> Floats:
    """How far two lengths are apart, by the shorter: 0 when equal (a length of 0 counts as 1)."""
    gap = np.abs(lengths[:, 0] - lengths[:, 1])
    return np.asarray(gap / np.maximum(lengths.min(axis=1), 1.0))


def _scores(counts: Floats) -> Floats:
    """Precision, recall and F scores of each triple of counts, in the order of SCORES."""
    parts = [ngrams.precision(counts), ngrams.recall(counts)]
    parts += [ngrams.f_score(counts, beta) for beta in ngrams.BETAS.values()]
    return np.stack(parts, axis=-1).reshape(len(counts), -1)


def _orders(spec: Spec, span: str, most: int) -> tuple[int, int]:
    first, _, last = span.partition("-")
    if first.isdecimal() and (last or first).isdecimal():
        low, high = int(first), int(last or first)
        if 1 <= low <= high <= most:
            return low, high
    raise SpecError(f'{spec}: orders "{span}" are not within 1-{most}')


def _arguments(spec: Spec, wanted: tuple[str, ...]) -> tuple[str, ...]:
    if len(spec.arguments) != len(wanted) or spec.options:
        need = ", ".join(wanted) or "no arguments"
        raise SpecError(f"{spec}: {spec.name} takes {need}; as in {KINDS[spec.name].usage}")
    return spec.arguments


KINDS = {
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
    "length": Kind("length", "disbalance of lengths in words and in characters", _length),
}
# The features of Stanojević and Sima'an 2017, §2.4.
BEER_FEATURES = "ngrams(chars,1-5) ngrams(words,1-4) skipgrams(2) skipgrams(inf) length"

"""Vectors of whole sentences by name: what models of two or three texts take as input.

`sentence(minilm)` is an encoder's own vector, `vectors(glove-50)` an average of word vectors,
`syntax(25)` the parser's. If a vector must be fitted (idf weights, a projection), `fit`
learns it from training sentences.
"""

from __future__ import annotations

import copyreg
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.encoders.encoder_names import encoder_named
from concordant.encoders.encoders import encode
from concordant.encoders.syntax import syntax
from concordant.encoders.words import averages
from concordant.encoders.words.words import open_vectors
from concordant.errors import SpecError, check_known
from concordant.specs import choose, parse_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.encoders.encoders import Encoder, Vectors
    from concordant.features.feature import Context, Fitted
    from concordant.specs import Spec

POOLS = ("mean", "idf", "sif")


@dataclass(frozen=True, repr=False)
class SentenceVectors(Brief):
    """One spec resolved: `vectors(texts, context)` gives (texts, dimension)."""

    spec: Spec
    dimension: int
    signature: str
    vectors: Callable[[Sequence[str], Context], Vectors]
    fit: Callable[[Sequence[str]], Fitted] | None = None
    check: Callable[[Fitted], None] | None = None
    encoder: Encoder | None = None


def sentence_vectors_named(text: str | Spec) -> SentenceVectors:
    """The sentence vectors that a text spells."""
    spec = parse_spec(text) if isinstance(text, str) else text
    check_known("sentence vectors", spec.name, VECTOR_KINDS)
    return VECTOR_KINDS[spec.name](spec)


def _sentence(spec: Spec) -> SentenceVectors:
    name = one_name(spec, "sentence(minilm) or sentence(minilm,layer=3,pool=mean)")
    encoder = encoder_named(name, spec.options)

    def vectors(texts: Sequence[str], context: Context) -> Vectors:
        return encode(encoder, texts, threads=context.threads, track=context.track)

    return SentenceVectors(spec, encoder.dimension, encoder.signature, vectors, encoder=encoder)


def _word_average(spec: Spec) -> SentenceVectors:
    name = one_name(spec, "vectors(glove-50) or vectors(glove-50,pool=sif)")
    pool = choose(spec, {"pool": POOLS})["pool"]
    table = open_vectors(name)

    def fit(texts: Sequence[str]) -> Fitted:
        return averages.fit_average(table, texts, pool=pool)

    def vectors(texts: Sequence[str], context: Context) -> Vectors:
        fitted = fit(texts) if context.fitted is None else context.fitted
        return averages.average(table, texts, pool=pool, fitted=fitted, threads=context.threads)

    learns = None if pool == "mean" else fit
    signature = f"{table.signature}|pool:{pool}"
    check = partial(averages.check_fitted, table, pool)
    return SentenceVectors(spec, table.dimension, signature, vectors, learns, check)


def _syntax(spec: Spec) -> SentenceVectors:
    size = one_name(spec, "syntax(25)")
    if not (size.isascii() and size.isdecimal() and len(size) < 6) or int(size) < 1:
        raise SpecError(f'{spec}: "{size}" is not a number of dimensions; as in syntax(25)')
    encoder = encoder_named("parser-en", spec.options)

    def fit(texts: Sequence[str]) -> Fitted:
        return syntax.fit_projection(encode(encoder, texts), int(size))

    def vectors(texts: Sequence[str], context: Context) -> Vectors:
        found = encode(encoder, texts, threads=context.threads, track=context.track)
        fitted = (
            syntax.fit_projection(found, int(size)) if context.fitted is None else context.fitted
        )
        return np.asarray(syntax.project(found, fitted), dtype=np.float32)

    signature = f"{encoder.signature}|dimensions:{size}"
    shape = (int(size), encoder.dimension)
    check = partial(syntax.check_projection, shape)
    return SentenceVectors(spec, int(size), signature, vectors, fit, check, encoder)


def one_name(spec: Spec, usage: str) -> str:
    """The one argument of a spec."""
    if len(spec.arguments) != 1:
        raise SpecError(f"{spec}: {spec.name} takes one name; as in {usage}")
    return spec.arguments[0]


VECTOR_KINDS: dict[str, Callable[[Spec], SentenceVectors]] = {
    "sentence": _sentence,
    "vectors": _word_average,
    "syntax": _syntax,
}


# Its functions cannot be pickled or copied; another is built from its spec.
copyreg.pickle(SentenceVectors, lambda each: (sentence_vectors_named, (each.spec,)))

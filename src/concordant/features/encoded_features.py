"""Features of vectors: cosines of sentence vectors, and tokens matched to tokens.

`sentence(…)`, `vectors(…)` and `syntax(…)` are one column, the cosine of translation and reference.
`tokens(NAME)` matches every token of one text to its most similar token in the other (Zhang et al.
2020): shares, weighted shares, weakest matches, order. Static vectors are matched in the kernel as
rows of their table; of a network any layers can be asked for, as in `tokens(minilm,layer=3+6)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from concordant.encoders import token_matching
from concordant.encoders.cache.cache import cached
from concordant.encoders.encoder_names import encoder_named
from concordant.encoders.ragged import ragged
from concordant.errors import SpecError
from concordant.features.feature import Context, Encoding, Feature, Kind, distinct_texts
from concordant.features.sentence_vectors import one_name, sentence_vectors_named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from concordant.encoders.encoders import Encoded, Encoder, Vectors
    from concordant.encoders.ragged import Ragged
    from concordant.features.feature import Fitted, Rows
    from concordant.metrics.lexical.texts import Floats
    from concordant.specs import Spec

    Compute = Callable[[Encoded, Rows, Rows, Fitted, int], Floats]

TOKENS_USAGE = "tokens(potion) or tokens(minilm,layer=3)"
MATCHING = 1  # to be raised when a column of tokens(…) comes to mean something else


class StaticTable(Protocol):
    """An encoder whose tokens are rows of one table of vectors."""

    @property
    def table(self) -> Vectors:
        """One vector a row."""
        ...

    @property
    def surprise(self) -> Floats | None:
        """How rare each token is; None where that must be learned from texts."""
        ...

    def rows(self, tokens: Ragged, /) -> Ragged:
        """The rows of tokens; negative ones have no vector."""
        ...


def _cosine(spec: Spec) -> Feature:
    """The cosine of translation and reference, in [-1, 1]; the best one of several references."""
    vectors = sentence_vectors_named(spec)

    def extract(
        translations: Sequence[str], references: Sequence[Sequence[str]], /, *, context: Context
    ) -> Floats:
        flat = [text for given in references for text in given]
        owners = np.repeat(np.arange(len(references)), [len(given) for given in references])
        texts, (translation, reference) = distinct_texts(translations, flat)
        found = vectors.vectors(texts, context)
        best = np.full(len(translations), -1.0)
        np.maximum.at(best, owners, cosines(found, translation[owners], reference))
        return best[:, None]

    encoder = vectors.encoder
    static = encoder is not None and encoder.depth == 0
    return Feature(
        spec,
        (f"{spec} cosine",),
        None if static else extract,
        _sentence_encoding(encoder) if encoder is not None and static else None,
        fit=vectors.fit,
        check=vectors.check,
        main=0,
        signature=vectors.signature,
        outside=vectors.signature,
        sentence_encoder=encoder,
    )


def _sentence_encoding(encoder: Encoder) -> Encoding:
    """The cosine of static vectors, from the pass that cuts texts for the token features too."""

    def compute(encoded: Encoded, translation: Rows, reference: Rows, _: Fitted, __: int) -> Floats:
        if encoded.sentence is None:
            raise AssertionError(encoder.name)
        return cosines(encoded.sentence, translation, reference)[:, None]

    return Encoding(encoder, (), compute, sentence=True)


def cosines(vectors: Vectors, first: Rows, second: Rows) -> Floats:
    """Cosines of rows, in [-1, 1]; 0 with a vector of zeros.

    >>> table = np.array([[1, 0], [1, 1], [0, 0]], dtype=np.float32)
    >>> cosines(table, np.array([0, 0, 0]), np.array([0, 1, 2])).round(3).tolist()
    [1.0, 0.707, 0.0]
    """
    wide = vectors.astype(np.float64)
    lengths = np.sqrt((wide * wide).sum(axis=1))
    unit = wide / np.where(lengths == 0, 1.0, lengths)[:, None]
    products = (unit[first] * unit[second]).sum(axis=1)
    return np.asarray(np.clip(products, -1.0, 1.0))  # rounding may go beyond


def _tokens(spec: Spec) -> Feature:
    name = one_name(spec, TOKENS_USAGE)
    wrong = [key for key in spec.options if key not in {"layer", "bits"}]
    if wrong:
        raise SpecError(f'{spec}: tokens has no option "{wrong[0]}"; it has layer and bits')
    bits = {key: value for key, value in spec.options.items() if key == "bits"}
    encoder = encoder_named(name, bits)
    layers = _layers(spec, encoder)
    encoder.check_layers(layers)
    static = encoder.depth == 0
    more = "".join(f",{key}={value}" for key, value in bits.items())
    label = [
        f"tokens({name})" if static else f"tokens({name},layer={layer}{more})" for layer in layers
    ]
    columns = [f"{each} {column}" for each in label for column in token_matching.COLUMNS]
    known = surprise_of(encoder) is not None

    return Feature(
        spec,
        tuple(columns),
        encoding=Encoding(encoder, () if static else layers, _matcher(encoder, layers)),
        fit=None if known else lambda texts: token_matching.fit_idf(_pieces_of(encoder, texts)),
        check=None if known else token_matching.check_idf,
        outside=encoder.signature,
        main=token_matching.F,
        signature=f"{encoder.signature}|layers:{'+'.join(map(str, layers))}|matching:{MATCHING}",
    )


def _layers(spec: Spec, encoder: Encoder) -> tuple[int, ...]:
    """The layers that a spec names; the last one where it names none."""
    text = spec.options.get("layer")
    if text is None:
        return (encoder.depth or 0,)
    parts = text.split("+")
    layers = tuple(int(part) for part in parts if part.isdecimal() and len(part) < 6)
    if len(set(layers)) < len(parts):
        raise SpecError(f'{spec}: layer "{text}" is not a number, nor different ones such as 3+6')
    return layers


def _pieces_of(encoder: Encoder, texts: Sequence[str]) -> Ragged:
    """The tokens of texts as numbers, without a pass through the network."""

    def compute(places: list[int]) -> list[bytes]:
        found = _pieces(encoder.run([texts[i] for i in places], sentence=False))
        return [found[i].astype(np.int64).tobytes() for i in range(len(found))]

    if encoder.depth == 0:
        return _pieces(encoder.run(texts, sentence=False))
    return ragged(cached(f"{encoder.signature}|pieces", texts, compute, _numbers))


def _numbers(value: bytes) -> npt.NDArray[np.int64]:
    return np.frombuffer(value, dtype=np.int64)


def _matcher(encoder: Encoder, layers: tuple[int, ...]) -> Compute:
    """Of static vectors, tokens are rows of one table, and never become vectors in Python."""
    known = surprise_of(encoder) is not None

    def compute(
        encoded: Encoded, translation: Rows, reference: Rows, fitted: Fitted, threads: int
    ) -> Floats:
        pieces = _pieces(encoded)
        weights = (
            surprises(encoder, pieces) if known else token_matching.idf_weights(pieces, fitted)
        )
        pairs = np.stack([translation, reference], axis=1)
        if encoder.depth == 0:
            static = cast("StaticTable", encoder)
            tokens, table = [static.rows(pieces)], static.table
        else:
            tokens, table = [encoded.layers[layer] for layer in layers], None
        parts = [
            token_matching.match_tokens(each, pairs, table=table, weights=weights, threads=threads)
            for each in tokens
        ]
        return np.concatenate(parts, axis=1)

    return compute


def surprise_of(encoder: Encoder) -> Floats | None:
    """How rare each token of an encoder is, if its vocabulary says so; then no idf is learned."""
    return cast("StaticTable", encoder).surprise if encoder.depth == 0 else None


def surprises(encoder: Encoder, pieces: Ragged) -> Floats:
    """The surprise of each token; the greatest where it is unknown."""
    surprise = surprise_of(encoder)
    if surprise is None:
        raise AssertionError(encoder.name)
    unknown = pieces.values < 0
    return np.where(unknown, surprise.max(), surprise[np.where(unknown, 0, pieces.values)])


def _pieces(encoded: Encoded) -> Ragged:
    if encoded.pieces is None:
        raise AssertionError("an encoder with token states has tokens")
    return encoded.pieces


ENCODED_KINDS = {
    "sentence": Kind("sentence(minilm)", "cosine of an encoder's sentence vectors", _cosine),
    "vectors": Kind("vectors(glove-50)", "cosine of averages of word vectors", _cosine),
    "syntax": Kind("syntax(25)", "cosine of the parser's vectors (after Guzmán et al.)", _cosine),
    "tokens": Kind(TOKENS_USAGE, "tokens matched by their vectors (Zhang et al. 2020)", _tokens),
}

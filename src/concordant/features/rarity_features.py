"""How rare the pieces of a translation are, and those of the text that it is compared with.

Rare words are hard to translate, and a translation that reads badly is full of short and rare
pieces. The vocabulary of a unigram model knows how probable each piece is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.encoder_names import encoder_named
from concordant.errors import SpecError
from concordant.features.encoded_features import surprise_of, surprises
from concordant.features.feature import Encoding, Feature
from concordant.features.sentence_vectors import one_name

if TYPE_CHECKING:
    from concordant.encoders.encoders import Encoded
    from concordant.encoders.ragged import Ragged
    from concordant.features.feature import Fitted, Rows
    from concordant.metrics.lexical.texts import Floats
    from concordant.specs import Spec

USAGE = "rarity(compact-any)"
COLUMNS = {
    "mean": "mean surprise of the pieces, in nats; 0 without pieces",
    "spread": "its standard deviation",
    "rarest": "the greatest surprise",
    "unknown": "share of pieces that the vocabulary lacks",
    "pieces": "logarithm of 1 + the number of pieces",
}


def rarity_feature(spec: Spec) -> Feature:
    """The COLUMNS of the translation, and those of the other text."""
    encoder = encoder_named(one_name(spec, USAGE))
    if surprise_of(encoder) is None:
        raise SpecError(f"{spec}: {encoder.name} does not say how probable its pieces are")

    def compute(encoded: Encoded, translation: Rows, other: Rows, _: Fitted, __: int) -> Floats:
        if encoded.pieces is None:
            raise AssertionError(encoder.name)
        values = rarity(encoded.pieces, surprises(encoder, encoded.pieces))
        return np.concatenate([values[translation], values[other]], axis=1)

    names = [f"{spec} {column}" for column in COLUMNS]
    return Feature(
        spec,
        (*names, *(f"{spec} other {column}" for column in COLUMNS)),
        encoding=Encoding(encoder, (), compute),
        outside=encoder.signature,
        signature=encoder.signature,
    )


def rarity(pieces: Ragged, surprise: Floats) -> Floats:
    """The COLUMNS of each text, from the surprise of every piece.

    >>> from concordant.encoders.ragged import ragged
    >>> pieces = ragged([np.array([3, 4]), np.array([-8]), np.array([], dtype=np.int64)])
    >>> rarity(pieces, np.array([2.0, 4.0, 9.0])).round(2).tolist()
    [[3.0, 1.0, 4.0, 0.0, 1.1], [9.0, 0.0, 9.0, 1.0, 0.69], [0.0, 0.0, 0.0, 0.0, 0.0]]
    """
    count = len(pieces)
    text = np.repeat(np.arange(count), pieces.lengths)
    sizes = np.maximum(pieces.lengths, 1)
    mean = np.bincount(text, surprise, count) / sizes
    square = np.bincount(text, surprise * surprise, count) / sizes
    rarest = np.zeros(count)
    np.maximum.at(rarest, text, surprise)
    unknown = np.bincount(text, pieces.values < 0, count) / sizes
    spread = np.sqrt(np.maximum(square - mean * mean, 0.0))
    return np.stack([mean, spread, rarest, unknown, np.log1p(pieces.lengths)], axis=1)

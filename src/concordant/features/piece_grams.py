"""N-grams of a vocabulary's pieces: words cut where no spaces are, and compounds taken apart.

A piece is written as one character, so that n-grams of pieces are n-grams of characters.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.encoder_names import encoder_named
from concordant.errors import SpecError
from concordant.features.feature import Encoding, Feature
from concordant.features.lexical_features import SCORES, gram_scores
from concordant.features.sentence_vectors import one_name
from concordant.metrics.lexical import ngrams

if TYPE_CHECKING:
    from concordant.encoders.encoders import Encoded
    from concordant.encoders.ragged import Ragged
    from concordant.features.feature import Fitted, Rows
    from concordant.metrics.lexical.texts import Floats
    from concordant.specs import Spec

USAGE = "piecegrams(compact-any)"
ORDER = 4
FIRST, UNKNOWN, LAST = 0x10000, 0x80000, 0x10FFFF  # characters for known and for unknown pieces


def piece_grams(spec: Spec) -> Feature:
    """Precision, recall and F scores of each order."""
    name = one_name(spec, USAGE)
    encoder = encoder_named(name)
    if encoder.depth != 0:
        raise SpecError(f"{spec}: {name} is no table of pieces")

    def compute(
        encoded: Encoded, translation: Rows, reference: Rows, _: Fitted, threads: int
    ) -> Floats:
        if encoded.pieces is None:
            raise AssertionError(name)
        texts = as_characters(encoded.pieces)
        counts = ngrams.counts(
            [texts[i] for i in translation],
            [[texts[i]] for i in reference],
            char_order=ORDER,
            word_order=0,
            threads=threads,
        )
        return gram_scores(counts)

    columns = tuple(f"piecegrams({name},{n}) {s}" for n in range(1, ORDER + 1) for s in SCORES)
    return Feature(
        spec,
        columns,
        encoding=Encoding(encoder, (), compute),
        main=2,
        outside=encoder.signature,
        signature=encoder.signature,
    )


def as_characters(pieces: Ragged) -> list[str]:
    """Each text with a character for each piece.

    >>> from concordant.encoders.ragged import ragged
    >>> one, two = as_characters(ragged([np.array([7, -5, 7]), np.array([-5])]))
    >>> len(one), one[0] == one[2], one[1] == two
    (3, True, True)
    """
    number = pieces.values.astype(np.int64)
    known = FIRST + number % (UNKNOWN - FIRST)
    points = np.where(number < 0, UNKNOWN + -number % (LAST - UNKNOWN), known)
    together = points.astype("<u4").tobytes().decode("utf-32-le")
    starts = pieces.starts.tolist()
    return [together[a:b] for a, b in itertools.pairwise(starts)]

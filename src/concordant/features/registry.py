"""Every feature by name; a new kind of feature is one row of a table."""

from __future__ import annotations

import copyreg

from concordant.errors import check_known
from concordant.features.encoded_features import ENCODED_KINDS
from concordant.features.fact_features import fact_feature
from concordant.features.feature import Feature, Kind
from concordant.features.lexical_features import LEXICAL_KINDS, measure_feature
from concordant.features.piece_grams import USAGE as GRAMS_USAGE
from concordant.features.piece_grams import piece_grams
from concordant.features.rarity_features import USAGE as RARITY_USAGE
from concordant.features.rarity_features import rarity_feature
from concordant.features.transfer_features import transfer_feature
from concordant.metrics.lexical.measures import MEASURES
from concordant.specs import Spec, parse_spec

FACTS = Kind("facts", "numbers, names and negations lost and added, for English", fact_feature)
TRANSFER = Kind("transfer", "what comes through from a source: numbers, marks", transfer_feature)
RARITY = Kind(RARITY_USAGE, "how rare the pieces of both texts are", rarity_feature)
GRAMS = Kind(GRAMS_USAGE, "n-grams of a vocabulary's pieces", piece_grams)
KINDS = {
    **LEXICAL_KINDS,
    "facts": FACTS,
    "transfer": TRANSFER,
    **ENCODED_KINDS,
    "rarity": RARITY,
    "piecegrams": GRAMS,
}
# The features of Stanojević and Sima'an 2017, §2.4.
BEER_FEATURES = "ngrams(chars,1-5) ngrams(words,1-4) skipgrams(2) skipgrams(inf) length"


def feature_named(text: str | Spec) -> Feature:
    """The feature that a text spells; an unknown name is an error that lists the known ones.

    >>> feature_named("skipgrams(inf)").columns[:3]
    ('skipgrams(inf) P', 'skipgrams(inf) R', 'skipgrams(inf) F1')
    """
    spec = parse_spec(text) if isinstance(text, str) else text
    check_known("feature", spec.name, [*KINDS, *MEASURES])
    return KINDS[spec.name].build(spec) if spec.name in KINDS else measure_feature(spec)


# Its functions cannot be pickled or copied; another is built from its spec.
copyreg.pickle(Feature, lambda each: (feature_named, (each.spec,)))

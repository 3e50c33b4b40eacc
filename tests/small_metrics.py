"""Metrics with drawn weights, for tests that need one without training it."""

import numpy as np
from own_parts import own_part
from small_encoders import static_folder

from concordant.features.extraction import feature_set
from concordant.features.preparation import Preparation
from concordant.features.scaling import fit_scaling
from concordant.features.sentence_vectors import sentence_vectors_named
from concordant.metrics.learned import Metric
from concordant.models.linear.forward import LinearShape, kept_sizes
from concordant.models.pairwise.forward import initial
from concordant.models.pairwise.kind import shape_of
from concordant.resources.places import is_installed

HYPOTHESES = ["the house is old", "a new street", "", "the old house", "houses"]
REFERENCES = [["the old house"], ["a new street", "streets"], ["the end"], ["the old house"], ["a"]]
SOURCES = ["the street", "a house", "is", "old", "new"]


def lexical_metric(*, features="bleu length", seed=0, **options):
    """A metric of features that need no parts."""
    preparation = Preparation(feature_set(features))
    raw = preparation.inputs(HYPOTHESES, REFERENCES).features
    preparation = Preparation(feature_set(features), feature_scaling=fit_scaling(raw))
    return with_weights(preparation, seed, **options)


def vector_metric(encoder, *, anchors=("reference",), features="bleu", seed=0, **options):
    """A metric that also sees vectors of a small encoder: a folder, or a part by its name."""
    if isinstance(encoder, str):
        if not is_installed(encoder):
            own_part(encoder, "static", lambda folder: static_folder(folder, encoder_rng()))
    elif not encoder.exists():
        static_folder(encoder, encoder_rng())
    chosen = feature_set(f"{features} tokens({encoder})") if features else None
    vectors = (sentence_vectors_named(f"sentence({encoder})"),)
    fitted = chosen.fit([text for given in REFERENCES for text in given]) if chosen else {}
    plain = Preparation(chosen, vectors, anchors, fitted)
    raw = plain.inputs(HYPOTHESES, REFERENCES, SOURCES)
    scaling = fit_scaling(raw.features) if chosen else None
    flat = fit_scaling(raw.vectors.reshape(-1, plain.dimension), method="standard")
    preparation = Preparation(chosen, vectors, anchors, fitted, scaling, flat)
    return with_weights(preparation, seed, **options)


def encoder_rng():
    return np.random.default_rng(3)


def with_weights(preparation, seed, *, name="small", hidden=4, symmetric=False, card="# A card\n"):
    metric = Metric(
        name, "pairwise", preparation, {}, {"hidden": hidden, "symmetric": symmetric}, card
    )
    params = initial(shape_of(metric), np.random.default_rng(seed))
    single = {key: value.astype(np.float32) for key, value in params.items()}
    return Metric(name, "pairwise", preparation, single, metric.options, card)


def linear_metric(hidden=0, *, features="bleu chrf length", seed=0):
    """A linear metric, with or without hidden nodes."""
    preparation = Preparation(feature_set(features))
    raw = preparation.inputs(HYPOTHESES, REFERENCES).features
    rng = np.random.default_rng(seed)
    shape = kept_sizes(LinearShape(raw.shape[1], hidden))
    params = {name: rng.normal(size=size) for name, size in shape.items()}
    params |= {"mean": raw.mean(axis=0), "deviation": raw.std(axis=0) + 1.0}
    return Metric("small", "linear", preparation, params, {"hidden": hidden})

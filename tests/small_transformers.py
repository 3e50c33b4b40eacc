"""Small random transformers, and metrics of the kind `encoder` made of them."""

import numpy as np

from concordant.encoders.pieces.uncased import uncased_pieces
from concordant.features.extraction import feature_set
from concordant.features.preparation import Preparation
from concordant.metrics.learned import Metric
from concordant.models.encoder.kind import READ
from concordant.models.encoder.quantised import pack

HEADS, EPSILON = 2, 1e-12


def small_weights(rng, *, words=50, width=24, wide=40, layers=2, places=80, distances=False):
    """Random weights in float32 by their names."""

    def draw(*size, scale=0.3):
        return (rng.standard_normal(size) * scale).astype(np.float32)

    found = {
        "embeddings.words": draw(words, width),
        "embeddings.types": draw(12, width),
        "embeddings.places": draw(places, width),
        "embeddings.scale": 1 + draw(width),
        "embeddings.shift": draw(width),
    }
    sizes = {"seen": (3 * width, width), "attended": (width, width)}
    sizes |= {"wide": (wide, width), "narrow": (width, wide)}
    for number in range(layers):
        at = f"layer.{number}."
        for name, size in sizes.items():
            found |= {f"{at}{name}": draw(*size), f"{at}{name}_bias": draw(size[0])}
        for name in ("attended_norm", "norm"):
            found |= {f"{at}{name}": 1 + draw(width), f"{at}{name}_bias": draw(width)}
    return found | ({"distances": draw(32, HEADS)} if distances else {})


def encoder_metric(
    form="joint", *, seed=0, places=40, moved=0, calibrated=True, features="", **sizes
):
    """A metric of the kind `encoder` with random weights; its head reads what the form says."""
    rng = np.random.default_rng(seed)
    words = len(uncased_pieces()) + moved
    weights = small_weights(rng, words=words, width=8, wide=32, places=places, **sizes)
    beside = feature_set(features) if features else None
    states, numbers = READ[form]
    weights |= {
        "head.hidden": (rng.standard_normal((5, 8 * states + numbers)) / 3).astype(np.float32),
        "head.hidden_bias": np.zeros(5, np.float32),
        "head.out": rng.standard_normal(5).astype(np.float32),
        "head.out_bias": np.array([0.1], np.float32),
    }
    if beside is not None:
        weights["head.beside"] = rng.standard_normal(len(beside.columns)).astype(np.float32)
    if form == "apart":
        match = {"match.weight": rng.standard_normal(8).astype(np.float32)}
        weights |= match | {"match.bias": np.array([0.2], np.float32)}
    params = pack(weights)
    if calibrated:
        params["calibration"] = np.array([0.0, 1.0])
    options = {
        "form": form, "layers": 2, "heads": HEADS, "epsilon": "1e-12",
        "first": 101 + moved, "between": 102 + moved, "moved": moved,
    }  # fmt: skip
    preparation = Preparation(beside, reads_texts=True)
    return Metric("small", "encoder", preparation, params, options, "# A card\n")

"""The encoder kind: its options, the shapes of its arrays, its scores and margins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.networks.quantised import SCALE, WORDS
from concordant.encoders.pieces.uncased import uncased_pieces
from concordant.encoders.pieces.word_pieces import SURFACES
from concordant.errors import ConcordantError
from concordant.models.encoder.forward import raw_scores
from concordant.models.encoder.quantised import is_large
from concordant.models.kind import ModelKind
from concordant.models.options import Option
from concordant.models.regression.forward import calibrate, preference

if TYPE_CHECKING:
    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_translations import Floats
    from concordant.models.functions import Params
    from concordant.models.kind import Fitted

TYPES = 2 * SURFACES  # of two texts
# What a head reads: states, and numbers before them.
READ = {"joint": (3, 0), "apart": (2, 3)}
FEWEST_PLACES = 8  # so that each window has a piece of each text
CLASSES = 32  # of distances
# Deviation of people's ratings from raw scores, for how probable it is that one is better.
NOISE = 1.0


def sizes(metric: Fitted) -> dict[str, tuple[int, ...]]:
    """The shape of every array of a trained metric; how wide and deep it is, itself says."""
    params = metric.params
    words, width = _matrix(params, "embeddings.words")
    found: dict[str, tuple[int, ...]] = {
        "embeddings.words": (words, width),
        "embeddings.places": (_matrix(params, "embeddings.places")[0], width),
        "embeddings.types": (TYPES, width),
        "embeddings.scale": (width,),
        "embeddings.shift": (width,),
    }
    for number in range(int(metric.options["layers"])):
        _matrix(params, f"layer.{number}.seen")
        found |= _layer(f"layer.{number}.", width, params)
    if "distances" in params:
        found["distances"] = (CLASSES, int(metric.options["heads"]))
    found |= {f"{name}{SCALE}": found[name][:1] for name in list(found) if is_large(name)}
    return found | _head(metric, width)


def _matrix(params: Params, name: str) -> tuple[int, int]:
    """The shape of a matrix that must be there."""
    if name not in params or params[name].ndim != 2:
        raise ConcordantError(f"there is no matrix {name}; copy or train the metric again")
    rows, columns = params[name].shape
    return rows, columns


def _layer(at: str, width: int, params: Params) -> dict[str, tuple[int, ...]]:
    """The shapes of a layer; `at` begins the names."""
    found: dict[str, tuple[int, ...]] = {}
    matrices = {"seen": (3, 1), "attended": (1, 1), "wide": (4, 1), "narrow": (1, 4)}
    for name, (out, into) in matrices.items():
        found[f"{at}{name}"] = (out * width, into * width)
        found[f"{at}{name}_bias"] = (out * width,)
        if f"{at}{name}.down" in params:
            rank = _matrix(params, f"{at}{name}.down")[0]
            found[f"{at}{name}.down"] = (rank, into * width)
            found[f"{at}{name}.up"] = (out * width, rank)
    for name in ("attended_norm", "norm"):
        found |= {f"{at}{name}": (width,), f"{at}{name}_bias": (width,)}
    return found


def _head(metric: Fitted, width: int) -> dict[str, tuple[int, ...]]:
    form, params = metric.options["form"], metric.params
    states, numbers = READ[form]
    hidden = _matrix(params, "head.hidden")[0]
    found: dict[str, tuple[int, ...]] = {
        "head.hidden": (hidden, states * width + numbers),
        "head.hidden_bias": (hidden,),
        "head.out": (hidden,),
        "head.out_bias": (1,),
    }
    if metric.preparation.columns:
        found["head.beside"] = (len(metric.preparation.columns),)
    if form == "apart":
        found |= {"match.weight": (width,), "match.bias": (1,)}
    return found | ({"calibration": (2,)} if "calibration" in params else {})


def whole(metric: Fitted) -> frozenset[str]:
    """The arrays of whole numbers of 8 bits."""
    return frozenset(name for name in metric.params if is_large(name))


def check(metric: Fitted) -> None:
    """Raise where arrays and options cannot be a network that reads BERT's pieces."""
    params, options = metric.params, metric.options
    rows, width = params[WORDS].shape
    needed = options["moved"] + len(uncased_pieces())
    faults = {
        f"{options['heads']} heads do not divide the width, {width}": width % options["heads"],
        f"{WORDS} has {rows:,} rows, but the pieces need {needed:,}": rows < needed,
        f"the marks {options['first']} and {options['between']} are not rows of {WORDS}":
            max(options["first"], options["between"]) >= rows,
        "embeddings.places has too few rows": len(params["embeddings.places"]) < FEWEST_PLACES,
        "a scale of a matrix is below 0":
            any((params[f"{name}{SCALE}"] < 0).any() for name in whole(metric)),
        "the slope of calibration must be above 0":
            not params.get("calibration", np.ones(2))[1] > 0,
    }  # fmt: skip
    for fault, found in faults.items():
        if found:
            raise ConcordantError(fault)


def raw(metric: Fitted, seen: Inputs) -> Floats:
    """Scores in deviations from an average translation."""
    if seen.texts is None:
        raise ConcordantError(f"{metric.name} reads texts; it was given none")
    return raw_scores(metric, seen.texts, seen.features)


def score(metric: Fitted, seen: Inputs) -> Floats:
    """The share of translations that people are expected to rate lower, or the raw score."""
    if "calibration" not in metric.params or metric.options.get("scale") == "raw":
        return raw(metric, seen)
    return calibrate(raw(metric, seen), metric.params["calibration"])


def margin(metric: Fitted, first: Inputs, second: Inputs) -> Floats:
    """By how much the first is preferred, in [-1/2, 1/2]."""
    return preference(NOISE, raw(metric, first) - raw(metric, second))


KIND = ModelKind(
    "a transformer that reads the texts, learned end to end",
    {
        "form": Option(allowed=tuple(READ)),
        "layers": Option(least=1),
        "heads": Option(least=1),
        "epsilon": Option(allowed=("1e-12", "1e-05")),
        "first": Option(),
        "between": Option(),
        "moved": Option(),
        "scale": Option(allowed=("raw",), optional=True),
    },
    sizes,
    score,
    margin,
    raw=raw,
    check=check,
    reads_texts=True,
    whole=whole,
)

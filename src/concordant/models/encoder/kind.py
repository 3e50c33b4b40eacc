"""The encoder kind: its options, the shapes of its arrays, its scores and margins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.errors import ConcordantError
from concordant.models.encoder.forward import raw_scores
from concordant.models.encoder.quantised import SCALE
from concordant.models.encoder.start import READ
from concordant.models.encoder.texts import SURFACES
from concordant.models.kind import ModelKind
from concordant.models.options import Option
from concordant.models.regression.forward import calibrate, preference

if TYPE_CHECKING:
    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_translations import Floats
    from concordant.models.functions import Params
    from concordant.models.kind import Fitted

TYPES = 2 * SURFACES  # of two texts
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
        found |= _layer(f"layer.{number}.", width, params)
    if "distances" in params:
        found["distances"] = (32, int(metric.options["heads"]))
    found |= {f"{n}{SCALE}": found[n][:1] for n in [*found] if f"{n}{SCALE}" in params}
    return found | _head(metric.options["form"], params, width)


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


def _head(form: str, params: Params, width: int) -> dict[str, tuple[int, ...]]:
    states, numbers = READ[form]
    hidden = _matrix(params, "head.hidden")[0]
    found: dict[str, tuple[int, ...]] = {
        "head.hidden": (hidden, states * width + numbers),
        "head.hidden_bias": (hidden,),
        "head.out": (hidden,),
        "head.out_bias": (1,),
    }
    if form == "apart":
        found |= {"match.weight": (width,), "match.bias": (1,)}
    return found | ({"calibration": (2,)} if "calibration" in params else {})


def raw(metric: Fitted, seen: Inputs) -> Floats:
    """Scores in deviations from an average translation."""
    if seen.texts is None:
        raise AssertionError("an encoder reads texts")
    return raw_scores(metric, seen.texts)


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
    reads_texts=True,
)

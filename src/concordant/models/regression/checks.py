"""Whether the arrays of a regression can be: their shapes and their signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from concordant.models.functions import Params


def sizes(regressor: str, params: Params, wide: int, features: int) -> dict[str, tuple[int, ...]]:
    """The shape of every parameter; how many support vectors or nodes there are, itself says."""
    common = {"centre": (wide,), "spread": (wide,), "intercept": (1,), "noise": (1,)}
    common |= {"calibration": (2,)} if "calibration" in params else {}
    if regressor == "svr":
        many = _length(params, "dual")
        return {**common, "support": (many, wide), "dual": (many,), "gamma": (1,)}
    if regressor == "landmarks":
        many = _length(params, "weights")
        places = {"landmarks": (many, features), "weights": (many,), "linear": (wide,)}
        return {**common, **places, "gamma": (1,)}
    if regressor == "ridge":
        return {**common, "weights": (wide,)}
    nodes = _length(params, "weights")
    hidden = {"hidden_weights": (wide, nodes), "hidden_bias": (nodes,), "weights": (nodes,)}
    return {**common, **hidden}


def check_values(params: Params) -> None:
    """Raise where a number has a sign that it cannot have."""
    for name in ("spread", "noise"):
        if not (params[name] >= np.finfo(np.float64).tiny).all():
            raise ConcordantError(f"{name} must be above 0")
    if not (params.get("gamma", np.zeros(1)) >= 0.0).all():
        raise ConcordantError("gamma must be at least 0")
    if not params.get("calibration", np.ones(2))[1] > 0.0:
        raise ConcordantError("the slope of calibration must be above 0")


def _length(params: Params, name: str) -> int:
    return params[name].shape[0] if name in params and params[name].ndim else 0

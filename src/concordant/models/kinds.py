"""The kinds of models: the only table that enumerates them.

`models/FOLDER/` holds what a kind is (kind.py, which has a `KIND`) and how it is fitted
(fitting.py, which has a `TRAINER`). Both are imported when a metric first asks for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from concordant.errors import SpecError, nearest
from concordant.models.options import check_values, show_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.models.kind import ModelKind, Trainer

# The kind's name, in metric.toml and recipes → its folder.
KINDS = {
    "pairwise": "pairwise",
    "linear": "linear",
    "regression": "regression",
    "tree-lstm": "tree_lstm",
    "encoder": "encoder",
}


def kind_of(name: str) -> ModelKind:
    """What a kind of model can do.

    >>> kind_of("linear").title
    "features weighed and added up (Stanojević and Sima'an 2017)"
    """
    found: ModelKind = import_module(f"concordant.models.{KINDS[name]}.kind").KIND
    return found


def trainer_of(name: str) -> Trainer:
    """How a kind of model is fitted."""
    found: Trainer = import_module(f"concordant.models.{KINDS[name]}.fitting").TRAINER
    return found


def check_options(kind: object, options: Mapping[str, Any]) -> None:
    """Raise unless the options are those of this kind of model, each with a possible value.

    >>> check_options("linear", {"hidden": -1})
    Traceback (most recent call last):
    concordant.errors.SpecError: hidden = -1 must be a whole number from 0 to 1,000,000
    """
    if not isinstance(kind, str) or kind not in KINDS:
        hint = nearest(kind, list(KINDS)) if isinstance(kind, str) else ""
        raise SpecError(f"model {show_value(kind)} is not one of {', '.join(KINDS)}{hint}")
    check_values(kind, kind_of(kind).options, options)


def explainable_kinds() -> list[str]:
    """The kinds whose scores can be taken apart."""
    return [name for name in KINDS if kind_of(name).explanation is not None]

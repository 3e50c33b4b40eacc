"""The metric that a training starts from, where a recipe names one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.errors import SpecError
from concordant.metrics.bundle import SHIPPED, place_of, shipped
from concordant.metrics.find import load
from concordant.metrics.learned import Metric
from concordant.metrics.manifest import read_manifest
from concordant.resources.places import is_installed

if TYPE_CHECKING:
    from concordant.training.recipe import Recipe


def start_of(recipe: Recipe) -> Metric | None:
    """The metric of `model.start`; None where a recipe names a part, or nothing.

    It must be of the recipe's kind: another kind's weights mean something else.
    """
    name, kind = recipe["model.start"], recipe["model.kind"]
    if not name:
        return None
    place = place_of(name)
    if place is None:
        if is_installed(name):
            return None
        raise SpecError(
            f'model.start = "{name}" is neither a metric nor an installed part; name one of '
            f"{', '.join(_of_kind(kind)) or 'your own metrics'}, or a part such as minilm"
        )
    start = load(name)
    if not isinstance(start, Metric) or start.kind != kind:
        own = read_manifest(place)["model"]["kind"]
        others = ", ".join(_of_kind(kind)) or "none that ships"
        raise SpecError(
            f'model.start = "{name}" is a {own} metric, but model.kind = "{kind}" can only start '
            f"from its own kind: {others}"
        )
    if recipe["inputs.features"]:
        raise SpecError(
            f'the features of "{name}" stay as they are; leave out inputs.features, or start from '
            "a part such as minilm"
        )
    return start


def _of_kind(kind: str) -> list[str]:
    """The shipped metrics of a kind."""
    return [name for name in shipped() if read_manifest(SHIPPED / name)["model"]["kind"] == kind]

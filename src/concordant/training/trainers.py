"""The trainer of a recipe; what it asks for and its kind of model cannot do is said first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.errors import SpecError
from concordant.models.kinds import KINDS, trainer_of

if TYPE_CHECKING:
    from concordant.models.kind import Trainer
    from concordant.training.recipe import Recipe


def recipe_trainer(recipe: Recipe) -> Trainer:
    """The trainer of a recipe's kind of model; raises if it cannot do what the recipe asks."""
    kind, objective = recipe["model.kind"], recipe["objective.kind"]
    trainer = trainer_of(kind)
    wrong = trainer.faults(recipe)
    for other in KINDS:
        named = [key for key in trainer_of(other).alone if other != kind and recipe[key]]
        wrong += [f'{key} is for model.kind = "{other}"; leave it out' for key in named]
    if objective not in trainer.objectives:
        known = ", ".join(trainer.objectives)
        wrong = [f'objective.kind = "{objective}" is not for {kind} models; use {known}', *wrong]
    if wrong:
        raise SpecError("\n".join(wrong))
    return trainer

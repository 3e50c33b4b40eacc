"""Hostile recipes: every recipe that ships, damaged. Read, or refused in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commands import check_words
from damage import TOML, damaged

from concordant.errors import ConcordantError
from concordant.training.recipe import change_recipe, read_recipe, shipped_recipes

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from guards import Watch

SETTINGS = ["x", "=", "a=b=c", "model.hidden=inf", "model.hidden=1e999", "seed=" + "9" * 5000,
            "name=" + "[" * 900, "inputs.features=" + "(" * 9000,
            "data.judgements=[[]]"]  # fmt: skip


def prepare(workspace: Path) -> tuple[Path, list[bytes]]:
    """The recipes that ship."""
    return workspace / "recipe.toml", [path.read_bytes() for path in shipped_recipes().values()]


def strike(prepared: tuple[Path, list[bytes]], rng: Random, watch: Watch) -> str:
    """Damage one recipe and read it."""
    path, recipes = prepared
    path.write_bytes(damaged(rng.choice(recipes), TOML, rng))
    try:
        with watch():
            recipe = read_recipe(path)
            if rng.random() < 0.3:
                recipe = change_recipe(recipe, [rng.choice(SETTINGS)])
            recipe.tables()
    except ConcordantError as refusal:
        check_words(refusal)
        return "refused"
    return "read"

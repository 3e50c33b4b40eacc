"""Recipes: how a metric is trained, as a TOML file; every key has a default and a meaning.

A recipe that the package ships is named, any other is a path.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.arguments import describe
from concordant.brief import Brief
from concordant.errors import DataError, SpecError, nearest
from concordant.models.kinds import KINDS, trainer_of
from concordant.toml_text import parse_toml, read_toml, toml_value
from concordant.training.recipe_keys import KEYS, NAMES, bounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from concordant.models.kind import Trainer


@dataclass(frozen=True, repr=False)
class Recipe(Brief):
    """A recipe with every key filled in; `recipe["model.hidden"]` is a value.

    `folder` is what relative paths start from.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = Path()

    def __getitem__(self, key: str) -> Any:
        return self.values.get(key, KEYS[key].default)

    def with_values(self, **values: Any) -> Recipe:
        """The recipe with some keys changed; dots are written as double underscores."""
        changes = {name.replace("__", "."): value for name, value in values.items()}
        return check_recipe({**self.values, **changes}, self.folder, "recipe")

    def differing(self) -> dict[str, Any]:
        """The keys whose values are not the default, as tables of TOML."""
        return self._tables([key for key in KEYS if self[key] != KEYS[key].default])

    def tables(self) -> dict[str, Any]:
        """All keys with their values, as tables of TOML."""
        return self._tables(KEYS)

    def _tables(self, keys: Iterable[str]) -> dict[str, Any]:
        tables: dict[str, Any] = {}
        for key in keys:
            table, dot, name = key.rpartition(".")
            if dot:
                tables.setdefault(table, {})[name] = self[key]
            else:
                tables[key] = self[key]
        return tables


def read_recipe(name: str | Path) -> Recipe:
    """The recipe of a name that ships, or of a file.

    >>> read_recipe("guzman2015")["model.hidden"]
    4
    """
    shipped = shipped_recipes()
    if str(name) in shipped:
        return check_recipe(_flat(read_toml(shipped[str(name)])), Path(), f'recipe "{name}"')
    path = Path(name)
    if not path.exists() and path.suffix != ".toml":
        raise SpecError(
            f'recipe "{name}" is not one of {", ".join(shipped)}, nor a file'
            f"{nearest(str(name), list(shipped))}"
        )
    return check_recipe(_flat(read_toml(path)), path.parent, str(path))


def change_recipe(recipe: Recipe, changes: Sequence[str]) -> Recipe:
    """The recipe with keys changed as written on the command line: `optimiser.rate=0.1`.

    >>> change_recipe(read_recipe("guzman2015"), ["model.hidden=0", "name=flat"])["model.hidden"]
    0
    """
    values = dict(recipe.values)
    for change in changes:
        key, sign, text = change.partition("=")
        if not sign:
            raise SpecError(f'"{change}" is not KEY=VALUE; write for example optimiser.rate=0.1')
        values[key.strip()] = _parse(text.strip())
    return check_recipe(values, recipe.folder, "--set")


def _parse(text: str) -> Any:
    """A value as TOML has it; what is none is a text."""
    try:
        return parse_toml(f"value = {text}")["value"]
    except DataError:
        return text


def shipped_recipes() -> dict[str, Path]:
    """The recipes in the package, by name."""
    folder = Path(str(files("concordant.training"))) / "recipes"
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def recipe_trainer(recipe: Recipe) -> Trainer:
    """The trainer of a recipe's kind of model; raises if it cannot do what the recipe asks."""
    kind, objective = recipe["model.kind"], recipe["objective.kind"]
    trainer = trainer_of(kind)
    wrong = trainer.faults(recipe)
    for other in KINDS:
        theirs = [key for key in trainer_of(other).alone if key not in trainer.alone]
        named = [key for key in theirs if recipe[key]]
        wrong += [f'{key} is for model.kind = "{other}"; leave it out' for key in named]
    if objective not in trainer.objectives:
        known = ", ".join(trainer.objectives)
        wrong = [f'objective.kind = "{objective}" is not for {kind} models; use {known}', *wrong]
    if wrong:
        raise SpecError("\n".join(wrong))
    return trainer


def check_recipe(values: Mapping[str, Any], folder: Path, where: str) -> Recipe:
    """The recipe, if every key is known and every value is one that the key can have."""
    wrong = [message for key, value in values.items() if (message := _fault(key, value))]
    if wrong:
        raise SpecError("\n".join(f"{where}: {message}" for message in wrong))
    return Recipe(dict(values), folder)


def _fault(key: str, value: Any) -> str | None:
    if key not in KEYS:
        return f'there is no key "{key}"{nearest(key, list(KEYS))}'
    known = KEYS[key]
    kind = type(known.default)
    if kind is float and type(value) is int and abs(value) < sys.maxsize:
        value = float(value)
    if type(value) is not kind:
        return (
            f"{key} = {describe(value)} must be {NAMES[kind]}, such as {toml_value(known.default)}"
        )
    if kind is list and (wrong := _fault_of_list(key, value)):
        return wrong
    if known.allowed and value not in known.allowed:
        hint = nearest(value, known.allowed)
        return f'{key} = "{value}" is not one of {", ".join(known.allowed)}{hint}'
    if kind is not list and known.least is not None and not known.least <= value <= known.most:
        return f"{key} = {value} must be {bounds(known)}"
    return None


def _fault_of_list(key: str, value: list[Any]) -> str | None:
    """Lists are of texts, or of numbers where the key has bounds."""
    known = KEYS[key]
    if known.least is None:
        right = all(isinstance(each, str) for each in value)
        return None if right else f"{key} = {value!r} must be {NAMES[list]}"
    numbers = [each for each in value if type(each) in {int, float}]
    if not value or len(numbers) < len(value):
        return f"{key} = {value!r} must be a list of numbers, such as {toml_value(known.default)}"
    if not all(known.least <= each <= known.most for each in numbers):
        return f"{key} = {value}: every number must be {bounds(known)}"
    return None


def _flat(tables: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in tables.items():
        key = f"{before}{name}"
        known = any(each.startswith(f"{key}.") for each in KEYS)
        if isinstance(value, dict) and (value or known):  # an empty unknown table is a fault
            values |= _flat(value, f"{key}.")
        else:
            values[key] = value
    return values

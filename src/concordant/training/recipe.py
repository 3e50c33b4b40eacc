"""Recipes: how a metric is trained, as a TOML file; every key has a default and a meaning.

The table `KEYS` is the whole of it: the reader, its errors and the documentation are made of it. A
recipe that the package ships is named, any other is a path.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.errors import DataError, SpecError, nearest
from concordant.toml_text import parse_toml, read_toml, toml_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Key:
    """One key of a recipe: its default, which also gives its type, and what it means.

    `allowed` lists the values where only some are; `least` and `most` bound numbers.
    """

    default: Any
    meaning: str
    allowed: tuple[str, ...] = ()
    least: float | None = None
    most: float = math.inf


KEYS: dict[str, Key] = {
    "name": Key("metric", "what the metric is called in tables and signatures"),
    "seed": Key(1, "the seed of every random choice", least=0, most=2**32 - 1),
    "data.judgements": Key([], "files or folders of judgements and texts; relative to the recipe"),
    "data.language_pairs": Key([], 'which to take: "de-en", "*-en", "newstest2013 *"; [] is all'),
    "data.kind": Key(
        "all", "which judgements to take", ("all", "rankings", "preferences", "ratings")
    ),
    "data.human": Key("", "which human score to take, where a test set has several"),
    "data.minimum_gap": Key(0.0, "ratings that differ by less make no pair", least=0.0),
    "data.repeats": Key(
        "all", "whether a pair judged repeatedly counts each time or once", ("all", "majority")
    ),
    "data.segments": Key(
        10**6, "at most so many segments to train on, drawn by the seed", least=1, most=10**9
    ),
    "validation.judgements": Key([], "other judgements to choose the best epoch on"),
    "validation.share": Key(
        0.1, "else this share of the segments, kept out of training", least=0, most=1
    ),
    "validation.pairs": Key(
        5000, "at most so many judged pairs, drawn by the seed", least=1, most=10**9
    ),
    "test.share": Key(0.1, "the share of the segments that the report is on", least=0, most=1),
    "inputs.features": Key("", "features of output and reference, as in features.md"),
    "inputs.vectors": Key("", "sentence vectors, such as sentence(minilm) or vectors(glove-50)"),
    "inputs.anchors": Key(["reference"], "what an output is compared with: reference, source"),
    "inputs.scaling": Key("min-max", "how inputs are scaled", ("min-max", "standard")),
    "model.kind": Key("pairwise", "the kind of model", ("pairwise", "linear")),
    "model.hidden": Key(
        4,
        "nodes of the hidden layer (pairwise: in each group); 0: no hidden layer",
        least=0,
        most=1000,
    ),
    "model.symmetric": Key(False, "whether swapping two outputs flips the decision exactly"),
    "objective.kind": Key(
        "logistic",
        "what is made small; the last three are for linear models",
        ("logistic", "kendall", "logistic+kendall", "sentence", "corpus", "joint"),
    ),
    "objective.gamma": Key(100.0, "how steep the Kendall cost's step is", least=0.0, most=1e6),
    "objective.beta": Key(100.0, "how narrow its term against ties is", least=0.0, most=1e6),
    "objective.alpha": Key(
        0.5,
        "the sentences' share of the joint objective, the rest is the corpora's",
        least=0.0,
        most=1.0,
    ),
    "objective.tune_alpha": Key(False, "whether alpha is chosen on validation, from 0.1 to 0.9"),
    "objective.margin": Key(
        "one",
        "how far apart a pair's scores should be: 1, less where judges disagree, or as their "
        "ratings are",
        ("one", "agreement", "ratings"),
    ),
    "objective.ties": Key(
        "leave-out",
        "whether ties teach: scores of a tied pair should be close",
        ("leave-out", "class"),
    ),
    "objective.tie_width": Key(0.2, "how close, where a pair's margin is 1", least=0.0, most=1.0),
    "objective.systems": Key(
        "wins", "people's score of a system: Expected Wins, or its mean rating", ("wins", "ratings")
    ),
    "optimiser.kind": Key("adagrad", "the rule of descent", ("adagrad", "adam")),
    "optimiser.rate": Key(0.01, "the learning rate", least=0.0, most=1e6),
    "optimiser.batch": Key(30, "judged pairs in a mini-batch", least=1, most=10**6),
    "optimiser.steps": Key(
        1, "mini-batches an epoch has at least, going round again (linear)", least=1, most=10**6
    ),
    "optimiser.decay": Key(1e-4, "weight decay (L2)", least=0.0, most=1e6),
    "optimiser.averaged": Key(False, "whether an epoch's weights are averaged over its batches"),
    "optimiser.epochs": Key(30, "the most epochs (of each cost)", least=1, most=10**6),
    "optimiser.patience": Key(
        5, "epochs without a better validation before it stops", least=1, most=10**6
    ),
}


@dataclass(frozen=True)
class Recipe:
    """A recipe with every key filled in; `recipe["model.hidden"]` is a value.

    `folder` is what relative paths start from.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = Path()

    def __getitem__(self, key: str) -> Any:
        return self.values.get(key, KEYS[key].default)

    def with_values(self, **values: Any) -> Recipe:
        """The recipe with some keys changed; dots are written as double underscores."""
        changed = {name.replace("__", "."): value for name, value in values.items()}
        return checked({**self.values, **changed}, self.folder, "recipe")

    def tables(self) -> dict[str, Any]:
        """All keys with their values, as tables of TOML."""
        tables: dict[str, Any] = {}
        for key in KEYS:
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
        return checked(_flat(read_toml(shipped[str(name)])), Path(), f'recipe "{name}"')
    path = Path(name)
    if not path.exists() and path.suffix != ".toml":
        raise SpecError(
            f'recipe "{name}" is not one of {", ".join(shipped)}, nor a file'
            f"{nearest(str(name), list(shipped))}"
        )
    return checked(_flat(read_toml(path)), path.parent, str(path))


def changed(recipe: Recipe, changes: Sequence[str]) -> Recipe:
    """The recipe with keys changed as written on the command line: `optimiser.rate=0.1`.

    >>> changed(read_recipe("guzman2015"), ["model.hidden=0", "name=flat"])["model.hidden"]
    0
    """
    values = dict(recipe.values)
    for change in changes:
        key, sign, text = change.partition("=")
        if not sign:
            raise SpecError(f'"{change}" is not KEY=VALUE; write for example optimiser.rate=0.1')
        values[key.strip()] = _parsed(text.strip())
    return checked(values, recipe.folder, "--set")


def _parsed(text: str) -> Any:
    """A value as TOML has it; what is none is a text."""
    try:
        return parse_toml(f"value = {text}")["value"]
    except DataError:
        return text


def shipped_recipes() -> dict[str, Path]:
    """The recipes in the package, by name."""
    folder = Path(str(files("concordant.training"))) / "recipes"
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def checked(values: Mapping[str, Any], folder: Path, where: str) -> Recipe:
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
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        return f"{key} = {value!r} must be {NAMES[kind]}, such as {toml_value(known.default)}"
    if kind is list and not all(isinstance(each, str) for each in value):
        return f"{key} = {value!r} must be {NAMES[kind]}"
    if known.allowed and value not in known.allowed:
        hint = nearest(value, known.allowed)
        return f'{key} = "{value}" is not one of {", ".join(known.allowed)}{hint}'
    if known.least is not None and not known.least <= value <= known.most:
        return f"{key} = {value} must be {bounds(known)}"
    return None


def bounds(key: Key) -> str:
    """Within what a number must be, in words.

    >>> bounds(KEYS["validation.share"]), bounds(KEYS["data.minimum_gap"])
    ('from 0 to 1', 'at least 0')
    """
    if key.least is None:
        return ""
    if key.most == math.inf:
        return f"at least {key.least:,.15g}"
    return f"from {key.least:,.15g} to {key.most:,.15g}"


NAMES = {
    int: "a whole number", float: "a number", str: "a text", bool: "true or false",
    list: "a list of texts",
}  # fmt: skip


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

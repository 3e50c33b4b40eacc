"""`metric.toml`: what a metric consists of, readable for people, with a hash of itself.

Unknown keys and values of a wrong type are errors. The hash
covers the values only, so spaces and comments may change.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from concordant._version import __version__
from concordant.errors import BundleError, nearest
from concordant.toml_text import read_toml, toml_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FORMAT = 2
MANIFEST, WEIGHTS, CARD = "metric.toml", "weights.safetensors", "card.md"
LONGEST_NAME = 200  # characters

# The keys of each table and the types of their values. Those of [model] depend on its kind
# (models/kinds.py), and [training] is for people: any values, but no tables.
TABLES: dict[str, dict[str, type]] = {
    "": {
        "format": int, "name": str, "concordant": str,
        "about": dict, "inputs": dict, "model": dict, "training": dict, "sha256": dict,
    },
    "about": {"title": str, "scale": str, "languages": list},
    "inputs": {
        "features": str, "vectors": str, "anchors": list, "trees": str, "parts": str,
        "features_scaling": str, "vectors_scaling": str,
    },
    "sha256": {MANIFEST: str, WEIGHTS: str, CARD: str},
}  # fmt: skip
OPTIONAL = {
    "about", "title", "scale", "languages", "trees", "parts", "features_scaling", "vectors_scaling",
}  # fmt: skip
PLAIN = (str, int, float, bool)
TYPES = {int: "a whole number", str: "a text", list: "a list of texts", dict: "a table"}


def manifest_text(tables: Mapping[str, Any]) -> str:
    """The text of metric.toml, with a hash of its own values among those of the other files."""
    hashes = {**tables["sha256"], MANIFEST: manifest_digest(tables)}
    return toml_text({**tables, "sha256": hashes})


def read_manifest(folder: Path) -> dict[str, Any]:
    """The tables of a folder's metric.toml, if it is what was written."""
    path = folder / MANIFEST
    tables = read_toml(path)
    _check_format(folder, tables)
    for name in TABLES:
        _check_table(path, name, tables if name == "" else tables.get(name, {}))
    _check_plain(path, tables)
    if manifest_digest(tables) != tables["sha256"][MANIFEST]:
        raise BundleError(
            f"{path} is damaged or changed: its hash does not match its values; copy "
            "or train the metric again"
        )
    return tables


def manifest_digest(tables: Mapping[str, Any]) -> str:
    """The sha256 of all values of metric.toml but this one."""
    others = {name: value for name, value in tables["sha256"].items() if name != MANIFEST}
    return values_digest({**tables, "sha256": others})


def values_digest(values: Mapping[str, Any]) -> str:
    """The sha256 of values, independent of their order.

    >>> values_digest({"a": 1, "b": 2}) == values_digest({"b": 2, "a": 1})
    True
    """
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_name(name: str) -> None:
    """Raise unless the name is allowed: it must not forge fields of a signature."""
    if not name or not name.isprintable() or len(name) > LONGEST_NAME or set("|/") & set(name):
        raise BundleError(
            f"name must have 1 to {LONGEST_NAME} printable characters, and none of | and /"
        )


def _check_format(folder: Path, tables: Mapping[str, Any]) -> None:
    found = tables.get("format")
    if type(found) is not int or found < 1:
        raise BundleError(f"{folder / MANIFEST}: no format number; this is not a concordant metric")
    if found > FORMAT:
        maker = str(tables.get("concordant", "?"))[:40]
        raise BundleError(
            f"{folder} has format {found}, made by concordant {maker}; "
            f"this is {__version__}, which reads format {FORMAT}: install a newer one"
        )
    if found < FORMAT:
        raise BundleError(
            f"{folder} has format {found}, whose {MANIFEST} has no hash of itself; this version "
            f"reads format {FORMAT}: train the metric again"
        )


def _check_table(path: Path, name: str, table: Mapping[str, Any]) -> None:
    """Raise unless a table has the keys that it should have, with values of their types."""
    known = TABLES[name]
    place = f"[{name}]" if name else "the file"
    for key, value in table.items():
        if key not in known:
            raise BundleError(f'{path}: {place} has an unknown key "{key}"{nearest(key, [*known])}')
        if type(value) is not known[key]:
            raise BundleError(f"{path}: {key} must be {TYPES[known[key]]}")
        if isinstance(value, list) and not all(isinstance(each, str) for each in value):
            raise BundleError(f"{path}: {key} must be a list of texts")
    missing = [key for key in known if key not in table and key not in OPTIONAL]
    if missing:
        raise BundleError(f"{path}: {place} has no {missing[0]}")


def _check_plain(path: Path, tables: Mapping[str, Any]) -> None:
    """Raise if a name is not printable, or a value of [training] is not plain."""
    try:
        check_name(tables["name"])
    except BundleError as fault:
        raise BundleError(f"{path}: {fault}") from None
    for table in ("model", "training"):
        for key, value in tables[table].items():
            values: list[object] = value if isinstance(value, list) else [value]
            if not all(isinstance(each, PLAIN) for each in values):
                raise BundleError(f"{path}: {key} of [{table}] must be a plain value or a list")

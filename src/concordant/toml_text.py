"""TOML read and written: what people may open of a metric, a recipe or an installed part."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from concordant.errors import DataError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file; what is no TOML is an error with its place."""
    try:
        return parse_toml(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        raise DataError.at(path, None, "there is no such file; check the path") from None
    except IsADirectoryError:
        raise DataError.at(path, None, "is a folder; name a file in it") from None
    except UnicodeDecodeError as fault:
        raise DataError.at(path, None, f"is not UTF-8 ({fault.reason})") from None


def parse_toml(text: str, where: str = "text") -> dict[str, Any]:
    """The tables of a text; what is no TOML is an error.

    >>> parse_toml("a = 1")
    {'a': 1}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise DataError.at(where, None, f"is not TOML: {fault}") from None


def toml_text(tables: Mapping[str, Any]) -> str:
    """Values and tables of values as TOML, in the order given.

    >>> print(toml_text({"format": 1, "model": {"kind": "pairwise", "anchors": ["a"]}}))
    format = 1
    <BLANKLINE>
    [model]
    kind = "pairwise"
    anchors = ["a"]
    <BLANKLINE>
    """
    lines = [f"{_key(k)} = {toml_value(v)}" for k, v in tables.items() if not isinstance(v, dict)]
    for name, table in tables.items():
        if isinstance(table, dict):
            lines += ["", f"[{_key(name)}]"]
            lines += [f"{_key(key)} = {toml_value(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    plain = name.replace("-", "").replace("_", "")
    return name if plain.isascii() and plain.isalnum() else toml_value(name)


def toml_value(value: object) -> str:
    """One value as TOML has it.

    >>> toml_value(True), toml_value(["a"])
    ('true', '["a"]')
    """
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, (bool, str)):
        # JSON's strings and truth values are TOML's too, but for the one control character DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)

"""Reading and writing TOML, for metrics, recipes and installed parts."""

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

LARGEST = 256 << 10  # bytes
DEEPEST = 16  # levels of tables and lists
MOST_DOTS = 200  # in what stands before a value, where dots join the parts of a key


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file; anything but TOML of a reasonable size is an error."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise _too_long(str(path))
        return parse_toml(data.decode("utf-8"), str(path))
    except FileNotFoundError:
        raise DataError.at(path, None, "there is no such file; check the path") from None
    except IsADirectoryError:
        raise DataError.at(path, None, "is a folder; name a file in it") from None
    except OSError as fault:
        raise DataError.at(path, None, f"cannot be read ({fault.strerror})") from None
    except UnicodeDecodeError as fault:
        raise DataError.at(path, None, f"is not UTF-8 ({fault.reason})") from None


def parse_toml(text: str, where: str = "text") -> dict[str, Any]:
    """The tables of a text; anything but TOML of a reasonable size is an error.

    >>> parse_toml("a = 1")
    {'a': 1}
    """
    _check_size(text, where)
    try:
        tables = tomllib.loads(text)
        _check_values(tables, DEEPEST)
    except RecursionError:
        raise DataError.at(where, None, f"is nested deeper than {DEEPEST} levels") from None
    except ValueError as fault:  # also numbers with too many digits for Python
        raise DataError.at(where, None, f"is not TOML: {fault}") from None
    return tables


def _check_size(text: str, where: str) -> None:
    """Refuse texts that would keep the parser busy: it takes the square of a key's parts."""
    if len(text) > LARGEST:
        raise _too_long(where)
    for number, line in enumerate(text.splitlines(), start=1):
        keys = line.rpartition("=")[0] or line
        if keys.count(".") > MOST_DOTS:
            message = f"has more than {MOST_DOTS} dots before a value; break the line"
            raise DataError.at(where, number, message)


def _too_long(where: str) -> DataError:
    return DataError.at(where, None, f"is larger than {LARGEST >> 10} kB, the largest size allowed")


def _check_values(value: Any, depth: int) -> None:
    """Refuse what TOML does not promise: numbers beyond 64 bits, endless nesting."""
    if depth < 0:
        raise RecursionError
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("a whole number is beyond 64 bits")
    if isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            _check_values(each, depth - 1)


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

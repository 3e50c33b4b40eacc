"""Which column of a table holds what: by usual names, or as the user says.

`mt=…,ref=…` names columns; several `ref` are several references, several `mt` several systems.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, SpecError, check_known, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# What a column holds → the names by which it is found, whatever their capitals.
USUAL = {
    "mt": ("mt", "hyp", "hypothesis", "translation", "output", "prediction"),
    "ref": ("ref", "reference"),
    "src": ("src", "source", "source_text"),
    "system": ("system", "sys", "system_id"),
    "document": ("document", "doc", "doc_id", "document_id"),
    "segment": ("segment", "seg_id", "segment_id", "seg", "sid", "id"),
    "language": ("lp", "lang", "language", "lang_pair", "target_lang"),
}
WORDS = {"mt": "translations", "ref": "references", "src": "sources", "system": "systems' names"}
FIRST_COUNTS = frozenset({"segment", "language"})  # where a table often has several
_OF_A_SYSTEM = re.compile(rf"(?:{'|'.join(USUAL['mt'])})[:_. -](?P<system>.+)", re.IGNORECASE)
_NUMBERED = re.compile(r"ref(?:erence)?[_ -]?(?:\d+|[a-d])", re.IGNORECASE)


@dataclass(frozen=True)
class Columns:
    """The columns that are read: `systems` are columns of translations by the systems' names.

    One column of translations has the name "" unless the rows' systems are in column `system`.
    """

    systems: Mapping[str, str]
    references: tuple[str, ...]
    source: str | None = None
    system: str | None = None
    document: str | None = None
    segment: str | None = None
    language: str | None = None

    @property
    def names(self) -> list[str]:
        """All of them."""
        others = (self.source, self.system, self.document, self.segment, self.language)
        found = [*self.systems.values(), *self.references, *(each for each in others if each)]
        return list(dict.fromkeys(found))


def asked_columns(asked: Sequence[str]) -> dict[str, list[str]]:
    """What `--columns` says: for each role the columns' names.

    >>> asked_columns(["mt=out,ref=ref1,ref=ref2"])
    {'mt': ['out'], 'ref': ['ref1', 'ref2']}
    """
    found: dict[str, list[str]] = {}
    for part in (part for text in asked for part in text.split(",")):
        role, sign, name = (piece.strip() for piece in part.partition("="))
        if not (sign and role and name):
            raise SpecError(f'--columns: "{part}" is not ROLE=NAME, such as mt=translation')
        check_known("--columns: the role", role, USUAL)
        found.setdefault(role, []).append(name)
    for role, names in found.items():
        if len(names) > 1 and role not in {"mt", "ref"}:
            raise SpecError(f"--columns names several columns for {role}; only mt and ref may")
    return found


def find_columns(
    path: str, there: Sequence[str], asked: Mapping[str, Sequence[str]], *, references: bool = True
) -> Columns:
    """The columns of a table; one that is missing or doubtful is an error.

    >>> find_columns("x.csv", ["src", "MT", "ref1", "ref2", "lp"], {}).references
    ('ref1', 'ref2')
    >>> find_columns("x.csv", ["ref", "mt_A", "mt_B"], {}).systems
    {'A': 'mt_A', 'B': 'mt_B'}
    """
    for role, names in asked.items():
        for name in names:
            _check_there(path, name, there, role)
    single = {
        role: asked[role][0] if role in asked else _usual(path, role, there)
        for role in ("src", "system", "document", "segment", "language")
    }
    systems = _systems(path, there, asked.get("mt"))
    if len(systems) > 1 and single["system"] is not None:
        if "system" in asked:
            raise ConcordantError(
                f"{path}: name several columns mt, or one column system; not both"
            )
        single["system"] = None
    given = tuple(asked.get("ref") or _references(path, there))
    if references and not given:
        raise _missing(path, "ref", there)
    return Columns(systems, given, single["src"], single["system"], single["document"],
                   single["segment"], single["language"])  # fmt: skip


def _systems(path: str, there: Sequence[str], asked: Sequence[str] | None) -> dict[str, str]:
    """The columns of translations by the names of their systems."""
    if asked is not None:
        return {"": asked[0]} if len(asked) == 1 else {name: name for name in asked}
    usual = _usual(path, "mt", there)
    if usual is not None:
        return {"": usual}
    matches = [(name, _OF_A_SYSTEM.fullmatch(name)) for name in there]
    found = {match["system"]: name for name, match in matches if match}
    if not found:
        raise _missing(path, "mt", there)
    return found


def _references(path: str, there: Sequence[str]) -> list[str]:
    usual = _usual(path, "ref", there)
    numbered = [name for name in there if _NUMBERED.fullmatch(name)]
    if usual is not None and numbered:
        raise _doubtful(path, "ref", [usual, *numbered])
    return numbered if usual is None else [usual]


def _usual(path: str, role: str, there: Sequence[str]) -> str | None:
    """The column with a usual name of a role; None if there is none."""
    found = [name for usual in USUAL[role] for name in there if name.lower() == usual]
    if len(found) > 1 and role not in FIRST_COUNTS:
        raise _doubtful(path, role, found)
    return found[0] if found else None


def _check_there(path: str, name: str, there: Sequence[str], role: str) -> None:
    if name not in there:
        raise SpecError(
            f'{path} has no column "{name}" ({role}); it has {", ".join(there)}'
            f"{nearest(name, list(there))}"
        )


def _missing(path: str, role: str, there: Sequence[str]) -> SpecError:
    return SpecError(
        f"{path} has no column of {WORDS[role]} ({', '.join(USUAL[role])}); it has "
        f"{', '.join(there)}; say which one with --columns {role}=NAME"
    )


def _doubtful(path: str, role: str, found: Sequence[str]) -> SpecError:
    return SpecError(
        f"{path} has several columns for {role}: {', '.join(found)}; choose with --columns "
        f"{role}={found[0]}"
    )

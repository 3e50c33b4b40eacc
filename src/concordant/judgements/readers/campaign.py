"""A campaign of `concordant judge`: its judgements, and the texts that were judged.

Rankings and pairs become `Ranking` and `Preference`, scores `Rating`. Of a task that was corrected,
the last answer counts. Damaged items and judges whom the organiser left out are not judgements of
the systems; notes count them.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concordant.errors import DataError
from concordant.judgements.campaign_schema import (
    COMPARING,
    LAST_JUDGEMENTS,
    VERSION,
    open_to_read,
)
from concordant.judgements.readers.formats import CAMPAIGN, Format, Head
from concordant.records import Collection, Preference, Ranking, Rating, TestSet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class CampaignNames:
    """What the numbers in a campaign's tables stand for."""

    file: str
    protocol: str
    testset: str
    pair: str
    systems: Mapping[int, str]
    judges: Mapping[int, str]


def looks_like(head: Head) -> str | None:
    """Why this is a campaign, or None."""
    return "it is the database of a campaign" if head.lines == (CAMPAIGN,) else None


def read(path: Path) -> Collection:
    """The judgements and texts of a campaign, in the order in which the tasks were given out."""
    try:
        connection = open_to_read(path)
        try:
            return _read(path, connection)
        finally:
            connection.close()
    except sqlite3.DatabaseError as fault:
        advice = "copy it together with its files -wal and -shm, or restore a backup"
        raise DataError.at(
            path, None, f"cannot be read as a campaign ({fault}); {advice}"
        ) from None
    except (KeyError, TypeError, ValueError) as fault:
        message = f"has a task or judgement that makes no sense ({fault}); restore a backup"
        raise DataError.at(path, None, message) from None


def check_version(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse a campaign that another version made."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        message = f"is a campaign of version {version}; this concordant reads version {VERSION}"
        raise DataError.at(path, None, message)


def settings_of(connection: sqlite3.Connection) -> dict[str, Any]:
    """The settings of a campaign by name."""
    rows = connection.execute("SELECT name, value FROM settings")
    return {name: json.loads(value) for name, value in rows}


def _read(path: Path, connection: sqlite3.Connection) -> Collection:
    check_version(path, connection)
    settings = settings_of(connection)
    judges = connection.execute("SELECT id, name, state FROM judges").fetchall()
    names = CampaignNames(
        str(path),
        settings["protocol"],
        settings["testset"],
        settings["pair"],
        dict(connection.execute("SELECT id, name FROM systems")),
        {number: name for number, name, _ in judges},
    )
    left_out = {number for number, _, state in judges if state == "left out"}
    hidden: Counter[str] = Counter()
    records: list[Ranking | Preference | Rating] = []
    for row in connection.execute(LAST_JUDGEMENTS):
        judge, kind = row[1], row[4]
        if judge in left_out:
            hidden[f'judgements of "{names.judges[judge]}", whom the organiser left out,'] += 1
        elif kind == "damaged":
            hidden["judgements of damaged items (quality control)"] += 1
        else:
            records += _records(names, row)
    return Collection(
        testsets=(_texts(names, connection),),
        rankings=tuple(each for each in records if isinstance(each, Ranking)),
        preferences=tuple(each for each in records if isinstance(each, Preference)),
        ratings=tuple(each for each in records if isinstance(each, Rating)),
        notes=tuple(f"{path}: {count:,} {what} are left out" for what, count in hidden.items()),
    )


def _records(names: CampaignNames, row: Sequence[Any]) -> list[Ranking | Preference | Rating]:
    """What one task says; a translation of several systems speaks for all of them."""
    _, judge, segment, shown, _, weight, _, _, answer, _, _ = row
    of_place = [[names.systems[each] for each in place] for place in json.loads(shown)]
    given = json.loads(answer)
    place = (names.testset, names.pair)
    who = names.judges[judge]
    if names.protocol not in COMPARING:
        errors = Counter(each["severity"] for each in given.get("errors", ()))
        extra = (("minor", str(errors["minor"])), ("major", str(errors["major"])))
        return [
            Rating(
                *place, system, segment, float(given["score"]), judge=who,
                extra=extra if "errors" in given else (), file=names.file,
            )
            for system in of_place[0]
        ]  # fmt: skip
    ranked = [
        (system, int(rank))
        for systems, rank in zip(of_place, given["ranks"], strict=True)
        for system in systems
    ]
    if len(ranked) == 2:
        (better, first), (worse, second) = sorted(ranked, key=lambda each: each[1])
        tie = first == second
        return [
            Preference(
                *place, segment, better, worse, tie=tie, judge=who, weight=weight, file=names.file
            )
        ]
    systems, ranks = zip(*ranked, strict=True)
    return [Ranking(*place, segment, systems, ranks, who, weight=weight, file=names.file)]


def _texts(names: CampaignNames, connection: sqlite3.Connection) -> TestSet:
    source: dict[int, str] = {}
    documents: dict[int, str] = {}
    for number, text, document in connection.execute("SELECT id, source, document FROM segments"):
        if text is not None:
            source[number] = text
        if document is not None:
            documents[number] = document
    references: dict[str, dict[int, str]] = {}
    for segment, number, text in connection.execute("SELECT * FROM reference_texts"):
        references.setdefault(f"reference-{number}", {})[segment] = text
    translations: dict[str, dict[int, str]] = {name: {} for name in names.systems.values()}
    for segment, system, text in connection.execute("SELECT * FROM translations"):
        translations[names.systems[system]][segment] = text
    return TestSet(names.testset, names.pair, source, references, translations, documents)


FORMAT = Format(
    name="campaign",
    title="campaign of concordant judge",
    example="a file made by concordant judge",
    looks_like=looks_like,
    read=read,
)

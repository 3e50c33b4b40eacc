"""A campaign on disk: made once from texts, then opened by the one process that writes to it.

Every commit is synced to the disk before anyone is told of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.errors import ConcordantError, SpecError
from concordant.file_locks import open_locked
from concordant.judgements.campaign_schema import (
    APPLICATION_ID,
    SCHEMA,
    STATES,
    VERSION,
    is_campaign,
)
from concordant.judgements.readers.campaign import check_version, settings_of
from concordant.judging.settings import CampaignSettings
from concordant.output_files import output_place, put_in_place, words_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import IO

    from concordant.scoring.tables.system_texts import SystemTexts

ORGANISER = "organiser"
PATIENCE = 5.0  # seconds to wait for another program that has the file locked
LONGEST_NAME = 100
MOST_JUDGES = 1000


@dataclass(frozen=True)
class Links:
    """The tokens of a campaign, which only its people know: the file has their hashes."""

    organiser: str
    judges: Mapping[str, str]


def token_hash(token: str) -> bytes:
    """What is kept of a token; tokens have 192 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def create_campaign(
    path: str | Path,
    texts: SystemTexts,
    settings: CampaignSettings,
    judges: Sequence[str],
    inputs: Iterable[str | Path] = (),
) -> Links:
    """Make a campaign's file, whole or not at all; never over a file that is there."""
    _check(texts, settings, judges)
    place = output_place(path, inputs)
    if place.in_place or place.path.exists():
        advice = f"; to go on with it: concordant judge resume {path}"
        known = not place.in_place and is_campaign(place.path)
        raise ConcordantError(f"{path} is there already{advice if known else ''}")
    links = Links(_token(), {name: _token() for name in judges})
    draft = place.path.with_name(f".concordant-{secrets.token_hex(8)}.part")
    try:
        with words_for(path):
            _write(draft, texts, settings, links)
            put_in_place(draft, place.path)
    except sqlite3.Error as fault:
        raise ConcordantError(f"{path} cannot be written: {fault}") from None
    finally:
        draft.unlink(missing_ok=True)
    return links


class Campaign:
    """An open campaign; only one process has it open at a time."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not is_campaign(self.path):
            raise ConcordantError(f"{path} is not a campaign of concordant judge")
        self._lock = _lock(self.path)
        self.connection = sqlite3.connect(
            self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        check_version(self.path, self.connection)
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            self.connection.execute(f"PRAGMA {setting}")
        values = settings_of(self.connection)
        self.settings = CampaignSettings.of(values)
        self.systems: list[str] = [
            name for (name,) in self.connection.execute("SELECT name FROM systems ORDER BY id")
        ]

    def close(self) -> None:
        """Write what SQLite keeps beside the file into the file, and let others open it."""
        self.connection.close()
        self._lock.close()

    def value(self, name: str) -> Any:
        """A setting that may change, such as `paused`."""
        row = self.connection.execute("SELECT value FROM settings WHERE name = ?", (name,))
        return json.loads(row.fetchone()[0])

    def set_value(self, name: str, value: object) -> None:
        """Change such a setting."""
        self.connection.execute(
            "UPDATE settings SET value = ? WHERE name = ?", (json.dumps(value), name)
        )

    def judges(self) -> list[tuple[int, str, bytes, str]]:
        """Number, name, hash of the token and state of each judge."""
        return self.connection.execute(
            "SELECT id, name, token, state FROM judges ORDER BY id"
        ).fetchall()

    def set_state(self, judge: str, state: str) -> None:
        """Stop a judge, leave out their judgements, or take them back."""
        if state not in STATES:
            raise SpecError(f'state "{state}" is not one of {", ".join(STATES)}')
        change = "UPDATE judges SET state = ? WHERE name = ?"
        if not self.connection.execute(change, (state, judge)).rowcount:
            raise SpecError(f'there is no judge "{judge}"')

    def new_links(self, more: Sequence[str] = ()) -> Links:
        """New tokens for everyone, and for further judges; the old ones end."""
        names = [name for _, name, _, _ in self.judges()]
        check_names([*names, *more])
        links = Links(_token(), {name: _token() for name in [*names, *more]})
        self.connection.execute("BEGIN IMMEDIATE")
        self.set_value(ORGANISER, token_hash(links.organiser).hex())
        for name, token in links.judges.items():
            self.connection.execute(
                "INSERT INTO judges (name, token) VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET token = excluded.token",
                (name, token_hash(token)),
            )
        self.connection.execute("COMMIT")
        return links

    def texts(self, segment: int) -> tuple[str | None, list[str], dict[int, str]]:
        """The source of a segment, its references, and each system's translation by number."""
        return segment_texts(self.connection, segment)


def segment_texts(
    connection: sqlite3.Connection, segment: int
) -> tuple[str | None, list[str], dict[int, str]]:
    """The source of a segment, its references, and each system's translation by number."""
    execute = connection.execute
    (source,) = execute("SELECT source FROM segments WHERE id = ?", (segment,)).fetchone()
    references = "SELECT text FROM reference_texts WHERE segment = ? ORDER BY number"
    translations = "SELECT system, text FROM translations WHERE segment = ?"
    return (
        source,
        [text for (text,) in execute(references, (segment,))],
        dict(execute(translations, (segment,)).fetchall()),
    )


def now() -> str:
    """The time for people to read."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def check_names(names: Sequence[str]) -> None:
    """Refuse names of judges that are empty, too long, or given twice."""
    if not names:
        raise SpecError("a campaign needs at least one judge")
    if len(names) > MOST_JUDGES:
        raise SpecError(f"{len(names)} judges; at most {MOST_JUDGES} are allowed")
    for name in names:
        if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise SpecError(
                f"a judge's name has 1 to {LONGEST_NAME} printable characters, not {name[:120]!r}"
            )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SpecError(f"judge {twice[0]} is named twice")


def _check(texts: SystemTexts, settings: CampaignSettings, judges: Sequence[str]) -> None:
    check_names(judges)
    if not texts.references:
        raise SpecError("there are no segments to judge")
    if settings.compares and len(texts.systems) < 2:
        raise SpecError(f"{settings.protocol} needs at least two systems; there is one")
    wanted = ("source", "reference") if settings.context == "both" else (settings.context,)
    if "source" in wanted and texts.sources is None:
        raise SpecError("judges are to see the source; give it with -s, or --context reference")
    if "reference" in wanted and not any(texts.references):
        raise SpecError("judges are to see the reference; give it with -r, or --context source")


def _token() -> str:
    return secrets.token_urlsafe(24)


def _lock(path: Path) -> IO[bytes]:
    lock = open_locked(path.with_name(path.name + ".lock"))
    if lock is None:
        raise ConcordantError(f"{path} is served by another process; stop that one first")
    return lock


def _write(path: Path, texts: SystemTexts, settings: CampaignSettings, links: Links) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.executescript(SCHEMA)
        connection.execute("BEGIN")
        values = {
            **settings.to_dict(),
            ORGANISER: token_hash(links.organiser).hex(),
            "paused": False,
            "made": now(),
        }
        written = ((name, json.dumps(value)) for name, value in values.items())
        connection.executemany("INSERT INTO settings VALUES (?, ?)", written)
        hashed = ((name, token_hash(token)) for name, token in links.judges.items())
        connection.executemany("INSERT INTO judges (name, token) VALUES (?, ?)", hashed)
        connection.executemany(
            "INSERT INTO systems (name) VALUES (?)", ((name,) for name in texts.systems)
        )
        connection.executemany("INSERT INTO segments VALUES (?, ?, ?)", _segments(texts))
        connection.executemany("INSERT INTO reference_texts VALUES (?, ?, ?)", _references(texts))
        connection.executemany("INSERT INTO translations VALUES (?, ?, ?)", _translations(texts))
        connection.execute("COMMIT")
    finally:
        connection.close()
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def _segments(texts: SystemTexts) -> Iterator[tuple[int, str | None, str | None]]:
    for i in range(len(texts.references)):
        source = None if texts.sources is None else texts.sources[i]
        yield i + 1, source, None if texts.documents is None else texts.documents[i]


def _references(texts: SystemTexts) -> Iterator[tuple[int, int, str]]:
    for segment, given in enumerate(texts.references, 1):
        yield from ((segment, number, text) for number, text in enumerate(given, 1))


def _translations(texts: SystemTexts) -> Iterator[tuple[int, int, str]]:
    for segment in range(len(texts.references)):
        for system, lines in enumerate(texts.systems.values(), 1):
            yield segment + 1, system, lines[segment]

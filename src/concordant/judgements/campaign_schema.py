"""The tables of a campaign: one SQLite file that `concordant judge` writes and the reader reads.

Texts and settings are written once, when the campaign is made. Tasks and judgements are only ever
added: a correction is a further judgement of the same task, and the last one counts. Tokens are
kept as hashes. Times are for people to read; nothing is ordered by them, so a clock that is set
back changes nothing.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

APPLICATION_ID = 0x636F6E63  # "conc", at byte 68 of the file
VERSION = 1
PROTOCOLS = {
    "ranking": "rank up to five translations, ties allowed",
    "pairs": "choose the better of two translations, or a tie",
    "direct": "score one translation from 0 to 100",
    "spans": "mark the errors of one translation, minor or major, and score it from 0 to 100",
}
COMPARING = ("ranking", "pairs")
SEVERITIES = ("minor", "major")
STATES = ("active", "stopped", "left out")  # of a judge; only the last removes judgements
_MAGIC = b"SQLite format 3\x00"
_APPLICATION_AT = 68
SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE systems (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE segments (id INTEGER PRIMARY KEY, source TEXT, document TEXT);
CREATE TABLE reference_texts (
    segment INTEGER NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (segment, number)
) WITHOUT ROWID;
CREATE TABLE translations (
    segment INTEGER NOT NULL, system INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (segment, system)
) WITHOUT ROWID;
CREATE TABLE judges (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, token BLOB NOT NULL UNIQUE,
    state TEXT NOT NULL DEFAULT 'active'
);
-- shown: JSON, for each translation on the screen the systems that it is of (equal texts are shown
-- once). kind: plain, repeat or damaged. weight: see records.Ranking. changed: JSON, the text of
-- the damaged translation, and its place on the screen.
CREATE TABLE tasks (
    id INTEGER PRIMARY KEY, judge INTEGER NOT NULL REFERENCES judges, segment INTEGER NOT NULL,
    shown TEXT NOT NULL, kind TEXT NOT NULL, weight REAL NOT NULL, repeats INTEGER, changed TEXT,
    at TEXT NOT NULL
);
CREATE INDEX tasks_of_judge ON tasks (judge);
CREATE TABLE judgements (
    id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks, key TEXT NOT NULL UNIQUE,
    answer TEXT NOT NULL, seconds REAL NOT NULL, at TEXT NOT NULL
);
CREATE INDEX judgements_of_task ON judgements (task);
CREATE TRIGGER judgements_stay BEFORE UPDATE ON judgements
    BEGIN SELECT RAISE(ABORT, 'judgements are never changed'); END;
CREATE TRIGGER judgements_are_kept BEFORE DELETE ON judgements
    BEGIN SELECT RAISE(ABORT, 'judgements are never deleted'); END;
"""
# The last judgement of every task: in SQLite the other columns are those of the row with the MAX.
LAST_JUDGEMENTS = """
SELECT tasks.id, tasks.judge, tasks.segment, tasks.shown, tasks.kind, tasks.weight, tasks.repeats,
    tasks.changed, judgements.answer, judgements.seconds, MAX(judgements.id)
FROM judgements JOIN tasks ON tasks.id = judgements.task GROUP BY tasks.id ORDER BY tasks.id
"""


def is_campaign(path: Path) -> bool:
    """Whether a file begins as a campaign does."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as stream:
            head = stream.read(_APPLICATION_AT + 4)
    except OSError:  # whoever reads it as text says why it cannot be read
        return False
    return head.startswith(_MAGIC) and head[_APPLICATION_AT:] == APPLICATION_ID.to_bytes(4, "big")


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing; also while a server writes, or in a read-only folder."""
    place = path.absolute().as_uri()
    try:
        connection = sqlite3.connect(f"{place}?mode=ro", uri=True, check_same_thread=False)
        connection.execute("SELECT 1 FROM settings").fetchone()
    except sqlite3.OperationalError:
        wal = path.with_name(path.name + "-wal")
        if wal.exists() and wal.stat().st_size:
            raise
        connection = sqlite3.connect(f"{place}?immutable=1", uri=True, check_same_thread=False)
    return connection

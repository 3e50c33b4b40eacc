"""Hostile folders: links in circles, pipes, odd names, deep nesting. Each file is read once."""

from __future__ import annotations

import os
import shutil
import socket
from typing import TYPE_CHECKING

from commands import check_words, outcome_of

from concordant.errors import ConcordantError
from concordant.judgements.detection import read

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from guards import Watch

RATINGS = "segment,system,score\n1,A,0.5\n1,B,0.25\n2,A,0.75\n2,B,0.1\n"
NAMES = [
    "a", "ratings.csv", "de-en", "x\ny", "\x1b[31mred", "=1+1", "-q", "--help", "a\tb", "[red]",
    "[x", "e\u0301", "\u202etxt", "~", "..x", "x" * 200, "%s", "{}", "$HOME", "a b", "nul\\0",
    "\udcff", "jhu-nmt.5151", "systems", "reference.txt", "con", "*.csv",
]  # fmt: skip
KINDS = ["file", "file", "folder", "folder", "link", "pipe", "socket", "hard", "deep", "bytes"]


def prepare(workspace: Path) -> Path:
    """A place for the folders."""
    return workspace / "folders"


def strike(folder: Path, rng: Random, watch: Watch) -> str:
    """Build a folder and read it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    places, files = [folder], 0
    for _ in range(rng.randint(3, 25)):
        path = rng.choice(places) / rng.choice(NAMES)
        if os.path.lexists(path):
            continue
        kind = rng.choice(KINDS)
        files += kind == "file"
        places += _make(path, kind, folder, places, rng)
    if rng.random() < 0.5:
        words = rng.choice([["data"], ["data", "systems"], ["data", "convert"]])
        with watch():
            return outcome_of(*words, folder)
    try:
        with watch():
            found = read(folder)
    except ConcordantError as refusal:
        check_words(refusal)
        return "refused"
    assert len(found.ratings) <= 4 * files, f"{len(found.ratings)} ratings of {files} files"
    return "read"


def _make(path: Path, kind: str, top: Path, places: list[Path], rng: Random) -> list[Path]:
    """Make one entry; the folders that came with it."""
    if kind in {"folder", "deep"}:
        deep = path.joinpath(*["d"] * (rng.choice([5, 60]) if kind == "deep" else 0))
        if len(os.fsencode(deep)) > 4000:
            return []
        deep.mkdir(parents=True)
        return [deep]
    if kind == "file":
        path.write_text(RATINGS)
    elif kind == "link":
        files = sorted(top.glob("*.csv"))
        path.symlink_to(rng.choice([*places, top, path, "/proc/self", "nowhere", *files]))
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket" and len(os.fsencode(path)) < 100:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.fsencode(path))
    elif kind == "hard" and (files := [each for each in top.iterdir() if each.is_file()]):
        os.link(rng.choice(files), path, follow_symlinks=False)
    else:
        path.write_bytes(rng.randbytes(50))
    return []

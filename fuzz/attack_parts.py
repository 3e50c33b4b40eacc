"""Changed parts and caches on disk: they are noticed, or the scores stay the same.

Every case scores in a process of its own, because a part is verified when a process first uses it.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import numpy as np
from damage import BYTES, damaged

from concordant.errors import ConcordantError
from concordant.resources.places import MissingPart, cache_folder, locate

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from guards import Watch

TEXTS = ["The house is old.", "", "It rained for 3 days."]
REFERENCES = [["The old house."], ["Nothing."], ["It has rained for three days."]]
# Part → what scores with it.
USERS = {"potion": "tokens(potion)", "minilm": "tokens(minilm,layer=3)", "meteor-en": "meteor"}


def prepare(workspace: Path) -> tuple[Path, dict[str, np.ndarray]]:
    """A cache folder of its own with copies of the parts, and the scores of the sound ones."""
    folders = {}
    for name in USERS:
        try:
            folders[name] = locate(name)
        except MissingPart as missing:
            print(f"{name} is left out: {missing}")
    for path in cache_folder().glob("parts/*"):
        if path.name in folders:
            shutil.copytree(path, workspace / "cache" / "parts" / path.name)
    os.environ["CONCORDANT_CACHE"] = str(workspace / "cache")
    sound = {}
    for name in folders:
        found = _scored(USERS[name])
        assert isinstance(found, np.ndarray), found
        sound[name] = found
    return workspace / "cache", sound


def strike(prepared: tuple[Path, dict[str, np.ndarray]], rng: Random, watch: Watch) -> str:
    """Damage a file of a part or of the cache, score, and put it back."""
    cache, sound = prepared
    if not sound:
        return "no part is installed"
    name = rng.choice(sorted(sound))
    in_cache = [path for path in cache.iterdir() if path.is_file()]
    in_part = [path for path in (cache / "parts" / name).rglob("*") if path.is_file()]
    path = rng.choice(in_cache if in_cache and rng.random() < 0.5 else in_part)
    good = path.read_bytes()
    path.write_bytes(_changed(good, rng))
    try:
        with watch():
            found = _scored(USERS[name])
    finally:
        path.write_bytes(good)
    where = "cache" if path in in_cache else name
    if isinstance(found, str):
        return f"{where}: refused"
    assert np.array_equal(found, sound[name]), f"{path.name}: {found} for {sound[name]}"
    return f"{where}: scores the same"


def _changed(content: bytes, rng: Random) -> bytes:
    """A few bytes of it are others; of a large file one damage is enough."""
    if len(content) < 1 << 16:
        return damaged(content, BYTES, rng)
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ rng.randrange(1, 256)]) + content[place + 1 :]


def _scored(metric: str) -> np.ndarray | str:
    """The scores, or the words of the refusal; computed by a child of this process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w") as answer:
            json.dump(_score_here(metric), answer)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        content = answer.read()
    os.waitpid(child, 0)
    found = json.loads(content)
    assert "fault" not in found, f"{metric}: {found}"
    return found.get("refusal") or np.array(found["scores"])


def _score_here(metric: str) -> dict[str, object]:
    from concordant.metrics.find import load  # noqa: PLC0415 - in the child alone

    try:
        return {"scores": load(metric).score(TEXTS, REFERENCES).segments.tolist()}
    except ConcordantError as refusal:
        return {"refusal": str(refusal)}
    except BaseException as fault:
        return {"fault": repr(fault)}

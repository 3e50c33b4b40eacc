"""Checkpoints: an interrupted run is stored next to the future metric and continued later.

Written after every epoch, atomically. A checkpoint belongs to one recipe and one set of
judgements; with any other it is ignored.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.models.loop import Epoch, Progress

if TYPE_CHECKING:
    from pathlib import Path

STATE, ARRAYS = "state.json", "arrays.safetensors"
SEARCH = "search.jsonl"  # what a search for options has tried
_ARRAYS = ("flat", "best", "best_score", "best_epoch")
_NUMBERS = ("epoch", "stage", "stage_start")


def save_checkpoint(folder: Path, progress: Progress, digest: str) -> None:
    """Save the state of a run; `digest` identifies its recipe and data."""
    from safetensors.numpy import save_file  # noqa: PLC0415 - only in training

    folder.mkdir(parents=True, exist_ok=True)
    arrays = {name: getattr(progress, name) for name in _ARRAYS}
    arrays |= {f"state.{name}": value for name, value in progress.state.items()}
    draft = folder / f"{progress.epoch}.{ARRAYS}"
    save_file({name: np.ascontiguousarray(value) for name, value in arrays.items()}, draft)
    numbers = {name: getattr(progress, name) for name in _NUMBERS}
    history = [asdict(epoch) for epoch in progress.history]
    state = {"digest": digest, "arrays": draft.name, **numbers, "history": history}
    beside = folder / f".{STATE}"
    beside.write_text(json.dumps(state, indent=1), encoding="utf-8")
    beside.replace(folder / STATE)
    for old in folder.glob(f"*.{ARRAYS}"):
        if old != draft:
            old.unlink()


def remove_checkpoint(folder: Path) -> None:
    """Remove what training keeps in a folder, and the folder itself where nothing else is in it."""
    single = [folder / name for name in (STATE, f".{STATE}", SEARCH)]
    for path in (*folder.glob(f"*.{ARRAYS}"), *single):
        path.unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


def load_checkpoint(folder: Path, digest: str) -> Progress | None:
    """The saved state of the run with this recipe and data; None if there is none."""
    from safetensors import SafetensorError  # noqa: PLC0415 - only in training
    from safetensors.numpy import load_file  # noqa: PLC0415

    try:
        state = json.loads((folder / STATE).read_text(encoding="utf-8"))
        if state["digest"] != digest:
            return None
        arrays = load_file(folder / state["arrays"])
        rule = {k.removeprefix("state."): v for k, v in arrays.items() if k.startswith("state.")}
        history = [Epoch(**epoch) for epoch in state["history"]]
        kept: dict[str, Any] = {name: arrays[name] for name in _ARRAYS}
        kept |= {name: state[name] for name in _NUMBERS}
        return Progress(state=rule, history=history, **kept)
    except (OSError, ValueError, KeyError, TypeError, SafetensorError):
        return None  # none, or a damaged one: the run begins anew

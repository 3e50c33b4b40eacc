"""Count the files and folders that a command's data passes, so that a change can be held to them.

    python tests/golden/way.py score --help    # any command of concordant
    python tests/golden/way.py                 # the four usual ones, on examples/

A file is passed if one of its functions runs, other than while modules are imported. A folder
changes where a function of one folder calls one of a file of another that was not passed before.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import concordant
from concordant.cli.main import program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

ROOT = Path(concordant.__file__).parent
EXAMPLE = Path(__file__).parents[2] / "examples" / "de-en"
IMPORTING = "<frozen importlib._bootstrap>"
SYSTEMS = [str(EXAMPLE / "systems" / f"{name}.txt") for name in ("alder", "birch")]
TEXTS = ["-r", str(EXAMPLE / "reference-1.txt")]


def usual(folder: str) -> dict[str, list[str]]:
    """The commands that are counted by default."""
    judged = ["--judgements", str(EXAMPLE.parent)]
    small = ["inputs.features=bleu length", "inputs.vectors=", "search.folds=2"]
    return {
        "score -m fast": ["score", *TEXTS, "-t", SYSTEMS[0], "-m", "fast"],
        "compare": ["compare", *TEXTS, *SYSTEMS],
        "train --recipe regression": [
            *("train", "--recipe", "regression", *judged),
            *(each for change in small for each in ("--set", change)),
            *("-o", f"{folder}/metric"),
        ],
        "evaluate": ["evaluate", "-m", "chrf", "-m", "fast", "-j", str(EXAMPLE.parent)],
    }


def callers_of(frame: FrameType) -> Iterator[FrameType]:
    """The frames that a frame was called from, the nearest first."""
    caller = frame.f_back
    while caller is not None:
        yield caller
        caller = caller.f_back


def path_of(frame: FrameType) -> Path:
    """The file of a frame's code."""
    return Path(frame.f_code.co_filename)


def way_of(arguments: list[str]) -> tuple[list[str], int]:
    """The files that a command passes in the order of their first call, and changes of folder."""
    files: dict[str, str] = {}
    changes = 0

    def see(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal changes
        path = path_of(frame)
        if event != "call" or ROOT not in path.parents or str(path) in files:
            return
        callers = list(callers_of(frame))
        if any(each.f_code.co_filename == IMPORTING for each in (frame, *callers)):
            return
        came = next((path_of(each) for each in callers if ROOT in path_of(each).parents), path)
        files[str(path)] = str(path.relative_to(ROOT))
        changes += came.parent != path.parent

    sys.setprofile(see)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            program(arguments, standalone_mode=False)
    finally:
        sys.setprofile(None)
    return list(files.values()), changes


if __name__ == "__main__":
    if sys.argv[1:]:
        print(*way_of(sys.argv[1:])[0], sep="\n")
    else:
        with tempfile.TemporaryDirectory() as place:
            for name, asked in usual(place).items():
                passed, changed = way_of(asked)
                print(f"{name}: {len(passed)} files, {changed} changes of folder")

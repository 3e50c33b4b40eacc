"""Count the files and folders that a command's data passes, so that a change can be held to them.

    python tests/golden/way.py score --help    # any command of concordant
    python tests/golden/way.py                 # the four usual ones, on examples/

A file is passed if one of its functions runs after the command has been read; a folder changes
where a call goes from a file of one folder to a file of another that has not been passed before.
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
    from types import FrameType

ROOT = Path(concordant.__file__).parent
EXAMPLE = Path(__file__).parents[2] / "examples" / "de-en"
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


def way_of(arguments: list[str]) -> tuple[list[str], int]:
    """The files that a command passes in the order of their first call, and changes of folder."""
    files: dict[str, str] = {}
    changes = 0

    def see(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal changes
        if event != "call" or frame.f_code.co_name == "<module>":
            return
        path = Path(frame.f_code.co_filename)
        if ROOT not in path.parents or (name := str(path.relative_to(ROOT))) in files:
            return
        caller = frame.f_back
        while caller is not None and ROOT not in Path(caller.f_code.co_filename).parents:
            caller = caller.f_back
        came = path.parent if caller is None else Path(caller.f_code.co_filename).parent
        files[name] = str(path.parent)
        changes += came != path.parent

    sys.setprofile(see)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            program(arguments, standalone_mode=False)
    finally:
        sys.setprofile(None)
    return list(files), changes


if __name__ == "__main__":
    if sys.argv[1:]:
        print(*way_of(sys.argv[1:])[0], sep="\n")
    with tempfile.TemporaryDirectory() as place:
        for name, asked in {}.items() if sys.argv[1:] else usual(place).items():
            passed, changed = way_of(asked)
            print(f"{name}: {len(passed)} files, {changed} changes of folder")

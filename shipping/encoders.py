"""Make the encoders that ship, step by step; a step that is done is not done again.

    python shipping/encoders.py FOLDER

FOLDER must have e5-small (see e5_small.py) and `earlier`, the metric `base` of commit 04b4b5b: what
ships is the mean of its network and of the one that is trained here. An interrupted training goes
on at its checkpoint; the other steps take minutes. `base-dev` has learned from the development
split alone.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SHIPPED = HERE.parent / "src" / "concordant" / "metrics" / "shipped"
# A step: what it makes, and the script and arguments that make it; {} is the folder.
STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("lessons", ("encoder_lessons.py", "{}/lessons")),
    ("base-start", ("encoder_train.py", "base-start")),
    ("base-people", ("encoder_train.py", "base-people")),
    ("base-dev", ("encoder_bundle.py", "base", "{}/base-people", "{}/lessons", "{}/base-dev")),
    (
        "bundle",
        (
            *("encoder_bundle.py", "base", "{}/base-people", "{}/lessons"),
            *(str(SHIPPED / "base"), "{}/base-dev", "{}/earlier"),
        ),
    ),
)


def command_of(arguments: tuple[str, ...], folder: Path) -> list[str]:
    """The command of a step; a training is named by its plan."""
    script, *rest = arguments
    if script == "encoder_train.py":
        plan = HERE / "plans" / f"{rest[0]}.toml"
        rest = [str(plan), f"{folder}/lessons", f"{folder}/{rest[0]}"]
    return [sys.executable, str(HERE / script), *(each.format(folder) for each in rest)]


def main(folder: Path) -> None:
    """Make what is missing."""
    for step, arguments in STEPS:
        done = folder / f"{step}.done"
        if done.exists():
            continue
        print(f"step {step}", file=sys.stderr)
        subprocess.run(command_of(arguments, folder), check=True)
        done.touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

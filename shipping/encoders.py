"""Make the encoders that ship, step by step; a step that is done is not done again.

    python shipping/encoders.py FOLDER

FOLDER must have e5-small (see e5_small.py). An interrupted step goes on where it stopped: each has
a checkpoint, or keeps what it has scored so far.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SHIPPED = HERE.parent / "src" / "concordant" / "metrics" / "shipped"
# What the teacher scores for its student: sources of lessons, and of how many segments.
TAUGHT = (
    *("unjudged21de:110", "unjudged21cs:110", "unjudged21ru:110", "unjudged21ja:100"),
    *("unjudged21is:110", "unjudged21ha:80", "mqm20:900", "damagedmqm20:200"),
)
CHOSEN = ("da16", "mqm21ted")
# A step: what it makes, and the script and arguments that make it; {} is the folder.
STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("lessons", ("encoder_lessons.py", "{}/lessons")),
    ("teacher", ("encoder_train.py", "teacher")),
    ("base-people", ("encoder_train.py", "base-people")),
    ("labels", ("encoder_scores.py", "{}/teacher", "{}/lessons", "{}/labels.npy:6000", *TAUGHT)),
    (
        "labels2",
        (
            *("encoder_scores.py", "{}/teacher", "{}/lessons", "{}/labels2.npy:3000"),
            *("da20:700", "contrast:300"),
        ),
    ),
    ("base", ("encoder_train.py", "base")),
    ("base-shipped", ("encoder_train.py", "base-shipped")),
    ("teacher-shipped", ("encoder_train.py", "teacher-shipped")),
    ("held-out", ("encoder_scores.py", "{}/base", "{}/lessons", "{}/held-out.npy", *CHOSEN)),
    ("own", ("encoder_scores.py", "{}/base-shipped", "{}/lessons", "{}/own.npy", "mqm21ted")),
    (
        "bundle",
        (
            *("encoder_bundle.py", "base", "{}/base-shipped", "{}/lessons"),
            *("{}/held-out.npy", "{}/own.npy", str(SHIPPED / "base")),
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

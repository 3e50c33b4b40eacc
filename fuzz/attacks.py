"""Attack the program as somebody would who means harm: damaged metrics, tables, folders, parts.

    python fuzz/attacks.py [ATTACK] [--seconds 20] [--cases N] [--seed 0]

Every case is numbered and made from seed and number alone, so that one that fails is run again with
`ATTACK --seed S --case N`. A case fails when a call ends in anything but a result or an error in
words, when a number is not finite or is another one under the same signature, when code from the
input runs or a file outside the workspace changes, or when it takes more than 10 seconds or a
gigabyte.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

from guards import SECONDS, Guard, limit_memory

ATTACKS = ("bundles", "tables", "recipes", "folders", "parts")
ALONE = {"parts"}  # whose cases score in children of their own
FAILURES_SHOWN = 20
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0",
               "NO_COLOR": "1"}  # fmt: skip


def main() -> None:
    """Runs each attack in a Python of its own."""
    options = _options()
    if options.workspace is not None:
        sys.exit(run_cases(options.attack, options))
    failed = [
        each
        for each in ([options.attack] if options.attack else ATTACKS)
        if not watch(each, options)
    ]
    if failed:
        sys.exit(f"Failed: {', '.join(failed)}")


def watch(attack: str, options: argparse.Namespace) -> bool:
    """Runs the cases of an attack; whether all of them passed. One that hangs or dies is named."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder)
        command = [sys.executable, __file__, attack, f"--workspace={workspace}",
                   f"--seconds={options.seconds}", f"--seed={options.seed}"]  # fmt: skip
        command += [f"--{name}={value}" for name in ("cases", "case")
                    if (value := getattr(options, name)) is not None]  # fmt: skip
        environment = {**os.environ, **ENVIRONMENT, "TMPDIR": folder}
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)
        last, since = "", time.monotonic()
        while process.poll() is None:
            time.sleep(0.2)
            now = (workspace / "last").read_text() if (workspace / "last").exists() else ""
            if now != last:
                last, since = now, time.monotonic()
            elif last and time.monotonic() - since > 12 * SECONDS:
                process.kill()
                print(f"{attack}: case {last} does not end")
                return False
        if process.returncode < 0:
            print(f"{attack}: case {last} ended the process with signal {-process.returncode}")
        return process.returncode == 0


def run_cases(attack: str, options: argparse.Namespace) -> int:
    """Runs cases until the time is over or their number is reached; 1 if any failed."""
    module = importlib.import_module(f"attack_{attack}")
    workspace = options.workspace
    guard = Guard(workspace)
    prepared = module.prepare(workspace)
    guard.install()
    if attack not in ALONE:
        limit_memory()
    outcomes, failures = Counter[str](), 0
    number = 0 if options.case is None else options.case
    end = time.monotonic() + options.seconds
    while options.cases is not None or time.monotonic() < end:
        (workspace / "last").write_text(str(number))
        outcome = _outcome(guard, module, prepared, Random(f"{options.seed}-{number}"))
        outcomes[outcome.partition("\n")[0]] += 1
        if outcome.startswith("FAILED"):
            failures += 1
            if failures <= FAILURES_SHOWN:
                print(f"{attack} --seed {options.seed} --case {number}: {outcome}", flush=True)
        number += 1
        if options.case is not None or outcomes.total() == options.cases:
            break
    assert not (workspace / "planted" / "was-run").exists(), "code from the input was run"
    for outcome, times in sorted(outcomes.items()):
        print(f"{times:7,}  {attack}: {outcome:.150}")
    print(
        f"{outcomes.total():7,} cases of {attack}, seed {options.seed}: {failures} failed",
        flush=True,
    )
    return int(failures > 0)


def _outcome(guard: Guard, module: object, prepared: object, rng: Random) -> str:
    try:
        return str(module.strike(prepared, rng, guard.watch))  # type: ignore[attr-defined]
    except KeyboardInterrupt:
        raise
    except BaseException as fault:
        where = "".join(traceback.format_exception(fault)[-3:])
        return f"FAILED {fault!r:.300}\n{where[-1500:]}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("attack", nargs="?", choices=ATTACKS, help="only this one")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each (default: 20)")
    parser.add_argument("--cases", type=int, help="how many each, instead of how long")
    parser.add_argument("--seed", type=int, default=0, help="other cases (default: 0)")
    parser.add_argument("--case", type=int, help="only this case")
    parser.add_argument("--workspace", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()

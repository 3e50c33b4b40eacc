"""Fuzz the kernels: random input through every function, with sanitizers watching.

    python fuzz/run.py [arrays|encoders|lexical|stats] [--seconds 60] [--seed 0]

compiles each kernel of this checkout with AddressSanitizer and UndefinedBehaviorSanitizer into a
temporary folder, and calls its functions with strings and options that no one would write, for as
long as asked. Every case is numbered and made from seed and number alone, so that one that fails
is run again with `KERNEL --seed S --case N`. A case fails when a sanitizer reports, when a call
ends in anything but a result or an error that is expected, when a count is not a finite number, or
when another number of threads counts otherwise.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import arrays_inputs
import encoders_inputs
import lexical_inputs
import numpy as np
import stats_inputs
from inputs import arguments

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

# Kernel → the arguments of its functions.
KERNELS = {
    "arrays": arrays_inputs,
    "lexical": lexical_inputs,
    "encoders": encoders_inputs,
    "stats": stats_inputs,
}
ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "PYTHONMALLOC": "malloc",  # so that reading past the end of a Python string is seen as well
    "OPENBLAS_NUM_THREADS": "1",
}


def main() -> None:
    """Builds each kernel and runs its cases in a Python of their own."""
    options = _options()
    if options.module:
        run_cases(_loaded(options.module), KERNELS[options.kernel], options)
        return
    for kernel in [options.kernel] if options.kernel else KERNELS:
        watch(kernel, options)


def watch(kernel: str, options: argparse.Namespace) -> None:
    """Runs the cases of a kernel under sanitizers; says how to run the one that failed again."""
    from build import build, preload  # noqa: PLC0415 - the cases run without nanobind

    with tempfile.TemporaryDirectory() as folder:
        print(f"Compiling the {kernel} kernel with sanitizers …", flush=True)
        module, last = build(kernel, Path(folder)), Path(folder) / "last"
        command = [sys.executable, __file__, kernel, f"--module={module}", f"--last={last}"]
        command += [f"--seconds={options.seconds}", f"--seed={options.seed}"]
        command += [] if options.case is None else [f"--case={options.case}"]
        environment = {**os.environ, **ENVIRONMENT, "LD_PRELOAD": preload()}
        status = subprocess.run(command, env=environment, check=False).returncode
        if status != 0:
            case = last.read_text() if last.exists() else "none"
            again = f"{kernel} --seed {options.seed} --case {case.split()[0]}"
            sys.exit(f"Failed at case {case}; again: {again}")


def run_cases(native: ModuleType, inputs: ModuleType, options: argparse.Namespace) -> None:
    """Runs cases until the time is over, or the one that was asked for."""
    functions = [name for name in dir(native) if not name.startswith("_")]
    unknown = sorted(set(functions) - set(inputs.ARGUMENTS))
    if unknown:
        sys.exit(f"{inputs.__file__} has no arguments for {', '.join(unknown)}; add a row for each")
    outcomes: Counter[str] = Counter()
    end = time.monotonic() + options.seconds
    number = 0 if options.case is None else options.case
    while time.monotonic() < end:
        rng = Random(f"{options.seed}-{number}")
        function = rng.choice(functions)
        if options.last is not None:
            options.last.write_text(f"{number} ({function})")
        outcomes[f"{function} {run_case(native, inputs, function, rng)}"] += 1
        number += 1
        if options.case is not None:
            break
    for outcome, times in sorted(outcomes.items()):
        print(f"{times:7,}  {outcome}")
    print(f"{outcomes.total():7,} cases, seed {options.seed}: nothing found")


def run_case(native: ModuleType, inputs: ModuleType, function: str, rng: Random) -> str:
    """One call and its outcome: "counted", or the name of an error that is allowed."""
    if hasattr(native, "set_character_classes"):
        # The table of characters is the module's, and would else be what another case left behind.
        classes = inputs.ARGUMENTS["set_character_classes"](rng, native)["classes"]
        native.set_character_classes(classes)
    try:
        given = arguments(inputs.ARGUMENTS[function], native, rng)
        result = _arrays(_called(native, inputs, function, given))
    except inputs.EXPECTED as error:
        return type(error).__name__
    for array in result:
        finite = function in inputs.ANY_NUMBER or np.isfinite(array).all()
        assert finite, f"{function} gave {array}"
    if result and "threads" in given:
        other = {**given, "threads": rng.choice((1, 2, 7))}
        again = _arrays(_called(native, inputs, function, other))
        same = all(one.tobytes() == two.tobytes() for one, two in zip(result, again, strict=True))
        assert same, f"{function} depends on threads"
    return "counted"


def _called(native: ModuleType, inputs: ModuleType, function: str, given: dict[str, Any]) -> Any:
    if function in inputs.CALLS:
        return inputs.CALLS[function](native, given)
    return getattr(native, function)(**given)


def _arrays(result: Any) -> list[np.ndarray]:
    """The arrays that a function gave, one or several."""
    several = result if isinstance(result, tuple) else (result,)
    return [each for each in several if isinstance(each, np.ndarray)]


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("_native", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kernel", nargs="?", choices=list(KERNELS), help="only this one")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="other cases (default: 0)")
    parser.add_argument("--case", type=int, help="only this case")
    parser.add_argument("--module", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--last", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()

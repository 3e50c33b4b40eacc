"""Build the source distribution and the wheels, check them, and try them as users get them.

From Python 3.12 on one wheel serves every later version, by the stable ABI; 3.10 and 3.11 get one
each, if their interpreter is here. Wheels are built from the source distribution, so that it is
known to be complete. Each is then installed into a new environment without a compiler and without a
network, where it must give the scores of this working tree (within 1e-9: learned metrics multiply
matrices with NumPy's BLAS, whose last bits depend on its version):

    python shipping/wheels.py

The tools are those of the extra `release`. The tag of a Linux wheel (manylinux_2_34 and the like)
depends on the machine's C library; for the widest one, build in a manylinux container, as
.github/workflows/wheels.yml does.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "de-en"
OWN_WHEEL = ("3.10", "3.11")  # before the stable ABI
SHARED_WHEEL = ("3.12", "3.13", "3.14")  # one build with the first, tried with all
COMPILERS = ("c++", "cc", "g++", "gcc", "clang", "clang++", "cl")
OURS = ("CONCORDANT_", "PYTHON", "PIP_")  # variables that would lead back to this environment
SCORES = (
    "score", "--level", "segment", "--format", "jsonl", "--quiet",
    "-m", "fast", "-m", "fast-any", "-m", "base",
    "-m", "bleu", "-m", "chrf", "-m", "ter", "-m", "character",
    "-r", str(EXAMPLE / "reference-1.txt"), "-r", str(EXAMPLE / "reference-2.txt"),
    "-s", str(EXAMPLE / "source.txt"), "-t", str(EXAMPLE / "systems" / "alder.txt"),
)  # fmt: skip


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """What a command prints; a failure ends everything with what it said."""
    words = [str(each) for each in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env, cwd=ROOT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def interpreter(version: str) -> Path | None:
    """A Python of that version with which extensions can be built: on the path, or pyenv's."""
    homes = sorted(Path.home().glob(f".pyenv/versions/{version}.*"), reverse=True)
    asked = shutil.which(f"python{version}")
    for each in chain([Path(asked)] if asked else [], (home / "bin" / "python" for home in homes)):
        code = "import sysconfig; print(sysconfig.get_path('include'))"
        done = subprocess.run([each, "-c", code], capture_output=True, text=True, check=False)
        if done.returncode == 0 and Path(done.stdout.strip(), "Python.h").exists():
            return each
    return None


def build(output: Path, pythons: dict[str, Path]) -> dict[str, Path]:
    """Build the source distribution and each wheel; version of Python → the wheel it takes."""
    with tempfile.TemporaryDirectory() as place:
        run(sys.executable, "-m", "build", "--sdist", "--outdir", output, ROOT)
        (sdist,) = output.glob("*.tar.gz")
        wheels = {version: build_wheel(pythons[version], sdist, Path(place, version), output)
                  for version in OWN_WHEEL if version in pythons}  # fmt: skip
        shared = [version for version in SHARED_WHEEL if version in pythons]
        if shared:
            wheel = build_wheel(pythons[shared[0]], sdist, Path(place, shared[0]), output)
            run("abi3audit", "--strict", wheel)
            wheels |= dict.fromkeys(shared, wheel)
    return wheels


def build_wheel(python: Path, sdist: Path, place: Path, output: Path) -> Path:
    """A wheel that serves machines with an older C library too, as far as its symbols allow."""
    run(python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", place, sdist)
    (built,) = place.glob("*.whl")
    if sys.platform != "linux":
        return Path(shutil.copy(built, output))
    repaired = place / "repaired"
    run("auditwheel", "repair", "--plat", "auto", "--wheel-dir", repaired, built)
    (wheel,) = repaired.glob("*.whl")
    return Path(shutil.copy(wheel, output))


def try_wheel(python: Path, wheel: Path, expected: str) -> None:
    """Install a wheel where there is no compiler and no network, and compare its scores."""
    with tempfile.TemporaryDirectory() as place:
        home, venv, store = Path(place, "home"), Path(place, "venv"), Path(place, "store")
        home.mkdir()
        run(python, "-m", "pip", "download", "-q", "--only-binary", ":all:", "-d", store, wheel)
        run(python, "-m", "venv", venv)
        binaries = venv / "bin"
        kept = {name: os.environ[name] for name in os.environ if not name.startswith(OURS)}
        here = {"PATH": str(binaries), "HOME": str(home), "PIP_CONFIG_FILE": os.devnull}
        env = {**kept, **here}
        found = [each for each in COMPILERS if shutil.which(each, path=env["PATH"])]
        if found:
            sys.exit(f"{venv} has a compiler: {', '.join(found)}")
        alone = without_network()
        install = (binaries / "pip", "install", "-q", "--no-index", "--find-links", store, wheel)
        run(*alone, *install, env=env)
        found = run(*alone, binaries / "concordant", *SCORES, env=env)
        if not same_scores(found, expected):
            sys.exit(f"{wheel.name}: other scores than the working tree's, with {python}\n{found}")


def same_scores(found: str, expected: str) -> bool:
    """Whether two outputs have the same lines, and numbers that differ by less than 1e-9."""
    lines = [[json.loads(line) for line in text.splitlines()] for text in (found, expected)]
    return [len(each) for each in lines] == [len(lines[0])] * 2 and all(
        one.keys() == two.keys() and all(same_value(one[key], two[key]) for key in one)
        for one, two in zip(*lines, strict=True)
    )


def same_value(one: object, two: object) -> bool:
    """Whether two values are equal; numbers nearly."""
    if isinstance(one, float) and isinstance(two, float):
        return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-9)
    return one == two


def without_network() -> tuple[str, ...]:
    """What to put before a command so that it has no network; empty where that is impossible."""
    command = ("unshare", "--map-root-user", "--net")
    tool = shutil.which(command[0])
    if tool is None or subprocess.run([tool, *command[1:], "true"], check=False).returncode != 0:
        print("network: cannot be taken away here; pip is told not to use it")
        return ()
    return (tool, *command[1:])


def main() -> None:
    """Build, check, try; then say what there is."""
    parser = argparse.ArgumentParser(description="Build, check and try the distributions.")
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    output = parser.parse_args().output.resolve()
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    found = {version: interpreter(version) for version in (*OWN_WHEEL, *SHARED_WHEEL)}
    pythons = {version: path for version, path in found.items() if path is not None}
    print(f"not here: Python {', '.join(each for each in found if each not in pythons) or '–'}")
    wheels = build(output, pythons)
    run("twine", "check", "--strict", *output.iterdir())
    expected = run(sys.executable, "-m", "concordant", *SCORES)
    for version, wheel in wheels.items():
        try_wheel(pythons[version], wheel, expected)
        print(f"Python {version}: {wheel.name} scores")
    for each in sorted(output.iterdir()):
        print(f"{each.stat().st_size / 1e6:5.1f} MB  {each.name}")


if __name__ == "__main__":
    main()

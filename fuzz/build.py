"""A kernel compiled with AddressSanitizer and UndefinedBehaviorSanitizer."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nanobind

ROOT = Path(__file__).parent.parent
COMPILER = os.environ.get("CXX", "g++")
PLAIN = ("-std=c++17", "-O1", "-g", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing")
SANITISED = (
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer",
    "-D_GLIBCXX_ASSERTIONS",
)  # fmt: skip
# Before Python, because it allocates before the module is there; libstdc++ because of exceptions.
PRELOADED = ("libasan.so", "libstdc++.so")


def sources(kernel: str) -> list[Path]:
    """The files of a kernel's module, as CMakeLists.txt lists them."""
    listing = (ROOT / "CMakeLists.txt").read_text("utf-8")
    folder = re.search(rf"set\({kernel} (\S+)\)", listing)
    listed = re.findall(rf"\$\{{{kernel}\}}/(\w+\.cpp)", listing)
    if folder is None or not listed:
        raise SystemExit(f"CMakeLists.txt lists no ${{{kernel}}}/….cpp; fuzz/build.py looks for it")
    return [ROOT / folder[1] / name for name in listed]


def build(kernel: str, folder: Path) -> Path:
    """Compiles a module into a folder and returns its path; nanobind itself is not watched."""
    binding = Path(nanobind.source_dir()) / "nb_combined.cpp"
    include = Path(nanobind.include_dir())
    flags = [f"-I{include}", f"-I{include.parent}/ext/robin_map/include"]
    flags.append(f"-I{sysconfig.get_path('include')}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(_compiled, binding, folder, [*flags, "-DNDEBUG"])]
        watched = [*flags, *SANITISED]
        jobs += [pool.submit(_compiled, each, folder, watched) for each in sources(kernel)]
        objects = [job.result() for job in jobs]
    module = folder / "_native.so"
    _call(COMPILER, "-shared", "-pthread", *SANITISED, *map(str, objects), "-o", str(module))
    return module


def preload() -> str:
    """What LD_PRELOAD must name for Python to load the module."""
    found = [_call(COMPILER, f"-print-file-name={name}").strip() for name in PRELOADED]
    missing = [path for path in found if not Path(path).is_file()]
    if missing:
        raise SystemExit(f"{COMPILER} has no {', '.join(missing)}; fuzzing needs its sanitizers")
    return ":".join(found)


def _compiled(source: Path, folder: Path, flags: list[str]) -> Path:
    result = folder / f"{source.stem}.o"
    _call(COMPILER, *PLAIN, *flags, "-c", str(source), "-o", str(result))
    return result


def _call(*command: str) -> str:
    try:
        run = subprocess.run(command, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise SystemExit(f"{command[0]} is not there; name a C++ compiler in CXX") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{' '.join(command)}\n{error.stderr}") from None
    return run.stdout

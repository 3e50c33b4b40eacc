"""Locks work on every system: nothing but `file_locks` imports what only one of them has."""

import ast
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import concordant
from concordant.file_locks import hold_lock, open_locked

ROOT = Path(concordant.__file__).parent
EXAMPLE = Path(__file__).parents[1] / "examples" / "de-en"
OF_ONE_SYSTEM = {"fcntl", "msvcrt", "winreg", "grp", "pwd", "pty", "resource", "termios", "tty"}

# Runs a command as where there is no fcntl, with locks by a stand-in for Windows' msvcrt.
ELSEWHERE = """
import subprocess, sys, types
sys.modules["fcntl"] = None
asked = []
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda *each: asked.append(each))
here, sys.platform = sys.platform, "win32"
import concordant.file_locks
sys.platform = here
from concordant.cli.main import main
try:
    main()
finally:
    print("locks", len(asked))
"""


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name.split(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module.split(".")[0]


def test_only_one_module_imports_what_one_system_has():
    found = {path.name for path in ROOT.rglob("*.py") if OF_ONE_SYSTEM & set(imported(path))}
    assert found == {"file_locks.py"}


@pytest.mark.parametrize("metric", ["bleu", "fast"])
def test_score_needs_no_posix_module(metric, tmp_path):
    texts = [str(EXAMPLE / "systems" / "alder.txt")]
    words = ["score", "-m", metric, "-r", str(EXAMPLE / "reference-1.txt"), "-t", *texts]
    words += [
        "-s",
        str(EXAMPLE / "source.txt"),
        "--level",
        "segment",
        "-o",
        str(tmp_path / "scores.tsv"),
    ]
    run = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, *words], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    locks = int(run.stdout.split()[-1])
    assert locks > 0, "the output was written under a lock"
    assert (tmp_path / "scores.tsv").read_text(encoding="utf-8")


def test_a_lock_is_waited_for(tmp_path):
    order = []
    path = tmp_path / "lock"

    def second():
        with hold_lock(path):
            order.append("second")

    with hold_lock(path):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(timeout=0.1)
        assert waiting.is_alive()
        assert open_locked(path) is None
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]

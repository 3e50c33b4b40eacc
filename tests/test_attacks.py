"""The attacks of `fuzz/attacks.py`, some of each: nothing gets through; the guards would see."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from attacks import ATTACKS

FUZZ = Path(__file__).parents[1] / "fuzz"
CASES = {"bundles": 60, "tables": 60, "recipes": 200, "folders": 40, "parts": 4}
EVIL = {
    "import planted_package": "forbidden: import planted_package",
    "import subprocess; subprocess.run(['true'])": "forbidden: subprocess.Popen",
    "open('../outside', 'w').close()": "forbidden: open",
    "import os; os.remove('../gone')": "forbidden: os.remove",
    "while True: pass": "it took more than 1 seconds",
    "limit_memory(); bytearray(2 << 30)": "MemoryError",
    "import warnings; warnings.warn('x')": "UserWarning",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_finds_nothing(attack):
    command = [sys.executable, FUZZ / "attacks.py", attack, "--cases", str(CASES[attack])]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-2000:]
    assert f"{CASES[attack]:,} cases of {attack}, seed 0: 0 failed" in run.stdout


@pytest.mark.parametrize("code", EVIL)
def test_the_guards_see_what_is_forbidden(code, tmp_path):
    workspace = tmp_path / "inside"
    workspace.mkdir()
    (tmp_path / "gone").touch()
    program = (
        "import guards\n"
        "from pathlib import Path\n"
        "from guards import Guard, limit_memory\n"
        "guards.SECONDS = 1\n"
        "guard = Guard(Path('.'))\n"
        "guard.install()\n"
        f"with guard.watch():\n    {code}\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(FUZZ)}
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False,
        cwd=workspace, env=environment,
    )  # fmt: skip
    assert run.returncode != 0
    assert EVIL[code] in run.stderr

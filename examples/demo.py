"""What `make demo` runs: the package's main job on the example test set, command by command."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

COMMANDS = (
    ("What do these files hold?", "data examples"),
    ("How do people rank the systems?", "data systems examples --judged rankings"),
    ("How far do the judges agree?", "data agreement examples"),
    (
        "Which metric agrees best with people, output by output?",
        "evaluate -m bleu -m chrf -m ter -j examples --baseline bleu",
    ),
    (
        "And on which system is better?",
        "evaluate -m bleu -m chrf -m ter -j examples --level system",
    ),
)


def main() -> int:
    """Run the commands one after the other; stop at the first that fails."""
    here = Path(__file__).resolve().parent.parent
    for question, command in COMMANDS:
        print(f"\n# {question}\n$ concordant {command}\n", flush=True)
        arguments = [sys.executable, "-m", "concordant.cli.main", *shlex.split(command), "--quiet"]
        code = subprocess.run(arguments, cwd=here, check=False).returncode
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())

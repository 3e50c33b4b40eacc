"""What `make demo` runs: the package's main job on the example test set, command by command."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

TEXTS = "-r examples/de-en/reference-1.txt -s examples/de-en/source.txt"
SYSTEMS = " ".join(
    f"examples/de-en/systems/{name}.txt" for name in "alder birch cedar dogwood".split()
)
REPORT = "report.html"
COMMANDS = (
    (
        "Which system is better, how sure is that, and where?",
        f"compare {TEXTS} {SYSTEMS} --html {REPORT}",
    ),
    ("How do people rank them?", "data systems examples --judged rankings"),
    (
        "Which metric agrees best with people, output by output?",
        "evaluate -m bleu -m chrf -m ter -j examples --baseline bleu",
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
    print(f"\nThe report is in {REPORT}; open it in a browser.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

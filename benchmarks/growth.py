"""How scoring grows: rows through `score --engine`, processor time and memory of every process.

    python benchmarks/growth.py chrf 100000 1000000 --engines local ray spark

Rows are newstest's references and translations over and over, in parquet tables of 50,000 rows.
Processor time is that of the command and all processes below it, sampled ten times a second; memory
is the largest of one process that runs Python. The tables of local are compared with each engine's.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

TABLE = 50_000
TICKS = os.sysconf("SC_CLK_TCK")


def write_tables(folder: Path, rows: int) -> None:
    """Tables of real translations and references, or of the example's without data."""
    base, data = Path("examples/de-en"), os.environ.get("CONCORDANT_DATA")
    names = base / "systems/birch.txt", base / "reference-1.txt"
    if data is not None:
        texts = Path(data) / "wmt12"
        names = (texts / "system-outputs/newstest2012/de-en/newstest2012.de-en.onlineB",
                 texts / "references/newstest2012-ref.en")  # fmt: skip
    mt, ref = (name.read_text("utf-8-sig").rstrip("\n").split("\n") for name in names)
    folder.mkdir()
    for number, begin in enumerate(range(0, rows, TABLE)):
        places = [i % len(ref) for i in range(begin, min(begin + TABLE, rows))]
        table = pa.table({"mt": [mt[i] for i in places], "ref": [ref[i] for i in places]})
        pq.write_table(table, folder / f"part-{number:05}.parquet")


def processes_below(root: int) -> dict[int, tuple[float, float, bool]]:
    """Processor seconds, memory in MB and whether it runs Python: a process and all below."""
    parents, found = {}, {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            stat = (each / "stat").read_text("utf-8").rpartition(")")[2].split()
            status = (each / "status").read_text("utf-8")
            line = (each / "cmdline").read_text("utf-8", "replace")
        except OSError:
            continue
        peak = [row.split()[1] for row in status.splitlines() if row.startswith("VmHWM")]
        parents[int(each.name)] = int(stat[1])
        spent = (int(stat[11]) + int(stat[12])) / TICKS
        python = "python" in line or line.startswith("ray::")
        if peak:  # not of one that has ended
            found[int(each.name)] = spent, int(peak[0]) / 1024, python

    def below(each: int) -> bool:
        while each not in {root, 0, 1} and each in parents:
            each = parents[each]
        return each == root

    return {each: values for each, values in found.items() if below(each)}


def measure(command: list[str]) -> tuple[float, float]:
    """Processor seconds of a command with all below it, and the most memory of a Python process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    seen: dict[int, tuple[float, float, bool]] = {}
    while process.poll() is None:
        seen.update(processes_below(process.pid))
        time.sleep(0.1)
    if process.returncode != 0:
        sys.exit(process.communicate()[1].decode())
    spent = sum(each[0] for each in seen.values())
    return spent, max(each[1] for each in seen.values() if each[2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("metric")
    parser.add_argument("rows", type=int, nargs="+")
    parser.add_argument("--engines", nargs="+", default=["local"])
    parser.add_argument("--workers", default="1")
    asked = parser.parse_args()
    print(f"{'rows':>10} {'engine':8} {'seconds':>9} {'rows/s':>9} {'MB':>6}")
    for rows in asked.rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_tables(folder / "in", rows)
            for engine in asked.engines:
                out = folder / engine
                command = [sys.executable, "-m", "concordant.cli.main", "score", str(folder / "in"),
                           "-m", asked.metric, "--engine", engine, "--workers", asked.workers,
                           "-o", str(out), "-q"]  # fmt: skip
                spent, memory = measure(command)
                print(f"{rows:10,} {engine:8} {spent:9.1f} {rows / spent:9,.0f} {memory:6.0f}",
                      flush=True)  # fmt: skip
                names = [each.name for each in (folder / asked.engines[0]).glob("*.parquet")]
                same = filecmp.cmpfiles(folder / asked.engines[0], out, names, shallow=False)[0]
                if len(same) < len(names):
                    sys.exit(f"{engine} wrote other bytes than {asked.engines[0]}")


if __name__ == "__main__":
    main()

"""A long table against plain files of the same texts: time, memory, and what a resumed run writes.

    python benchmarks/tables.py [ROWS] [FOLDER]

Each run is `concordant score -m chrf -m fast --level segment -o …` on one thread: plain files,
jsonl, parquet. Times are the processor's, memory is the most that the process held. Then each table
is scored again, killed with the signal of Ctrl-C after some rows, and resumed: the bytes must be
the same. The texts are those of `examples/`, each made different by a number.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

EXAMPLE = Path(__file__).parents[1] / "examples" / "de-en"
METRICS = ("-m", "chrf", "-m", "fast", "--threads", "1", "--level", "segment", "-q")
BLOCK = 10_000
MEGABYTE = 1024  # ru_maxrss is in kilobytes on Linux


def write_texts(folder: Path, rows: int) -> None:
    """The same texts as two plain files, a jsonl and a parquet."""
    reference = (EXAMPLE / "reference-1.txt").read_text("utf-8").splitlines()
    translation = (EXAMPLE / "systems" / "birch.txt").read_text("utf-8").splitlines()
    schema = pa.schema([("id", pa.int64()), ("mt", pa.string()), ("ref", pa.string())])
    with (
        (folder / "ref.txt").open("w", encoding="utf-8") as references,
        (folder / "mt.txt").open("w", encoding="utf-8") as translations,
        (folder / "in.jsonl").open("w", encoding="utf-8") as lines,
        pq.ParquetWriter(folder / "in.parquet", schema) as parquet,
    ):
        for start in range(0, rows, BLOCK):
            numbers = range(start, min(start + BLOCK, rows))
            mt = [f"{translation[i % len(translation)]} {i}" for i in numbers]
            ref = [f"{reference[i % len(reference)]} {i}" for i in numbers]
            translations.writelines(f"{text}\n" for text in mt)
            references.writelines(f"{text}\n" for text in ref)
            lines.writelines(
                json.dumps({"id": i, "mt": m, "ref": r}) + "\n"
                for i, m, r in zip(numbers, mt, ref, strict=True)
            )
            parquet.write_table(pa.table([list(numbers), mt, ref], schema=schema))


def spent(arguments: list[str]) -> tuple[float, float]:
    """Processor seconds and the most megabytes of a run."""
    child = subprocess.Popen([sys.executable, "-m", "concordant", "score", *arguments])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"concordant score {' '.join(arguments)}: exit {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MEGABYTE


def digest(path: Path) -> str:
    """The hash of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def interrupt(arguments: list[str], after: float) -> int:
    """Start a run and interrupt it; its exit code."""
    child = subprocess.Popen([sys.executable, "-m", "concordant", "score", *arguments])
    time.sleep(after)
    child.send_signal(signal.SIGINT)
    return child.wait()


def main(rows: int, folder: Path) -> None:
    """Print a line a form."""
    write_texts(folder, rows)
    plain = ["-r", str(folder / "ref.txt"), "-t", str(folder / "mt.txt"), *METRICS]
    whole, memory = spent([*plain, "-o", str(folder / "plain.tsv")])
    print(f"{rows:,} rows    seconds  of plain files  megabytes  resumed")
    print(f"plain files   {whole:9.1f}  {1:14.2f}  {memory:9.0f}", flush=True)
    for kind in ("jsonl", "parquet"):
        table, out = str(folder / f"in.{kind}"), folder / f"out.{kind}"
        took, memory = spent([table, *METRICS, "-o", str(out)])
        once, part = digest(out), folder / f"part.{kind}"
        code = interrupt([table, *METRICS, "-o", str(part)], after=took / 3)
        spent([table, *METRICS, "-o", str(part), "--resume"])
        same = "same bytes" if digest(part) == once else "OTHER BYTES"
        print(f"{kind:12}  {took:9.1f}  {took / whole:14.2f}  {memory:9.0f}  "
              f"{same} (interrupted with exit {code})", flush=True)  # fmt: skip


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    if len(sys.argv) > 2:
        main(count, Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as place:
            main(count, Path(place))

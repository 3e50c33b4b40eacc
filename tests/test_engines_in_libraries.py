"""The one-liners of docs/engines.md, in the libraries themselves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from concordant.metrics.find import load

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from concordant.batches import score_table  # noqa: E402

MT = [f"the cat sat {i}" for i in range(40)]
REF = [f"a cat sits {i}" for i in range(40)]
TABLE = pa.table({"mt": MT, "ref": REF})
EXPECTED = load("chrf").score(MT, REF).segments.tolist()
PAGE = (Path(__file__).parents[1] / "docs/engines.md").read_text(encoding="utf-8")

# Ray and Spark start processes of their own: each runs in a fresh interpreter.
PROGRAMS = {
    "ray": """
import logging, ray, ray.data
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR,
         object_store_memory=100_000_000)
ray.data.DataContext.get_current().enable_progress_bars = False
dataset = ray.data.from_arrow([table.slice(0, 25), table.slice(25)])
rows = LINE.take_all()
ray.shutdown()
""",
    "spark": """
from pyspark.sql import SparkSession
session = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
           .getOrCreate())
frame = session.createDataFrame(table.to_pylist(), "mt string, ref string").repartition(3)
rows = [row.asDict() for row in LINE.collect()]
session.stop()
""",
}
MODULES = {"ray": "ray", "spark": "pyspark"}


def line_of(library):
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {library} |"))
    return row.split("`")[1]


@pytest.mark.xdist_group("engines")
@pytest.mark.parametrize("library", ["Ray", "Spark"])
def test_on_an_engine_with_two_workers(library, tmp_path):
    name = library.lower()
    code = (
        "import json, sys\nimport pyarrow as pa\n"
        "from concordant.batches import score_batches, score_table\n"
        f"table = pa.table({{'mt': {MT!r}, 'ref': {REF!r}}})\n"
        f"{PROGRAMS[name].replace('LINE', line_of(library))}"
        "print(json.dumps([[row['mt'], row['chrf']] for row in rows]))\n"
    )
    there = subprocess.run([sys.executable, "-c", f"import {MODULES[name]}"], check=False,
                           capture_output=True)  # fmt: skip
    if there.returncode != 0:
        pytest.skip(f"{library} is not installed")
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run([sys.executable, str(program)], check=False, capture_output=True,
                          text=True, env=environment, cwd=tmp_path, timeout=300)  # fmt: skip
    if "JAVA" in done.stderr and "not found" in done.stderr:
        pytest.skip("Java is not installed")
    assert done.returncode == 0, done.stderr[-2000:]
    import json

    found = dict(json.loads(done.stdout.splitlines()[-1]))
    assert found == dict(zip(MT, EXPECTED, strict=True))


@pytest.mark.filterwarnings("ignore")
def test_in_datasets():
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    dataset = datasets.Dataset(TABLE)
    scored = eval(line_of("datasets"), {"dataset": dataset, "score_table": score_table})
    assert scored.with_format(None)["chrf"][:] == EXPECTED


def test_in_polars():
    polars = pytest.importorskip("polars", reason="polars is not installed")
    names = {"polars": polars, "frame": polars.from_arrow(TABLE), "score_table": score_table}
    assert eval(line_of("polars"), names)["chrf"].to_list() == EXPECTED

"""Many tables scored partition by partition: the same bytes on any engine, whole or not at all."""

import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bad_input import run

from concordant.metrics.find import load

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow.parquet as pq  # noqa: E402

WORDS = "the cat sat on a mat while dogs bark at night over there".split()
ROWS = 60
needs = {
    "ray": pytest.mark.skipif(
        subprocess.run([sys.executable, "-c", "import ray"], check=False,
                       capture_output=True).returncode != 0, reason="Ray is not installed"),
    "spark": pytest.mark.skipif(
        shutil.which("java") is None or subprocess.run(
            [sys.executable, "-c", "import pyspark"], check=False, capture_output=True
        ).returncode != 0, reason="Spark or Java is not installed"),
}  # fmt: skip


def texts(seed, rows=ROWS):
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randint(2, 9))) for _ in range(rows)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Three kinds of tables in one folder, one of them packed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for i in range(2):
        table = pa.table({"mt": texts(i), "ref": texts(i + 10), "n": range(ROWS)})
        pq.write_table(table, tmp_path / f"in/{i}.parquet")
    rows = zip(texts(2), texts(12), strict=True)
    lines = "".join(json.dumps({"mt": mt, "ref": ref}) + "\n" for mt, ref in rows)
    with gzip.open(tmp_path / "in/2.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write(lines)
    rows = zip(texts(3), texts(13), strict=True)
    (tmp_path / "in/3.csv").write_text("mt,ref\n" + "".join(f"{a},{b}\n" for a, b in rows))
    return tmp_path


def score(*arguments):
    return run("score", "in", "-m", "chrf", "-m", "fast", "--engine", "local", *arguments)


def contents(place):
    return {each.name: each.read_bytes() for each in sorted(place.iterdir()) if each.is_file()}


def test_every_table_gets_its_scores_and_the_whole_its_own(folder):
    answer = score("-o", "out", "--workers", "1", "--format", "json")
    assert answer.code == 0, answer.err
    assert sorted(contents(folder / "out")) == ["0.parquet", "1.parquet", "2.jsonl", "3.csv"]
    translations = [text for i in range(4) for text in texts(i)]
    references = [text for i in range(4) for text in texts(i + 10)]
    found = json.loads(answer.out)
    (record,) = found["records"]
    assert record["rows"] == found["rows"] == 4 * ROWS
    for name in ("chrf", "fast"):
        whole = load(name).score(translations, references)
        assert record[name] == pytest.approx(whole.system, rel=1e-12)
        scored = pq.read_table(folder / "out/1.parquet")[name].to_pylist()
        assert scored == whole.segments[ROWS : 2 * ROWS].tolist()
        lines = (folder / "out/2.jsonl").read_text().splitlines()
        assert [json.loads(line)[name] for line in lines] == whole.segments[120:180].tolist()
    assert record["chrf"] == load("chrf").score(translations, references).system


def test_the_same_bytes_with_any_workers_batches_and_partitions(folder):
    one = score("-o", "one", "--workers", "1", "-q")
    two = score("-o", "two", "--workers", "2", "--batch", "7", "-q")
    assert contents(folder / "one") == contents(folder / "two")
    assert one.out == two.out
    rows = [row for i in range(2) for row in pq.read_table(f"in/{i}.parquet").to_pylist()]
    shutil.rmtree(folder / "in")
    (folder / "in").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), folder / "in/whole.parquet")
    joined = pa.concat_tables([pq.read_table(folder / f"one/{i}.parquet") for i in range(2)])
    assert score("-o", "whole", "--workers", "1", "-q").code == 0
    assert pq.read_table(folder / "whole/whole.parquet").equals(joined)


def test_a_second_run_goes_on_with_what_is_missing(folder):
    first = score("-o", "out", "--workers", "1", "-q")
    before = contents(folder / "out")
    (folder / "out/1.parquet").unlink()
    (folder / "out/_concordant/2.jsonl.json").unlink()
    (folder / "out/3.csv").write_text("cut off")
    again = score("-o", "out", "--workers", "1")
    assert "1 of 4 tables were complete in out already" in again.err
    assert contents(folder / "out") == before
    assert again.out == first.out
    other = run("score", "in", "-m", "bleu", "--engine", "local", "-o", "out")
    assert "was scored with other metrics, columns or conditions" in other.err


def test_conditions_filter_and_count(folder):
    answer = score("-o", "out", "--workers", "1", "--where", "chrf > 20", "--format", "json")
    found = json.loads(answer.out)
    kept = [value for name in ("0", "1") for value in
            pq.read_table(folder / f"out/{name}.parquet")["chrf"].to_pylist()]  # fmt: skip
    assert kept
    assert min(kept) > 20
    assert found["written"] + found["failed"]["chrf > 20"] == found["rows"] == 4 * ROWS
    assert "rows that fail each condition" in answer.err
    assert found["records"][0]["rows"] == 4 * ROWS


def test_bad_partitions_are_named_and_the_others_are_kept(folder):
    whole = (folder / "in/1.parquet").read_bytes()
    (folder / "in/1.parquet").write_bytes(whole[:-20])
    (folder / "in/3.csv").write_text("mt,reference\na,b\n")
    answer = score("-o", "out", "--workers", "1")
    assert answer.code == 1
    assert "in/1.parquet: is no readable parquet" in answer.err
    assert not (folder / "out").exists()
    (folder / "in/1.parquet").write_bytes(whole)
    answer = score("-o", "out", "--workers", "1")
    assert 'in/3.csv: has no column "ref"; it has mt, reference' in answer.err
    assert not (folder / "out").exists()
    (folder / "in/3.csv").write_text("mt,ref\na,b\nc,\n")
    answer = score("-o", "out", "--workers", "2")
    assert answer.code == 1
    assert 'in/3.csv:3: has no reference in the column "ref"' in answer.err
    assert "1 of 4 tables could not be scored, the others are complete in out" in answer.err
    assert sorted(contents(folder / "out")) == ["0.parquet", "1.parquet", "2.jsonl"]


def test_damage_inside_a_parquet(folder):
    path = folder / "in/0.parquet"
    data = bytearray(path.read_bytes())
    data[20:60] = bytes(40)
    path.write_bytes(data)
    answer = score("-o", "out", "--workers", "1")
    assert answer.code == 1
    assert "in/0.parquet: is damaged after row 0" in answer.err
    assert "0.parquet" not in contents(folder / "out")


@pytest.mark.usefixtures("folder")
def test_requests_that_cannot_be_met(folder):
    (folder / "empty").mkdir()
    asked = {
        ("score", "in", "--engine", "local"): "name it with -o",
        ("score", "empty", "--engine", "local", "-o", "x"): "empty holds no tables",
        (
            "score",
            "in/3.csv",
            "in",
            "--engine",
            "local",
            "-o",
            "x",
        ): "would both be written as 3.cs",
        ("score", "in", "--engine", "local", "-o", "in"): "is the same file as in/0.parquet",
        (
            "score",
            "in",
            "--engine",
            "local",
            "-o",
            "x",
            "-m",
            "nist",
        ): "cannot score them part by pa",
        ("score", "in/3.csv", "--where", "chrf > 3"): "--where belongs to --engine",
        ("score", "in/3.csv", "--workers", "3"): "belong to --engine; name one",
        ("score", "in", "--engine", "local", "--engine-address", "x", "-o", "x"): "has no address",
    }
    for arguments, words in asked.items():
        answer = run(*arguments)
        assert answer.code != 0
        assert words in answer.err


def start(*arguments, place):
    command = [sys.executable, "-m", "concordant.cli.main", "score", "in", "-m", "fast"]
    return subprocess.Popen([*command, *arguments], cwd=place, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)  # fmt: skip


def workers_of(pid, words):
    """The processes below one whose command lines have these words."""
    parents, found = {}, []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            stat, line = ((each / name).read_text("utf-8") for name in ("stat", "cmdline"))
        except OSError:
            continue
        parents[int(each.name)] = int(stat.rpartition(")")[2].split()[1])
        found += [int(each.name)] if words in line.replace("\0", " ") else []

    def below(each):
        while each in parents and each != pid:
            each = parents[each]
        return each == pid

    return [each for each in found if below(each)]


KILLED = {"local": "spawn_main", "ray": "ray::attempt", "spark": "pyspark"}
SLOW_ROWS = 6000


@pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc")
@pytest.mark.parametrize(
    "engine",
    ["local", pytest.param("ray", marks=needs["ray"]), pytest.param("spark", marks=needs["spark"])],
)
@pytest.mark.xdist_group("engines")
def test_a_killed_worker_changes_nothing(folder, engine):
    """Also: an engine gives the bytes of this process."""
    for i in range(4):
        table = pa.table({"mt": texts(i, SLOW_ROWS), "ref": texts(i + 10, SLOW_ROWS)})
        pq.write_table(table, folder / f"in/{i}.parquet")
    for name in ("2.jsonl.gz", "3.csv"):
        (folder / "in" / name).unlink()
    alone = run("score", "in", "-m", "fast", "--engine", "local", "--workers", "1", "-o", "alone")
    assert alone.code == 0
    process = start("--engine", engine, "--workers", "2", "-o", "out", place=folder)
    killed = False
    while process.poll() is None and not killed:
        for worker in workers_of(process.pid, KILLED[engine])[-1:]:
            if list((folder / "out").glob(".*.part")):
                os.kill(worker, signal.SIGKILL)
                killed = True
        time.sleep(0.02)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert killed
    assert out == alone.out
    assert contents(folder / "out") == contents(folder / "alone")


def test_a_metrics_folder_and_the_language_of_the_tables(folder):
    from small_metrics import lexical_metric

    from concordant.metrics.bundle import save

    save(lexical_metric(features="chrf length"), folder / "mine")
    shutil.rmtree(folder / "in")
    (folder / "in").mkdir()
    (folder / "in/a.csv").write_text("mt,ref,lp\ndas Haus,das Haus,en-de\n,ein Hund,en-de\n")
    given = ("score", "in", "--engine", "local", "--format", "json")
    answer = run(*given, "-m", "mine", "-o", "out")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["signatures"][0].startswith("nrefs:1|metric:small|")
    german = json.loads(run(*given, "-o", "german").out)
    assert german["signatures"][0].startswith("nrefs:1|metric:fast-any|")
    english = json.loads(run(*given, "-m", "fast", "-o", "english").out)
    assert any(words.startswith("fast") for words in english["warnings"])
    assert german["warnings"][0].startswith("fast-any scores here")

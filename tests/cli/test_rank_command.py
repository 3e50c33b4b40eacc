"""`concordant rank` as a person types it."""

import json

import pytest
from bad_input import run
from small_metrics import lexical_metric, vector_metric
from small_preferences import write_systems

from concordant.metrics.bundle import save


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_systems(tmp_path, segments=12)
    metric = lexical_metric(features="chrf length")
    metric.params["output_weights"][:] = [3, 0, 0, -3, 0, 0]  # the higher chrF, the better
    save(metric, tmp_path / "metric")
    return tmp_path


def rank(*arguments):
    return run("rank", "-m", "metric", *arguments)


@pytest.mark.usefixtures("files")
def test_systems_from_best_to_worst():
    answer = rank("poor.txt", "good.txt", "fair.txt", "-r", "ref.txt")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "3 systems on 12 segments"
    shown = [line.split()[:3] for line in lines if "–" in line and "." in line][:3]
    assert shown == [["good", "1", "1–1"], ["fair", "2", "2–2"], ["poor", "3", "3–3"]]
    assert lines[-1].startswith("nrefs:1|metric:small|model:pairwise|sha256:")


@pytest.mark.usefixtures("files")
def test_single_outputs_of_each_segment():
    answer = rank(
        "poor.txt", "good.txt", "-r", "ref.txt", "--level", "segment", "--format", "jsonl"
    )
    records = [json.loads(line) for line in answer.out.splitlines()]
    assert len(records) == 24
    assert [record["segment"] for record in records[:4]] == [1, 1, 2, 2]
    for record in records:
        assert record["rank"] == (1 if record["system"] == "good" else 2)
        assert (record["preferred"] > 0.5) == (record["rank"] == 1)
        assert 0 < record["score"] < 1


@pytest.mark.usefixtures("files")
def test_every_form_has_every_number():
    given = ["good.txt", "fair.txt", "-r", "ref.txt"]
    whole = json.loads(rank(*given, "--format", "json").out)
    assert whole["segments"] == 12
    assert set(whole["records"][0]) == {
        "system", "chance", "low", "high", "strength", "score", "best_rank", "worst_rank",
        "cluster",
    }  # fmt: skip
    header, *rows = rank(*given, "--format", "tsv").out.splitlines()
    assert header.split("\t") == list(whole["records"][0])
    assert float(rows[0].split("\t")[1]) == whole["records"][0]["chance"]


@pytest.mark.usefixtures("files")
def test_several_references_and_the_seed():
    one = rank("good.txt", "fair.txt", "-r", "ref.txt", "-r", "fair.txt", "--format", "json")
    assert one.code == 0
    seeds = [
        rank("good.txt", "fair.txt", "-r", "ref.txt", "--seed", str(s), "--format", "json").out
        for s in (0, 0, 1)
    ]
    assert seeds[0] == seeds[1] != seeds[2]


def test_identical_systems_share_a_cluster(files):
    (files / "copy.txt").write_text((files / "good.txt").read_text())
    records = json.loads(rank("good.txt", "copy.txt", "-r", "ref.txt", "--format", "json").out)
    assert {(r["cluster"], r["chance"], r["strength"]) for r in records["records"]} == {(1, 0.5, 0)}


def test_what_a_metric_needs_is_told(files, monkeypatch):
    complaint = rank("good.txt", "fair.txt").complaint
    assert complaint == "this metric needs references; give them with -r"
    monkeypatch.setenv("CONCORDANT_CACHE", str(files / "cache"))
    save(vector_metric("small-static", anchors=("source",), features=""), files / "quality")
    answer = run("rank", "-m", "quality", "good.txt", "fair.txt")
    assert answer.complaint == "this metric needs the source; give it with -s"
    answer = run("rank", "-m", "quality", "good.txt", "fair.txt", "-s", "ref.txt")
    assert answer.code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good.txt"], "1 system cannot be ranked; give at least two"),
        (["good.txt", "absent.txt"], "absent.txt: there is no such file; check the path"),
        (["good.txt", "short.txt"], "has 12 lines; all files must have the same number"),
        (["empty.txt", "empty.txt/../empty.txt"], "empty.txt"),
    ],
)
def test_files_that_do_not_fit(files, arguments, message):
    (files / "short.txt").write_text("one\n")
    (files / "empty.txt").write_text("")
    answer = rank(*arguments, "-r", "ref.txt")
    assert answer.code == 1
    assert message in answer.complaint


def test_metrics_that_are_none(files):
    for name, message in {
        "absent": 'metric "absent" is not one of base',
        "good.txt": 'metric "good.txt" is not one of base',
    }.items():
        answer = run("rank", "-m", name, "good.txt", "fair.txt", "-r", "ref.txt")
        assert answer.code == 1
        assert answer.complaint.startswith(message)
    weights = files / "metric" / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    assert "is damaged or changed" in rank("good.txt", "fair.txt", "-r", "ref.txt").complaint


@pytest.mark.usefixtures("files")
def test_the_same_file_twice():
    answer = rank("good.txt", "good.txt", "-r", "ref.txt")
    assert answer.code == 2
    assert "the same translation file is given twice" in answer.err

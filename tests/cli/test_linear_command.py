"""A linear metric as a user has it: trained on rankings, looked into, its scores explained."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from bad_input import run
from small_preferences import rows, write_rows

from concordant.metrics.bundle import load
from concordant.toml_text import read_toml

EXAMPLE = "examples/de-en"
FAST = ["--set", "optimiser.epochs=5", "--set", "optimiser.rate=0.01"]
RANKINGS = ["train", "--recipe", "joint", "--judgements", EXAMPLE, "--set", "data.kind=rankings"]
FILES = ["-r", f"{EXAMPLE}/reference-1.txt", "-t", f"{EXAMPLE}/systems/alder.txt"]
FILES += ["-t", f"{EXAMPLE}/systems/dogwood.txt"]


@pytest.fixture(scope="module")
def metric(tmp_path_factory):
    folder = tmp_path_factory.mktemp("linear") / "metric"
    answer = run(*RANKINGS, *FAST, "-o", folder)
    assert answer.code == 0, answer
    return folder


def refused(*arguments):
    answer = run(*arguments)
    assert answer.code == 1, answer
    assert answer.out == ""
    return answer.complaint


def test_training_says_what_it_learns_from(tmp_path):
    answer = run(*RANKINGS, *FAST, "-o", tmp_path / "metric")
    assert answer.code == 0
    assert "note: judged systems: training 6 pairs of 4 systems" in answer.err
    assert "note: model: linear, no hidden layer; objective: joint; seed 1" in answer.err
    assert "note: epoch 1, joint: cost" in answer.err
    assert "validation score -" in answer.err
    assert "joint: agreement on test segments" in answer.out


def test_the_bundle_is_small_and_readable(metric):
    sizes = {path.name: path.stat().st_size for path in metric.iterdir()}
    assert sum(sizes.values()) < 10_000
    about = read_toml(metric / "metric.toml")
    assert about["model"] == {"kind": "linear", "hidden": 0}
    assert about["training"]["alpha"] == 0.5


def test_no_torch_at_inference(metric):
    code = (
        "import sys, concordant; m = concordant.load(sys.argv[1]); "
        "print(m.score(['a small house'], [['the small house']]).segments[0]); "
        "assert 'torch' not in sys.modules"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, str(metric)],
        capture_output=True, text=True, check=False, env=os.environ,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert 0 < float(found.stdout) < 1


def test_scores_are_absolute_and_a_system_is_their_mean(metric):
    found = load(metric).score(["a b c", "x"], [["a b c"], ["a b c"]])
    assert np.all((found.segments > 0) & (found.segments < 1))
    assert found.segments[0] > found.segments[1]
    assert found.system == pytest.approx(found.segments.mean())
    assert "model:linear" in found.signature
    chance = load(metric).prefer(["a b c"], ["x"], [["a b c"]])
    assert chance[0] > 0.5


def test_weights_are_shown_by_what_they_move(metric):
    answer = run("metrics", "show", metric, "--format", "json")
    found = json.loads(answer.out)
    effects = [abs(record["effect"]) for record in found["records"]]
    assert len(effects) == 57
    assert effects == sorted(effects, reverse=True)
    assert found["signature"].startswith("metric:joint|model:linear|")
    assert found["card"] == load(metric).card
    table = run("metrics", "show", metric).out
    assert table.rstrip().endswith(load(metric).card.rstrip())
    assert "features weighed and added up" in table
    assert "trained on language pairs: de-en" in table


def test_measures_and_other_metrics_can_be_shown(tmp_path):
    assert "BLEU (Papineni et al. 2002)" in run("metrics", "show", "bleu(tok=intl)").out
    path = write_rows(tmp_path / "mine.csv", rows(40))
    few = ["--set", "optimiser.epochs=1", "--set", "model.hidden=4"]
    pairwise = tmp_path / "pairwise"
    run("train", "--recipe", "lexical", "--judgements", path, *few, "-o", pairwise)
    shown = run("metrics", "show", pairwise)
    assert "no weights of single features" in shown.out
    assert "whose scores cannot be explained" in refused(
        "score", *FILES, "-m", pairwise, "--explain"
    )
    assert 'metric "nothing" is not one of' in refused("metrics", "show", "nothing")
    assert "statistic" in run("metrics").out


def test_a_score_is_explained_line_by_line(metric):
    answer = run(
        "score", *FILES, "-m", metric, "--explain", "--level", "segment", "--format", "jsonl"
    )
    records = [json.loads(line) for line in answer.out.splitlines()]
    assert len(records) == 120
    plain = run("score", *FILES, "-m", metric, "--level", "segment", "--format", "jsonl").out
    loaded = load(metric)
    params = loaded.params
    average = float(params["weights"] @ params["mean"] + params["bias"][0])
    for record, line in zip(records, plain.splitlines(), strict=True):
        assert record["joint"] == json.loads(line)["joint"]
        odds = average + sum(record["moved_by"].values())
        assert record["joint"] == pytest.approx(1 / (1 + np.exp(-odds)))
    table = run("score", *FILES, "-m", metric, "--explain", "--level", "segment").out.splitlines()
    assert table[0] == "system\tsegment\tjoint\traw total\tconstant\tmoved by"
    assert table[1].split("\t")[5].count(", ") == 5


def test_systems_are_explained_side_by_side(metric):
    answer = run("score", *FILES, "-m", metric, "--explain", "--format", "json")
    alder, dogwood = json.loads(answer.out)["records"]
    assert alder["score"] > dogwood["score"]
    parts = [name for name in alder if name not in {"system", "score"}]
    assert sum(alder[part] - dogwood[part] for part in parts) > 0
    plain = json.loads(run("score", *FILES, "-m", metric, "--format", "json").out)
    assert alder["score"] == pytest.approx(plain["records"][0]["joint"])
    assert "ngrams(chars,3)" in run("score", *FILES, "-m", metric, "--explain").out


def test_what_cannot_be_explained_is_told(metric):
    assert "only trained metrics can be explained" in refused(
        "score", *FILES, "-m", "bleu", "--explain"
    )
    answer = run("score", *FILES, "-m", metric, "-m", "bleu", "--explain")
    assert answer.code == 2
    assert "--explain needs one metric" in answer.err


@pytest.mark.parametrize("kind", ["sentence", "corpus"])
def test_each_objective_can_be_chosen(tmp_path, kind):
    answer = run(*RANKINGS, *FAST, "--set", f"objective.kind={kind}", "-o", tmp_path / "metric")
    assert answer.code == 0
    assert f"objective: {kind}; seed 1" in answer.err


@pytest.mark.parametrize(
    "changes",
    [
        ["objective.margin=agreement"],
        ["objective.ties=class"],
        ["objective.margin=agreement", "objective.ties=class"],
        ["objective.tune_alpha=true"],
        ["model.hidden=3"],
        ["data.kind=ratings", "objective.margin=ratings", "objective.systems=ratings"],
        ["inputs.features=meteor chrf length", "inputs.scaling=min-max"],
    ],
    ids=str,
)
def test_options_beyond_the_paper(tmp_path, changes):
    more = [part for change in changes for part in ("--set", change)]
    answer = run(*RANKINGS, *FAST, *more, "-o", tmp_path / "metric", "--format", "json")
    assert answer.code == 0, answer
    assert json.loads(answer.out)["records"][0]["tau"] > 0.2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            ["objective.kind=logistic"],
            'objective.kind = "logistic" is not for linear models; use sentence, corpus, joint',
        ),
        (["inputs.vectors=sentence(minilm)"], "a linear model uses features only"),
        (
            ["objective.kind=corpus", "objective.tune_alpha=true"],
            'objective.tune_alpha needs objective.kind = "joint"',
        ),
        (
            ["objective.ties=class", "data.repeats=majority"],
            'objective.ties = "class" needs data.repeats = "all"',
        ),
        (["model.kind=pairwise"], 'objective.kind = "joint" is not for pairwise models'),
        (["objective.alpha=2"], "objective.alpha = 2.0 must be from 0 to 1"),
        (["objective.margin=wide"], 'objective.margin = "wide" is not one of one, agreement'),
        (["objective.margin=ratings"], 'objective.margin = "ratings" needs ratings'),
        (["objective.systems=ratings"], 'objective.systems = "ratings" needs ratings'),
    ],
    ids=lambda each: each if isinstance(each, str) else str(each),
)
def test_what_a_recipe_cannot_ask_for(tmp_path, changes, message):
    more = [part for change in changes for part in ("--set", change)]
    assert message in refused(*RANKINGS, *FAST, *more, "-o", tmp_path / "metric")


def test_judgements_without_systems_are_told(tmp_path):
    path = write_rows(tmp_path / "mine.csv", rows(40))
    command = ["train", "--recipe", "joint", "--judgements", path, *FAST, "-o", tmp_path / "metric"]
    assert "the training side has no two systems with different human scores" in refused(*command)
    answer = run(*command, "--set", "objective.kind=sentence")
    assert answer.code == 0, answer

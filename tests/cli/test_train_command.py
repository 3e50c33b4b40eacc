"""`concordant train` and what follows, as a new user does it: a csv, a metric, a ranking."""

import csv
import json
import os
import subprocess
import sys
import time

import pytest
from bad_input import run
from small_preferences import rows, write_rows, write_systems

from concordant.metrics.bundle import load
from concordant.toml_text import read_toml

RECIPE = """
name = "mine"

[data]
judgements = ["preferences.csv"]

[inputs]
features = "bleu chrf ter ngrams(words,1-2) length"

[optimiser]
rate = 0.1
epochs = 8

[test]
share = 0.2
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Three hundred preferences of a hundred segments, and a recipe beside them."""
    write_rows(tmp_path / "preferences.csv", rows(100))
    (tmp_path / "recipe.toml").write_text(RECIPE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*arguments):
    """The one message of a command that fails."""
    answer = run(*arguments)
    assert answer.code == 1, answer
    assert answer.out == ""
    return answer.complaint


def test_from_preferences_to_a_ranking_in_a_minute(folder):
    started = time.perf_counter()
    environment = {**os.environ, "no_proxy": "*", "http_proxy": "http://127.0.0.1:9"}

    def command(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "concordant.cli.main", *map(str, arguments)],
            capture_output=True, text=True, encoding="utf-8", check=False, env=environment,
        )  # fmt: skip

    trained = command("train", "recipe.toml", "-o", "metric")
    assert trained.returncode == 0, trained.stderr
    assert "mine: agreement on test segments" in trained.stdout
    assert "decisions between two translations" in trained.stdout
    assert "note: judged pairs: training 210 pairs of 70 segments" in trained.stderr
    assert "note: epoch 1, logistic: cost" in trained.stderr
    systems = write_systems(folder / "new")
    ranked = command(
        "rank", systems["fair"], systems["poor"], systems["good"],
        "-r", systems["ref"], "-m", "metric", "--format", "json",
    )  # fmt: skip
    assert ranked.returncode == 0, ranked.stderr
    found = json.loads(ranked.stdout)
    order = [record["system"] for record in found["records"]]
    assert order == ["good", "fair", "poor"]
    assert [record["cluster"] for record in found["records"]] == [1, 2, 3]
    assert found["metric"] == "mine"
    assert time.perf_counter() - started < 60


def test_the_same_command_gives_the_same_metric(folder):
    for name in ("one", "two"):
        assert run("train", "recipe.toml", "-o", name, "-q").code == 0
    for file in ("metric.toml", "weights.safetensors", "card.md"):
        assert (folder / "one" / file).read_bytes() == (folder / "two" / file).read_bytes()
    assert run("train", "recipe.toml", "-o", "two", "-q", "--seed", "0").code == 0
    assert load("one").digest != load("two").digest


def test_a_shipped_recipe_with_other_inputs(folder):
    answer = run(
        "train", "--recipe", "guzman2015", "--judgements", "preferences.csv", "-o", "metric",
        "--set", "inputs.features=chrf length", "--set", "inputs.vectors=", "--set", "name=small",
        "--set", "optimiser.epochs=2", "--format", "json",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    assert found["metric"] == "small"
    assert [record["what"] for record in found["records"]] == [
        "decisions between two translations",
        "scores of single translations",
    ]
    record = found["records"][0]
    assert record["low"] <= record["tau"] <= record["high"]
    assert found["signature"] == load("metric").signature()
    kept = read_toml(folder / "metric" / "metric.toml")["training"]
    assert str(folder) not in json.dumps(kept)


@pytest.mark.usefixtures("folder")
def test_a_learning_curve():
    answer = run("train", "recipe.toml", "-o", "metric", "--learning-curve", "--set",
                 "optimiser.epochs=2", "--format", "json")  # fmt: skip
    assert answer.code == 0, answer.err
    records = json.loads(answer.out)["records"]
    assert [record["share"] for record in records] == [0.1, 0.2, 0.5, 1.0, 1.0, 1.0]
    trained_on = [record["trained_on"] for record in records]
    assert trained_on == sorted(trained_on)
    assert trained_on[-1] == 210
    assert "note: learning curve, 10% of the segments" in answer.err
    shown = run("train", "recipe.toml", "-o", "metric", "--learning-curve", "--set",
                "optimiser.epochs=2", "-q")  # fmt: skip
    assert "Learning curve: agreement on held-out segments" in shown.out
    assert shown.err == ""


def test_the_metric_is_evaluated_like_any_other(folder):
    assert run("train", "recipe.toml", "-o", "metric", "-q").code == 0
    write_rows(folder / "other.csv", rows(40, seed=5))
    answer = run("evaluate", "-m", "metric", "-m", "bleu", "-j", "other.csv", "--statistic",
                 "tau-wmt12", "--format", "json", "-q")  # fmt: skip
    assert answer.code == 0, answer.err
    values = {each["metric"]: each for each in json.loads(answer.out)["records"]}
    assert set(values) >= {"mine", "bleu"}
    assert "mine" in answer.out
    assert load("metric").signature() in answer.out


@pytest.mark.usefixtures("folder")
def test_an_interrupted_training_goes_on(monkeypatch):
    from concordant.report import training as report

    def stop(progress):
        if progress.epoch == 3:
            raise KeyboardInterrupt
        return "epoch"

    with monkeypatch.context() as patched:
        patched.setattr(report, "epoch_line", stop)
        answer = run("train", "recipe.toml", "-o", "metric")
    assert (answer.code, answer.err.splitlines()[-1]) == (130, "concordant: interrupted")
    again = run("train", "recipe.toml", "-o", "metric")
    assert again.code == 0
    assert "note: epoch 4, logistic" in again.err
    assert "note: epoch 3, logistic" not in again.err


@pytest.mark.usefixtures("folder")
def test_a_recipe_is_named_one_way_or_the_other():
    for arguments in ([], ["recipe.toml", "--recipe", "guzman2015"]):
        answer = run("train", *arguments, "-o", "metric")
        assert answer.code == 2
        assert "give either a recipe file or --recipe NAME" in answer.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("epochs = 8", "epoch = 8", 'recipe.toml: there is no key "optimiser.epoch"; did you mean'),
        ("epochs = 8", 'epochs = "8"', "recipe.toml: optimiser.epochs = '8' must be a whole numb"),
        ("bleu chrf", "blue chrf", 'did you mean "bleu"?'),
        ("[optimiser]", "[optimiser", "recipe.toml: is not TOML"),
        ("preferences.csv", "absent.csv", "absent.csv: there is no such file or folder; check"),
        ('judgements = ["preferences.csv"]', "", "the recipe names no judgements; set data.judgem"),
        ("share = 0.2", "share = 0.95", "validation.share and test.share leave nothing to train"),
        ("rate = 0.1", "rate = 1e300", "optimiser.rate = 1e+300 must be from 0 to 1,000,000"),
    ],
)
def test_a_bad_recipe(folder, old, new, message):
    (folder / "recipe.toml").write_text(RECIPE.replace(old, new))
    assert message in refused("train", "recipe.toml", "-o", "metric")
    assert not (folder / "metric").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: {**row, "tie": "yes"}, "all 90 judgements are ties; there is nothing to"),
        (lambda row: {**row, "reference": ""}, "segment 1 of the unnamed test set has no ref"),
        (lambda row: {**row, "worse": row["better"]}, "the same text in every row"),
    ],
)
def test_judgements_that_teach_nothing(folder, change, message):
    write_rows(folder / "preferences.csv", [change(row) for row in rows(30)])
    assert message in refused("train", "recipe.toml", "-o", "metric")
    assert not (folder / "metric").exists()


def test_missing_references_are_told_with_their_lines(folder):
    given = rows(30)
    for row in given[30:33]:
        row["reference"] = ""
    write_rows(folder / "preferences.csv", given)
    message = refused("train", "recipe.toml", "-o", "metric")
    assert message == "preferences.csv:32: segment 11 of the unnamed test set has no reference"
    given = run("train", "--recipe", "lexical", "--judgements", "preferences.csv", "-o", "metric")
    assert given.complaint == message


def test_judgements_that_all_contradict_each_other(folder):
    given = rows(30)
    turned = [{**row, "better": row["worse"], "worse": row["better"]} for row in given]
    write_rows(folder / "preferences.csv", given + turned)
    message = refused("train", "recipe.toml", "-o", "metric")
    assert message.startswith("all 180 judgements contradict each other")
    write_rows(folder / "preferences.csv", given + turned[:-3])
    answer = run("train", "recipe.toml", "-o", "metric")
    assert "note: 174 of 177 judgements are contradicted by another one" in answer.err


def test_names_of_systems_without_their_texts(folder):
    with (folder / "preferences.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([["segment", "better", "worse"], [1, "A", "B"]])
    message = refused("train", "recipe.toml", "-o", "metric")
    assert message.startswith("preferences.csv:2: there are no texts for the unnamed test set")


def test_too_few_judgements(folder):
    write_rows(folder / "preferences.csv", rows(2))
    assert "2 segments are too few for 3 sides" in refused("train", "recipe.toml", "-o", "metric")
    write_rows(folder / "preferences.csv", rows(4))
    message = refused("train", "recipe.toml", "-o", "metric")
    assert message.startswith("there are no judged pairs for validation: 12 pairs of 4 segments")


def test_a_place_that_is_taken(folder):
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.txt").write_text("x")
    message = refused("train", "recipe.toml", "-o", "mine")
    assert message.endswith("mine exists and is not a metric; name a new folder")
    (folder / "here").mkdir()
    os.chdir(folder / "here")
    assert run("train", "../recipe.toml", "-o", ".", "-q").code == 0
    assert load(folder / "here").name == "mine"


def test_pairs_are_learned_from_without_torch(folder):
    program = (
        "import sys; sys.modules['torch'] = None; from concordant.cli.main import main; "
        "sys.argv = ['concordant', 'train', 'recipe.toml', '-o', 'metric']; main()"
    )
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=folder)
    assert load(folder / "metric").name == "mine"

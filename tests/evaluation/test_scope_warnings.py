"""Metrics that meet language pairs they are not made for, in evaluate and rank."""

from bad_input import run, write

import concordant
from concordant.records import Collection, Rating, TestSet
from concordant.report.evaluation import evaluation_table


def judged(*pairs):
    texts = {i: f"text number {i}" for i in range(1, 6)}
    translations = {"a": texts, "b": {i: f"text {i}" for i in texts}}
    return Collection(
        tuple(
            TestSet("set", pair, references={"r": texts}, translations=translations)
            for pair in pairs
        ),
        ratings=tuple(
            Rating("set", pair, system, i, i + len(system) * 0.5 + (system == "a") * i % 3)
            for pair in pairs
            for system in "ab"
            for i in texts
        ),
    )


def test_an_evaluation_warns_of_the_pairs_that_a_metric_is_not_made_for():
    result = concordant.evaluate(["fast", "chrf"], judged("de-en", "en-ru"))
    (words,) = result.warnings
    assert words.startswith("set en-ru: fast is made for English, but the judgements are of en-ru")
    assert [bool(row.warnings) for row in result.rows] == [True, False]
    table = evaluation_table(result)
    assert table.warnings == result.warnings
    assert [row[0] for row in table.cells] == ["fast !", "chrf"]
    assert concordant.evaluate("fast", judged("de-en")).warnings == ()


def test_rank_warns_too(tmp_path):
    ref = write(tmp_path / "ref", "Он не был в доме, что на горе.\nЭто было не так.\n")
    one, two = (write(tmp_path / name, f"Он {name}.\nЭто {name}.\n") for name in ("one", "two"))
    answer = run("rank", one, two, "-r", ref, "-m", "fast", "-q")
    assert "! warning: fast is made for English, but the references look Russian" in answer.out

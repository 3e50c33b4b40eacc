"""`score --baseline`: the same tests as `compare`, and what people said of such changes."""

import json
from pathlib import Path

import pytest
from bad_input import run

EXAMPLE = Path(__file__).parents[2] / "examples" / "de-en"
REFERENCE = str(EXAMPLE / "reference-1.txt")
FILES = [str(EXAMPLE / "systems" / f"{name}.txt") for name in ("alder", "birch", "cedar")]
METRICS = ("-m", "chrf", "-m", "ter")


def scored(*arguments):
    return run("score", "-r", REFERENCE, *FILES, *METRICS, *arguments)


def test_the_tests_are_those_of_compare():
    found = json.loads(scored("--baseline", "birch", "--format", "json").out)["baseline"]
    compared = json.loads(
        run("compare", "-r", REFERENCE, *FILES, *METRICS, "--baseline", "birch",
            "--format", "json").out
    )["baseline"]  # fmt: skip
    assert len(found) == len(compared) == 4
    wanted = {(each["metric"], each["system"]): each for each in compared}
    for each in found:
        other = wanted[each["metric"], each["system"]]
        for key in ("change", "p_bootstrap_holm", "p_randomisation_holm", "people_agree"):
            assert each[key] == pytest.approx(other[key])
        assert "tests:against-baseline" in each["signature"]


def test_every_change_has_its_sentence():
    out = scored("--baseline", FILES[1], "-l", "en").out
    assert "chrf +6.36 (alder over birch): statistically significant (p = 0.037); in past" in out
    assert "ter +17.36 (birch over cedar)" not in out  # a sentence names the better system's change
    assert "ter -17.36 (birch over cedar): statistically significant" in out


def test_tsv_and_jsonl_have_both_tables():
    lines = scored("--baseline", "birch", "--format", "jsonl").out.splitlines()
    rows = [json.loads(line) for line in lines]
    assert [each.get("table") for each in rows] == [None] * 3 + ["baseline"] * 4
    first, second = scored("--baseline", "birch", "--format", "tsv").out.split("\n\n")
    assert first.startswith("system\tchrf\t")
    assert second.startswith("table\tmetric\tsystem\tbaseline\tchange\t")


def test_intervals_stay_hidden_where_they_are_not_wanted():
    assert "interval" not in scored("--baseline", "birch", "--no-interval").out
    without = [line for line in scored().out.split("\n") if line.startswith(" alder")]
    assert (
        without
        == [
            line
            for line in scored("--baseline", "birch").out.split("\n")
            if line.startswith(" alder")
        ][:1]
    )


def test_a_metric_that_does_not_suit_the_texts_is_not_tested():
    found = run("score", "-r", REFERENCE, *FILES, "-m", "fast", "-m", "chrf", "-l", "de",
                "--baseline", "birch", "--format", "json")  # fmt: skip
    assert {each["metric"] for each in json.loads(found.out)["baseline"]} == {"chrf"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--baseline", "brich"], 'baseline "brich" is not one of alder, birch, cedar; did you'),
        (["--baseline", "birch", "-b"], "--baseline tests scores of whole text files"),
        (["--baseline", "birch", "--level", "segment"], "--baseline tests scores of whole text"),
    ],
)
def test_wrong_baselines_are_told(arguments, words):
    found = run("score", "-r", REFERENCE, *FILES, "-m", "chrf", *arguments)
    assert found.code
    assert words in found.err


def test_one_system_has_no_baseline():
    found = run("score", "-r", REFERENCE, FILES[0], "-m", "chrf", "--baseline", "alder")
    assert "--baseline needs at least two files of translations" in found.err

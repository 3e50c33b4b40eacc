"""`concordant plan`: from past campaigns, from files, and what it refuses."""

import json
from pathlib import Path

import pytest
from bad_input import run

from concordant.stats.contest import detectable
from concordant.stats.power import needed

EXAMPLE = Path(__file__).parents[2] / "examples" / "de-en"
REFERENCE = str(EXAMPLE / "reference-1.txt")
FILES = [str(EXAMPLE / "systems" / f"{name}.txt") for name in ("alder", "birch", "cedar")]


def planned(*arguments):
    answer = run("plan", *arguments, "--format", "json")
    assert answer.code == 0, answer
    return json.loads(answer.out)["records"]


def test_smaller_differences_need_more():
    small, large = (planned("-m", "chrf", "-d", d)[0] for d in ("0.5", "2"))
    assert small["segments"] == pytest.approx(16 * large["segments"], rel=0.01)
    assert small["judgements"] > large["judgements"]
    assert small["people_agree"] < large["people_agree"]
    assert (
        planned("-m", "chrf", "-d", "1", "--power", "0.95")[0]["segments"]
        > (planned("-m", "chrf", "-d", "1")[0]["segments"])
    )


def test_files_have_their_own_variance():
    rows = planned("-r", REFERENCE, *FILES, "-m", "chrf", "-m", "ter")
    compared = json.loads(
        run("compare", "-r", REFERENCE, *FILES, "-m", "chrf", "-m", "ter", "--format", "json").out
    )["pairs"]  # fmt: skip
    assert [(r["better"], r["worse"]) for r in rows] == [
        (pair["better"], pair["worse"]) for pair in compared
    ]
    for row, pair in zip(rows, compared, strict=True):
        assert row["difference"] == pytest.approx(pair["difference"])
        spread = pair["detectable"] / detectable(1.0) * 60**0.5
        assert row["segments"] == needed(pair["difference"], spread)
        assert (row["power"] > 0.8) == (row["segments"] < 60)
    asked = planned("-r", REFERENCE, *FILES, "-m", "chrf", "-d", "3")
    assert {row["difference"] for row in asked} == {3.0}


def test_equal_systems_are_settled_by_nothing(tmp_path):
    twin = tmp_path / "twin.txt"
    twin.write_bytes(Path(FILES[0]).read_bytes())
    (row,) = planned("-r", REFERENCE, FILES[0], str(twin), "-m", "chrf")
    assert (row["segments"], row["power"], row["judgements"]) == (None, None, None)
    assert "–" in run("plan", "-r", REFERENCE, FILES[0], str(twin), "-m", "chrf").out


def test_a_metric_without_past_needs_files():
    answer = run("plan", "-m", "nist", "-d", "1")
    assert answer.code == 1
    assert "no figure from past campaigns: none into English was scored by nist; give" in answer.err
    assert planned("-r", REFERENCE, *FILES, "-m", "nist")[0]["judgements"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give --difference, or references (-r) and the translations of two systems"),
        (["-r", REFERENCE], "references alone have no variance"),
        (["-r", REFERENCE, FILES[0]], "one system has no difference"),
        (["-r", REFERENCE, FILES[0], FILES[0]], "the same translation file is given twice"),
        (["-r", REFERENCE, FILES[0], "-"], "plan cannot read standard input"),
        (["-d", "0"], "0.0 is not in the range"),
    ],
)
def test_what_cannot_be_planned_is_told(arguments, words):
    answer = run("plan", "-m", "chrf", *arguments)
    assert answer.code == 2
    assert words in answer.err


@pytest.mark.parametrize("difference", ["nan", "inf"])
def test_a_difference_is_a_finite_number(difference):
    answer = run("plan", "-m", "chrf", "-d", difference)
    assert answer.code == 1
    assert answer.err == f"concordant: difference {difference}; it must be above 0 and finite\n"

"""One system: its interval, what BLEU is made of, the bare number."""

import json
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from bad_input import run, write

from concordant.scoring.intervals import CountUnits

EXAMPLES = Path(__file__).parents[2] / "examples" / "de-en"
REFERENCE = str(EXAMPLES / "reference-1.txt")
ALDER, BIRCH = (str(EXAMPLES / "systems" / f"{name}.txt") for name in ("alder", "birch"))
METRICS = ("bleu", "chrf", "ter", "nist", "fast")


def records(command, *more):
    metrics = ["-m", ",".join(METRICS), "--format", "json"]
    answer = run(command, "-r", REFERENCE, *more, *metrics)
    assert answer.code == 0, answer
    return json.loads(answer.out)


def test_intervals_are_those_of_compare():
    rows = records("score", ALDER, BIRCH)["records"]
    compared = {
        (each["system"], each["metric"]): each
        for each in records("compare", ALDER, BIRCH, "--segments", "0")["ranking"]
    }
    for row in rows:
        for name in METRICS:
            found = compared[row["system"], name]
            assert row[name] == pytest.approx(found["score"])
            assert row[f"{name} low"] == pytest.approx(found["low"])
            assert row[f"{name} high"] == pytest.approx(found["high"])
            assert row[f"{name} low"] < row[name] < row[f"{name} high"]


def test_comparing_one_file_is_scoring_it():
    asked = ["-r", REFERENCE, ALDER, "-m", "BLEU,chrf"]
    assert run("compare", *asked) == run("score", *asked)
    refused = run("compare", *asked, "--html", "x.html")
    assert "--html needs at least two files" in refused.err


def test_an_interval_can_be_left_out():
    answer = run("score", "-r", REFERENCE, ALDER, "-m", "chrf", "--no-interval")
    assert "interval" not in answer.out
    assert "bootstrap" not in answer.out
    (row,) = records("score", ALDER, "--no-interval")["records"]
    assert not any(name.endswith((" low", " high")) for name in row)


def test_one_line_has_no_interval(tmp_path):
    ref, out = (
        write(tmp_path / "ref", "The house is small.\n"),
        write(tmp_path / "out", "A home.\n"),
    )
    row = json.loads(run("score", "-r", ref, out, "-m", "chrf", "--format", "json").out)["records"]
    assert row[0]["chrf low"] is row[0]["chrf high"] is None
    assert "–" in run("score", "-r", ref, out, "-m", "chrf").out


def test_verbose_shows_sacrebleus_parts():
    theirs = sacrebleu.corpus_bleu(
        Path(ALDER).read_text(encoding="utf-8").splitlines(),
        [Path(REFERENCE).read_text(encoding="utf-8").splitlines()],
    )
    parts = json.loads(
        run("score", "-r", REFERENCE, ALDER, "-m", "BLEU,chrf", "-v", "--format", "json").out
    )["details"]
    assert list(parts["alder"]) == ["bleu"]
    found = parts["alder"]["bleu"]
    assert found["precisions"] == pytest.approx(theirs.precisions)
    assert found["brevity_penalty"] == pytest.approx(theirs.bp)
    assert (found["length"], found["reference_length"]) == (theirs.sys_len, theirs.ref_len)
    shown = "/".join(f"{each:.1f}" for each in theirs.precisions)
    line = f"alder: bleu precisions {shown}, brevity penalty {theirs.bp:.3f}, length 878, "
    assert line in run("score", "-r", REFERENCE, ALDER, "-m", "BLEU", "--verbose").out


def test_bare_numbers():
    asked = ["score", "-r", REFERENCE, ALDER]
    assert run(*asked, "-m", "bleu", "-b").out == "51.08\n"
    assert run(*asked, "-m", "BLEU,chrf", "-bw", "4").out == "51.0812\t66.8004\n"
    assert run(*asked, BIRCH, "-m", "BLEU", "-b", "-w", "1").out == "51.1\n32.8\n"
    assert "51.0812 " in run(*asked, "-m", "bleu", "-w", "4").out
    for wrong in (["--level", "segment", "-b"], ["--explain", "-v"], ["-b", "--format", "json"]):
        assert run(*asked, *wrong).code == 2


def test_units_are_the_same_in_any_blocks():
    rows = np.random.default_rng(0).normal(size=(1000, 3))
    wanted = None
    for size in (1, 7, 64, 1000):
        units = CountUnits(most=64)
        for first in range(0, len(rows), size):
            units.add(rows[first : first + size])
        assert units.size == 16
        assert len(units.counts) == 63
        assert units.counts.sum(axis=0) == pytest.approx(rows.sum(axis=0))
        wanted = units.counts.copy() if wanted is None else wanted
        assert np.array_equal(units.counts, wanted)


def test_few_segments_are_units_of_their_own():
    rows = np.random.default_rng(0).normal(size=(64, 2))
    units = CountUnits(most=64)
    units.add(rows)
    assert np.array_equal(units.counts, rows)

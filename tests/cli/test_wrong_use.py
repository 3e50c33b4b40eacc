"""Wrong use of `score` and `compare`: one clear message each, that says what to do."""

import os
import sys

import pytest
from bad_input import refused, run, write
from small_metrics import lexical_metric

import concordant
from concordant.errors import ConcordantError
from concordant.metrics.bundle import MANIFEST, WEIGHTS, save

TEXT = "A small house.\nIt rained.\n"


@pytest.fixture
def given(tmp_path):
    for name in ("ref", "a", "b"):
        write(tmp_path / name, TEXT)
    write(tmp_path / "short", "A small house.\n")
    write(tmp_path / "rows", "A small house.\tA little house.\nIt rained.\tThere was rain.\n")
    write(tmp_path / "latin", "Stra\xdfe\nGr\xf6\xdfe\n".encode("latin1"))
    write(tmp_path / "packed", b"\x1f\x8b\x08\x00 this is no gzip")
    write(tmp_path / "empty", "")
    (tmp_path / "folder").mkdir()
    for name in ("corrupt", "newer", "whole"):
        save(lexical_metric(), tmp_path / name)
    weights = tmp_path / "corrupt" / WEIGHTS
    weights.write_bytes(weights.read_bytes()[:-4])
    about = tmp_path / "newer" / MANIFEST
    about.write_text(about.read_text().replace("format = 2", "format = 99"))
    return tmp_path


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(
    ("ref", "output", "metric", "message"),
    [
        ("ref", "short", "chrf", "short: has 1 line; all files must have the same number"),
        ("rows", "a", "chrf", "rows: has 2 texts in every line, separated by tabs; use --num-refs"),
        ("ref", "nowhere", "chrf", "nowhere: there is no such file; check the path"),
        ("ref", "folder", "chrf", "folder: is a folder; name a file in it"),
        ("folder", "a", "chrf", "folder: is a folder; name a file in it"),
        ("ref", "latin", "chrf", "latin:1: byte 0xdf is not UTF-8"),
        ("ref", "packed", "chrf", "packed: is a damaged gzip file"),
        ("ref", "empty", "chrf", "empty: has 0 lines"),
        ("ref", "a", "{corrupt}", "is damaged or changed: its hash does not match; copy or"),
        ("ref", "a", "{newer}", "has format 99, made by concordant"),
        ("ref", "a", "{folder}", "is not one of"),
        ("ref", "a", "chrff", 'did you mean "chrf"?'),
    ],
)  # fmt: skip
def test_each_is_one_message_that_says_what_to_do(given, command, ref, output, metric, message):
    names = {name: given / name for name in ("corrupt", "newer", "folder")}
    asked = ["-r", given / ref, "-m", metric.format(**names)]
    files = [given / output, given / "b"]
    if command == "score":
        files = ["-t", files[0], "-t", files[1]]
    assert message in refused(command, *files, *asked)


def test_a_newer_bundle_says_how_to_read_it(given):
    message = refused("score", "-r", given / "ref", "-t", given / "a", "-m", given / "newer")
    assert "which reads format 2: install a newer one" in message


def test_a_model_whose_extra_is_not_installed(monkeypatch, part, given):
    part("minilm")
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "transformers", None)
    asked = ["score", "-r", given / "ref", "-t", given / "a", "-m", "sentence(minilm)"]
    assert "pip install 'concordant[encoders]'" in refused(*asked)


def test_what_is_no_list_in_python():
    for name in ("chrf", "fast"):
        with pytest.raises(ConcordantError, match="must be a list, not str"):
            concordant.load(name).score("a", [["a"]])
    with pytest.raises(ConcordantError, match="translations must be a dict by system, such as"):
        concordant.compare([["a", "b"], ["a", "c"]], [["a"], ["b"]])


def test_references_turned_the_wrong_way_in_python():
    with pytest.raises(ConcordantError, match=r"transpose them: list\(zip\(\*references\)\)"):
        concordant.load("chrf").score(["a", "b", "c"], [["a", "b", "c"], ["x", "y", "z"]])
    with pytest.raises(ConcordantError, match=r"2 translations, but references for 3"):
        concordant.load("chrf").score(["a", "b"], ["a", "b", "c"])


def test_a_pipe_is_read_only_once(given):
    os.mkfifo(given / "pipe")
    several = ["-t", given / "a", "-t", given / "b", "-r", given / "pipe", "-m", "chrf"]
    answer = run("score", *several)
    assert "with several systems, references and sources must be regular files" in answer.err
    message = refused("score", "-t", given / "a", "-r", given / "pipe", "-m", "nist")
    assert message.startswith(f"nist reads the references twice; {given / 'pipe'} must be a file")


def test_sets_and_dicts_are_no_lists_of_texts():
    for texts in ({"a", "b"}, {"a": 1, "b": 2}):
        with pytest.raises(ConcordantError, match="translations must be a list, not"):
            concordant.load("chrf").score(texts, [["a"], ["b"]])
        with pytest.raises(ConcordantError, match="must be a list, not"):
            concordant.compare({"A": texts, "B": ["a", "b"]}, [["a"], ["b"]], metric="chrf")

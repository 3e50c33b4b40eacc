"""What is plainly no plain text is refused; what only looks a little like it is not."""

import json

import pytest
from bad_input import refused, run

from concordant.errors import DataError
from concordant.file_kinds import binary_kind, structured_kind
from concordant.judgements.detection import read

OBJECT = json.dumps({"src": "eins", "mt": "one", "ref": "one"})
STRUCTURED = {
    "jsonl": ([OBJECT] * 3, "has a JSON object in each line"),
    "json object": (json.dumps({"mt": ["a", "b"]}, indent=2).split("\n"), "is a JSON document"),
    "json array": (json.dumps([{"mt": "a"}]).split("\n"), "is a JSON document"),
    "json array, indented": (json.dumps([{"mt": "a"}], indent=1).split("\n"), "is a JSON document"),
    "json list of texts": (json.dumps(["a", "b"], indent=1).split("\n"), "is a JSON document"),
    "csv": (["src,mt,ref,score", 'a,"b, c",d,0.5'], "is a table with the columns src, mt, ref, sc"),
    "csv, quoted lines": (["src,mt", 'a,"b', 'c"', "d,e", "f,g"], "is a table with the columns"),
    "tsv": (["segment\tsystem\ttext", "1\tA\tone"], "is a table with the columns segment, system"),
    "xml": (['<?xml version="1.0"?>', "<dataset>"], "is XML; plain text is needed"),
    "sgml": (['<refset setid="x" srclang="de">', "<doc>"], "is SGML or XML; plain text is needed"),
    "html": (["<!DOCTYPE html>", "<html>"], "is a page of HTML; plain text is needed"),
    "html, bare": (["", "<html lang='en'><head>"], "is a page of HTML; plain text is needed"),
}
PLAIN = {
    "nothing": [],
    "blank lines": ["", " "],
    "a quoted sentence": ['"Yes", she said, "of course".'],
    "braces": ["{}", "{ is called a brace", "Write {name} here."],
    "one line of json among others": [OBJECT, "The line above is an object."],
    "an empty object": ["{}", "{}"],
    "brackets": ["[Laughter]", "[1] See the note."],
    "a sentence with columns' names": ["Source, target", "Hello, world"],
    "words with commas": ["score,system", "No comma here"],
    "unknown columns": ["red,green", "1,2"],
    "a list of one kind": ["text", "translation"],
    "tags": ["<b>Bold</b> and <i>italic</i>", "<html> is the root element.", "<head>"],
    "html as a word": ["<html> is the root element of a page."],
    "inequality": ["<doc and >doc are no tags"],
    "tabs": ["one\ttwo", "three\tfour"],
    "json strings": ['"one"', '"two"'],
    "deep nesting": ["[" * 100_000],
    "deep objects": ['{"a":' * 100_000],
}


@pytest.mark.parametrize("kind", STRUCTURED)
def test_what_is_plainly_something_else(kind):
    lines, words = STRUCTURED[kind]
    assert structured_kind(lines).startswith(words)


@pytest.mark.parametrize("kind", PLAIN)
def test_no_false_alarm(kind):
    assert structured_kind(PLAIN[kind]) is None


def test_a_name_is_no_archive():
    assert binary_kind(b"BZh9 is what it begins with") is None
    assert binary_kind(b"") is None


@pytest.fixture
def texts(tmp_path):
    plain, other = tmp_path / "plain.txt", tmp_path / "all.jsonl"
    plain.write_text("eins\nzwei\n")
    other.write_text(f"{OBJECT}\n" * 2)
    return plain, other


@pytest.mark.parametrize("where", ["-t", "-r", "-s"])
def test_score_refuses_json_wherever_it_stands(texts, where):
    plain, other = texts
    given = {"-t": plain, "-r": plain, "-s": plain, where: other}
    arguments = [word for pair in given.items() for word in pair]
    message = refused("score", "-m", "chrf", *arguments)
    assert message == (
        f"{other}: has a JSON object in each line, which is not a translation; give the table "
        "alone, without -r: concordant score FILE; --columns mt=NAME,ref=NAME names the columns"
    )


def test_compare_refuses_json(texts, tmp_path):
    plain, other = texts
    third = tmp_path / "third.txt"
    third.write_text("eins\ndrei\n")
    assert "has a JSON object in each line" in refused(
        "compare", "-m", "chrf", "-r", plain, third, other
    )


def test_standard_input_is_looked_at_too(texts, monkeypatch):
    plain, other = texts
    with other.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert "has a JSON object" in refused("score", "-m", "chrf", "-r", plain, "-t", "-")
    with plain.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert "100" in run("score", "-m", "chrf", "-r", plain, "-t", "-").out


def test_a_folder_of_texts_refuses_a_system_in_json(tmp_path):
    folder = tmp_path / "de-en"
    (folder / "systems").mkdir(parents=True)
    (folder / "reference.txt").write_text("one\ntwo\n")
    (folder / "systems" / "A.txt").write_text(f"{OBJECT}\n" * 2)
    with pytest.raises(DataError, match=r"A\.txt: has a JSON object in each line"):
        read(folder)

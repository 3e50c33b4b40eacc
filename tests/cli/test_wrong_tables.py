"""What is wrong with a table is said in one sentence, with what there is and what to do."""

import json

import pytest
from bad_input import refused, run, write

GOOD = "id,system,ref,mt\n1,A,the house,a house\n2,A,it rains,it rained\n"
TWO = GOOD + "1,B,the house,one house\n2,B,it rains,rain\n"

SCORE = {
    "no column of references": (
        "mt,refrence\na,b\n",
        (
            "x.csv has no column of references (ref, reference); it has mt, refrence; say which "
            "one with --columns ref=NAME"
        ),
    ),
    "no column of translations": (
        "ref,alder,birch\na,b,c\n",
        (
            "x.csv has no column of translations (mt, hyp, hypothesis, translation, output, "
            "prediction); it has ref, alder, birch; say which one with --columns mt=NAME"
        ),
    ),
    "two candidates": (
        "mt,hyp,ref\na,b,c\n",
        "x.csv has several columns for mt: mt, hyp; choose with --columns mt=mt",
    ),
    "plain and numbered references": (
        "mt,ref,ref2\na,b,c\n",
        "x.csv has several columns for ref: ref, ref2; choose with --columns ref=ref",
    ),
    "a row without a reference": (
        "mt,ref\na,b\nc,\n",
        (
            'x.csv:3: has no reference in the column "ref"; fill it in, remove the row, or choose '
            "other columns with --columns"
        ),
    ),
    "mixed languages": (
        "lp,mt,ref\nde-en,a,b\nde-fr,c,d\n",
        'x.csv:3: is in "fr", and other rows or -l say "en"; score each language by itself',
    ),
    "too many cells": ("mt,ref\na,b\na,b,c\n", "x.csv:3: has 3 cells; the header has 2 columns"),
    "a blank line": ("mt,ref\na,b\n\nc,d\n", "x.csv:3: has 0 cells; the header has 2 columns"),
    "a name twice": ("mt,ref,mt\na,b,c\n", 'x.csv:1: has two columns called "mt"; rename one'),
    "open quotes": (
        'mt,ref\na,b\n"c,d\n',
        "x.csv:3: is not csv (unexpected end of data); check the quotes of this row",
    ),
    "a long cell": (
        f'mt,ref\na,"{"b" * 200_000}"\n',
        "x.csv:2: has a cell of more than 131,072 characters, the longest allowed; check",
    ),
    "no system": ("system,mt,ref\n,b,c\n", 'x.csv:2: has nothing in the column "system"'),
    "no rows": ("mt,ref\n", "x.csv: has no rows"),
    "scored already": ("mt,ref,chrf\na,b,1\n", 'x.csv already has a column "chrf"; rename it, or'),
}


@pytest.mark.parametrize("name", SCORE)
def test_what_is_wrong_with_a_csv(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    content, words = SCORE[name]
    write(tmp_path / "x.csv", content)
    more = ["-o", "out.csv"] if "already" in name else []
    assert refused("score", "x.csv", "-m", "chrf", *more).startswith(words)
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"mt": "a", "ref": "b"}\n{"mt": "a"}\n', 'x.jsonl:2: has nothing in the column "ref"; '),
        ('{"mt": 1, "ref": "b"}\n', 'x.jsonl:1: has 1, not a text, in the column "mt"; every row'),
        ('{"mt": "a", "ref": "b"}\n[]\n', 'x.jsonl:2: is not a JSON object such as {"mt": "…"}'),
        ('{"mt": "\\ud800", "ref": "b"}\n', "x.jsonl:1: has half of a surrogate pair; mend the"),
        ('{"mt": "a", "ref": "b"}\n{\n', "x.jsonl:2: is not a JSON object"),
    ],
)
def test_what_is_wrong_with_a_jsonl(tmp_path, monkeypatch, content, words):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "x.jsonl", content)
    assert refused("score", "x.jsonl", "-m", "chrf").startswith(words)


def test_what_is_wrong_with_a_parquet(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "x.parquet", b"PAR1 and no more")
    message = refused("score", "x.parquet", "-m", "chrf")
    assert message.startswith("x.parquet: is no readable parquet (")
    assert "there is no such file" in refused("score", "y.parquet", "-m", "chrf")


COLUMNS = {
    "mt=mtt": 'x.csv has no column "mtt" (mt); it has id, system, ref, mt; did you mean "mt"?',
    "out=mt": '--columns: the role "out" is not one of mt, ref, src, system, document, segment, ',
    "mt": '--columns: "mt" is not ROLE=NAME, such as mt=translation',
    "src=mt,src=ref": "--columns names several columns for src; only mt and ref may",
    "mt=mt,mt=ref,system=system": "x.csv: name several columns mt, or one column system; not both",
}


@pytest.mark.parametrize("asked", COLUMNS)
def test_columns_that_are_not_there(tmp_path, monkeypatch, asked):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "x.csv", GOOD)
    message = refused("score", "x.csv", "-m", "chrf", "--columns", asked)
    assert message.startswith(COLUMNS[asked])


def test_ragged_systems(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "x.csv", TWO.rpartition("2,B")[0])
    for command in ("compare", "rank"):
        assert refused(command, "x.csv", "-m", "chrf") == (
            "x.csv: A has 2 segments, B 1, and 1 are the same; every system must have a row for "
            "every segment"
        )
    scored = run("score", "x.csv", "-m", "chrf")
    assert scored.code == 0
    assert "the systems have different numbers of rows (A 2, B 1): do not compare" in scored.out
    write(tmp_path / "x.csv", TWO.replace("2,B,it rains", "2,B,it snows"))
    message = refused("compare", "x.csv", "-m", "chrf")
    assert message.startswith("x.csv:5: B has another reference than A in line 3 for the same")
    write(tmp_path / "x.csv", GOOD.replace("2,A", "1,A"))
    message = refused("compare", "x.csv", "-m", "chrf")
    assert message.startswith("x.csv:3: A has the same segment as line 2; name the systems in")


def test_a_table_in_the_place_of_plain_text_is_refused_with_the_right_command(tmp_path):
    ref = write(tmp_path / "ref", "the house\nit rains\n")
    path = write(tmp_path / "x.csv", GOOD)
    advice = "give the table alone, without -r: concordant score FILE; --columns mt=NAME,ref=NAME"
    assert advice in refused("score", "-r", ref, path, "-m", "chrf")
    lines = [json.dumps({"mt": "a", "ref": "b"})] * 2
    path = write(tmp_path / "x.jsonl", "\n".join([*lines, ""]))
    assert advice in refused("score", "-r", ref, path, "-m", "chrf")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["x.txt"], "give the references with -r, or "),
        (["x.csv", "y.csv"], "give one table at a time; it may hold any number of systems"),
        (["x.csv", "-r", "x.txt", "--columns", "mt=a"], "--columns is for a table, which has"),
        (["x.csv", "-o", "x.jsonl"], "x.csv is written as csv again, and not packed; name the"),
        (["x.csv", "-o", "x.csv.gz"], "x.csv is written as csv again, and not packed; name the"),
    ],
)
def test_what_cannot_be_asked_of_tables(tmp_path, monkeypatch, asked, words):
    monkeypatch.chdir(tmp_path)
    for name in ("x.csv", "y.csv"):
        write(tmp_path / name, GOOD)
    write(tmp_path / "x.txt", "the house\nit rains\n")
    answer = run("score", *asked, "-m", "chrf")
    assert answer.code == 2
    assert words in answer.err

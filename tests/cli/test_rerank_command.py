"""`concordant rerank` as a person types it."""

import json

import pytest
from bad_input import run

MOSES = """0 ||| a cat sat ||| lm= -1.5 tm= 0.2 ||| -2
0 ||| the cat sat ||| lm= -1.2 tm= 0.1 ||| -3
0 ||| dogs ||| lm= -3 tm= 0.4 ||| -4
1 ||| it rains ||| lm= -2 tm= 0.1 ||| -1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lists.txt").write_text(MOSES)
    (tmp_path / "ref.txt").write_text("the cat sat down\nit rained\n")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_consensus_writes_a_line_for_each_list():
    answer = run("rerank", "lists.txt", "--mbr")
    assert (answer.code, answer.out) == (0, "the cat sat\nit rains\n")
    assert "2 lists with 2.0 candidates on average" in answer.err
    assert "lists with one candidate only, which is chosen: 1" in answer.err
    assert "mbr:pairwise|metric:chrf|" in answer.err
    assert answer.err.rstrip().endswith("|bootstrap:1000|seed:0")


def test_the_same_lists_in_every_format_give_the_same(folder):
    rows = [line.split(" ||| ")[:2] for line in MOSES.splitlines()]
    table = "segment\tmt\n" + "".join(f"{number}\t{text}\n" for number, text in rows)
    (folder / "lists.tsv").write_text(table)
    lists = {n: [text for number, text in rows if number == n] for n in ("0", "1")}
    lines = [json.dumps({"id": n, "candidates": texts}) for n, texts in lists.items()]
    (folder / "lists.jsonl").write_text("\n".join(lines))
    answers = [
        run("rerank", f"lists.{ending}", "--mbr", "--format", "jsonl", "-q")
        for ending in ("txt", "tsv", "jsonl")
    ]
    assert {each.out for each in answers} == {answers[0].out}
    record = json.loads(answers[0].out.splitlines()[0])
    assert record["place"] == 2
    assert len(record["scores"]) == record["candidates"] == 3
    assert 0 < record["certainty"] <= 1


@pytest.mark.usefixtures("folder")
def test_references_beside_the_lists():
    answer = run("rerank", "lists.txt", "-r", "ref.txt", "-m", "ter", "--format", "tsv", "-q")
    head, first, _ = (line.split("\t") for line in answer.out.splitlines())
    assert dict(zip(head, first, strict=True)) == {
        "id": "0", "place": "2", "candidates": "3", "score": "25.0", "low": "", "high": "",
        "certainty": "", "text": "the cat sat",
    }  # fmt: skip


def test_an_output_file_appears_whole(folder):
    answer = run("rerank", "lists.txt", "--mbr", "-o", "best.txt", "-q")
    assert (answer.code, answer.out) == (0, "")
    assert (folder / "best.txt").read_text() == "the cat sat\nit rains\n"


WRONG = {
    "nothing.txt": ("", "nothing.txt: has no lists"),
    "gap.txt": ("0 ||| a\n2 ||| b\n", "gap.txt:2: begins list 2, and list 1 has no candidates"),
    "again.txt": ("0 ||| a\n1 ||| b\n0 ||| c\n", "again.txt:3: begins list 0 again"),
    "plain.txt": ("just a line\n", "plain.txt:1: is not a line of an n-best list, such as 0 |||"),
    "score.txt": ("0 ||| a ||| x= y\n", "score.txt:1: has scores that are not numbers"),
    "empty.jsonl": ('{"candidates": []}\n', 'empty.jsonl:1: list "1" has no candidates'),
    "none.jsonl": ('{"src": "x"}\n', 'none.jsonl:1: has no "candidates", a list of texts'),
    "kind.jsonl": ('{"candidates": "x"}\n', '"candidates" is not a list of texts'),
    "weights.jsonl": ('{"candidates": ["x"], "weights": ["1"]}\n', '"weights" is not a list of nu'),
    "broken.jsonl": ("{\n", "broken.jsonl:1: is not a JSON object such as"),
    "apart.tsv": ("segment\tmt\n1\ta\n2\tb\n1\tc\n", 'apart.tsv:4: begins list "1" again; sort'),
    "no.tsv": ("mt\na\n", "no.tsv: needs one column of translations and one that says which list"),
    "two.tsv": ("segment\tmt\tref\n1\ta\tx\n1\tb\ty\n", 'two.tsv:3: has another "ref" than the fi'),
    "weight.tsv": ("segment\tmt\tweight\n1\ta\tx\n", "'x' in the column \"weight\", which is not"),
}


@pytest.mark.parametrize("name", WRONG)
def test_files_that_are_no_lists(folder, name):
    text, words = WRONG[name]
    (folder / name).write_text(text)
    answer = run("rerank", name, "--mbr")
    assert (answer.code, answer.out) == (1, "")
    assert words in answer.err


@pytest.mark.usefixtures("folder")
def test_requests_that_cannot_be_met(folder):
    (folder / "short.txt").write_text("the cat\n")
    (folder / "long.txt").write_text("a\nb\nc\n")
    asked = {
        (): 'lists.txt:1: list "0" has no reference, and base needs one',
        ("--aggregate",): "--aggregate is a way to find a consensus; add --mbr",
        ("--mbr", "--aggregate", "-m", "fast"): "fast has no aggregate of references",
        ("-r", "short.txt"): "short.txt: has 1 lines, and lists.txt more lists",
        ("-r", "long.txt"): "long.txt:3: has more than the 2 lines that lists.txt has lists",
        ("--mbr", "-m", "chrf,bleu"): "names 2 metrics; choose by one",
    }
    for arguments, words in asked.items():
        answer = run("rerank", "lists.txt", *arguments)
        assert answer.code != 0
        assert words in answer.err

"""What people type: names of measures, lists of metrics, systems as files without an option."""

import json
from pathlib import Path

import pytest
from bad_input import run, write

EXAMPLES = Path(__file__).parents[2] / "examples" / "de-en"
REFERENCE = str(EXAMPLES / "reference-1.txt")
ALDER, BIRCH = (str(EXAMPLES / "systems" / f"{name}.txt") for name in ("alder", "birch"))


def scored(*more):
    answer = run("score", "-r", REFERENCE, ALDER, "--format", "json", "--no-interval", *more)
    assert answer.code == 0, answer
    return json.loads(answer.out)["records"][0]


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("BLEU", "bleu"), ("sacreBLEU", "bleu"), ("BLEU(tok=intl)", "bleu(tok=intl)"),
        ("chrF", "chrf"), ("chrF2", "chrf"), ("chrF++", "chrf++"), ("chrF2++", "chrf++"),
        ("chrF3", "chrf(beta=3)"), ("TER", "ter"), ("Fast", "fast"), ("ROUGE-L", "rouge-l"),
        ("Meteor(modules=exact)", "meteor(modules=exact)"),
    ],
)  # fmt: skip
def test_a_typed_name_is_the_written_one(typed, written):
    assert scored("-m", typed) == scored("-m", written)
    assert written in scored("-m", typed)


def test_a_list_is_the_same_as_many_options():
    apart = scored("-m", "bleu", "-m", "chrf(nc=4,beta=1)", "-m", "ter")
    assert list(apart)[1:4] == ["bleu", "chrf(nc=4,beta=1)", "ter"]
    assert scored("-m", "bleu,chrf(nc=4,beta=1), TER") == apart
    assert scored("-m", "bleu,BLEU,chrf(nc=4,beta=1)", "-m", "ter") == apart


def test_lists_and_names_work_in_every_command():
    for command in (["compare", "-r", REFERENCE, ALDER, BIRCH, "-m", "BLEU,chrF2"],
                    ["rank", "-r", REFERENCE, ALDER, BIRCH, "-m", "chrF2"],
                    ["metrics", "show", "Fast"],
                    ["evaluate", "-j", EXAMPLES / "ratings.csv", "--texts", EXAMPLES,
                     "-m", "BLEU,chrF++"]):  # fmt: skip
        assert run(*command).code == 0, command
    answer = run("rank", "-r", REFERENCE, ALDER, BIRCH, "-m", "bleu,chrf")
    assert "-m bleu,chrf names 2 metrics; rank decides by one" in answer.err


def test_an_unknown_name_in_a_list_is_named():
    answer = run("score", "-r", REFERENCE, ALDER, "-m", "BLEU,chfr")
    assert answer.complaint.startswith('metric "chfr" is not one of ')
    assert answer.complaint.endswith('did you mean "chrf"?')


def test_files_need_no_option():
    named = run("score", "-r", REFERENCE, "-t", ALDER, "-t", BIRCH, "-m", "chrf")
    assert run("score", "-r", REFERENCE, ALDER, BIRCH, "-m", "chrf") == named
    assert run("score", "-r", REFERENCE, ALDER, "-t", BIRCH, "-m", "chrf") == named
    nothing = run("score", "-r", REFERENCE)
    assert nothing.code == 2
    assert "name at least one file of translations" in nothing.err


def test_systems_have_one_name_in_every_command(tmp_path):
    text = Path(ALDER).read_text(encoding="utf-8")
    files = [write(tmp_path / name, text) for name in ("a/x.txt", "b/x.txt", "c/wmt.online-A.out")]
    names = ["a/x", "b/x", "c/wmt.online-A"]
    for command in ("score", "compare", "rank"):
        asked = [command, "-r", REFERENCE, *files, "-m", "chrf", "--format", "json"]
        found = json.loads(run(*asked).out)
        records = found["ranking"] if command == "compare" else found["records"]
        assert sorted(each["system"] for each in records) == names

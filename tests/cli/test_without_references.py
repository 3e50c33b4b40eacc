"""`score` and `compare` where there are sources and no references: qe, and it says so."""

import json

import pytest
from bad_input import run, write

SOURCE = "The bridge will stay closed until Friday because of repairs."
RIGHT = "Die Brücke bleibt wegen Reparaturen bis Freitag geschlossen."
OTHER = "Meine Schwester hat gestern drei Äpfel gekauft."
NOTE = "qe scores here, since there are no references"


@pytest.fixture
def files(tmp_path):
    texts = {"src": SOURCE, "good": RIGHT, "bad": OTHER}
    return {name: write(tmp_path / name, f"{text}\n" * 3) for name, text in texts.items()}


def test_score_says_what_the_score_is(files):
    done = run("score", "-s", files["src"], "-t", files["good"])
    assert NOTE in done.out
    assert "nrefs:0|metric:qe|" in done.out


def test_compare_ranks_by_the_source_alone(files):
    command = ("compare", "-s", files["src"], files["bad"], files["good"])
    whole = json.loads(run(*command, "--format", "json").out)
    assert [each["system"] for each in whole["ranking"]] == ["good", "bad"]
    assert "source" in run(*command).out


def test_compare_writes_a_page(files, tmp_path):
    page = tmp_path / "page.html"
    run("compare", "-s", files["src"], files["bad"], files["good"], "--html", page)
    assert SOURCE in page.read_text("utf-8")


def test_a_table_with_sources_and_no_references(tmp_path):
    rows = f"src,mt\n{SOURCE},{RIGHT}\n{SOURCE},{OTHER}\n"
    table = write(tmp_path / "table.csv", rows)
    done = run("score", table, "--level", "segment", "--format", "tsv")
    assert "qe" in done.out.splitlines()[0]


def test_bleu_without_references_says_what_to_do(files):
    done = run("score", "-s", files["src"], "-t", files["good"], "-m", "bleu")
    assert done.code != 0
    assert "give them with -r, or use qe" in done.err

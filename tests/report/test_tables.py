"""One table in four forms: the same numbers, in full precision where a machine reads them."""

import csv
import io
import json

import pytest

from concordant.report.tables import FORMATS, Table

TABLE = Table(
    header=["name", "value", "more"],
    cells=[["[red]ü", "0.1\n[0, 1]", "–"], ["b", "0.2", "x" * 30]],
    records=[
        {"name": "[red]ü", "value": 0.1 + 0.2, "more": None},
        {"name": "b\tc", "value": 1e-17},
    ],
    title="a title",
    footer=["metric:x|seed:0"],
    document={"signature": "metric:x|seed:0"},
)


def test_machines_get_every_digit():
    rows = list(csv.DictReader(io.StringIO(FORMATS["tsv"](TABLE)), delimiter="\t"))
    assert [float(row["value"]) for row in rows] == [0.1 + 0.2, 1e-17]
    assert rows[0]["more"] == ""
    assert rows[1]["name"] == "b\tc"
    lines = [json.loads(line) for line in FORMATS["jsonl"](TABLE).splitlines()]
    assert lines == TABLE.records
    whole = json.loads(FORMATS["json"](TABLE))
    assert whole["records"] == TABLE.records
    assert whole["signature"] == "metric:x|seed:0"


def test_a_list_in_tsv_is_json():
    table = Table(header=[], cells=[], records=[{"texts": ['Größe "3"', "b"], "n": 1}])
    rows = list(csv.DictReader(io.StringIO(FORMATS["tsv"](table)), delimiter="\t"))
    assert json.loads(rows[0]["texts"]) == ['Größe "3"', "b"]
    assert "Größe" in rows[0]["texts"]


def test_the_terminal_shows_text_as_it_is():
    text = FORMATS["table"](TABLE)
    assert text.startswith("a title\n")
    assert "[red]ü" in text
    assert "metric:x|seed:0" in text


def test_no_line_of_a_file_ends_in_blanks():
    assert not any(line.endswith(" ") for line in FORMATS["table"](TABLE).split("\n"))


def test_columns_that_do_not_fit_go_below(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "45")
    text = FORMATS["table"](TABLE)
    assert text.count("name") == 2


def test_nan_never_reaches_json():
    bad = Table(["a"], [["x"]], [{"a": float("nan")}])
    with pytest.raises(ValueError, match="not JSON compliant"):
        FORMATS["json"](bad)

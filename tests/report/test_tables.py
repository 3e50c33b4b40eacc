"""One table in four forms: the same numbers, in full precision where a machine reads them."""

import json
import re

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


def rows_of(text):
    """The rows of a tsv, its escapes undone."""
    header, *rows = (line.split("\t") for line in text.removesuffix("\n").split("\n"))
    return [dict(zip(header, map(unescaped, row), strict=True)) for row in rows]


def unescaped(field):
    """What a field stands for, as docs/score.md says."""
    short = {"t": "\t", "n": "\n", "r": "\r"}
    return re.sub(
        r"\\(?:x(..)|u(....)|(.))",
        lambda m: short.get(m[3], m[3]) if m[3] else chr(int(m[1] or m[2], 16)),
        field,
    )


def test_machines_get_every_digit():
    rows = rows_of(FORMATS["tsv"](TABLE))
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
    rows = rows_of(FORMATS["tsv"](table))
    assert json.loads(rows[0]["texts"]) == ['Größe "3"', "b"]
    assert "Größe" in rows[0]["texts"]


ODD = [
    "=1+1",
    "-x",
    "-",
    "+1",
    "@a",
    '"q',
    "'q",
    "a\tb\nc\rd\\e",
    "\x1b[31m",
    "\x9b",
    "ü\udcff",
    "",
]


def test_no_name_breaks_a_tsv():
    table = Table([], [], [{"name": name, "value": 1.5} for name in ODD])
    text = FORMATS["tsv"](table)
    assert [row["name"] for row in rows_of(text)] == ODD
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    assert not re.search(r"^[=+@\"]", text, flags=re.MULTILINE)
    assert [line.split("\t")[0] for line in text.splitlines()][1:4] == ["\\=1+1", "\\-x", "-"]


def test_numbers_stay_numbers_in_a_tsv():
    record = {"name": "a", "low": -0.5, "count": -3, "high": 1e-9, "known": True, "none": None}
    assert FORMATS["tsv"](Table([], [], [record])).splitlines()[1] == "a\t-0.5\t-3\t1e-09\tTrue\t"


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_keeps_every_name_and_is_safe_to_print(form):
    records = [{"name": name} for name in [*ODD, "\u202eabc"]]
    text = FORMATS[form](Table([], [], records))
    read = json.loads(text)["records"] if form == "json" else map(json.loads, text.splitlines())
    assert list(read) == records
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]", text)


def test_nothing_steers_the_terminal():
    evil = "a\x1b]0;title\x07\x9b2J\u202eb\udcff"
    table = Table([evil], [[evil]], [], title=evil, footer=[evil])
    text = FORMATS["table"](table)
    assert text.count(r"a\x1b]0;title\x07\x9b2J\u202eb\udcff") == 4
    assert "שלום" in FORMATS["table"](Table(["x"], [["שלום"]], []))


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


def test_warnings_do_not_steer_the_terminal_either():
    table = Table(["a"], [["b"]], [], warnings=["all of x\x1b[31m.txt\nare empty"])
    text = FORMATS["table"](table)
    assert "\x1b" not in text
    assert r"all of x\x1b[31m.txt\nare empty" in text

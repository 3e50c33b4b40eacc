import pytest

from concordant.errors import DataError
from concordant.judgements.files import read_table
from concordant.judgements.readers import fields


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1.0), (" -0.5 ", -0.5), (".5", 0.5), ("2.", 2.0), ("1e-3", 0.001)]
)
def test_a_number(text, value):
    assert fields.number(text, "score") == value


@pytest.mark.parametrize(
    "text", ["", "nan", "NaN", "inf", "-Infinity", "1e999", "1_000", "0x1", "٣", "0,5", "good"]
)
def test_not_a_finite_number(text):
    with pytest.raises(ValueError, match="is not a finite number"):
        fields.number(text, "score")


@pytest.mark.parametrize("text", ["", "0", "-1", "1.0", "٣", "²", "one"])
def test_not_a_line_number(text):
    with pytest.raises(ValueError, match=r'segment ".*" is not a line number of 1 or more'):
        fields.line_number(text, "segment")


def test_a_count_and_a_flag_say_what_is_allowed():
    assert fields.count("12", "N") == 12
    with pytest.raises(ValueError, match='N "0" is not a whole number from 1'):
        fields.count("0", "N")
    assert [fields.flag(text, "tie") for text in ("TRUE", "1", "no", "")] == [
        True,
        True,
        False,
        False,
    ]
    with pytest.raises(ValueError, match='tie "maybe" is not one of 1, true, yes, 0, false, no'):
        fields.flag("maybe", "tie")


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("de-en", "de-en"),
        (" DE-EN ", "de-en"),
        ("Czech-English", "cs-en"),
        ("en-pt_BR", "en-pt_BR"),
    ],
)
def test_a_language_pair(text, pair):
    assert fields.language_pair(text, "lp") == pair


def test_not_a_language_pair():
    with pytest.raises(ValueError, match='lp "german" is not a language pair such as de-en'):
        fields.language_pair("german", "lp")


def test_a_long_text_is_cut_in_a_message():
    with pytest.raises(ValueError, match=r'^score "a{40}…" is not'):
        fields.number("a" * 500, "score")


def test_all_faults_of_a_file_come_at_once(tmp_path):
    rows = [(2, "1"), (3, "x"), (4, ""), (5, "2")]
    with pytest.raises(DataError) as caught:
        fields.build_each(tmp_path / "f", rows, lambda _, text: fields.number(text, "score"))
    assert [fault.line for fault in caught.value.faults] == [3, 4]


def test_a_spaced_table_takes_blanks_and_tabs_and_counts_lines(tmp_path):
    path = tmp_path / "table"
    path.write_text("a b\n1\t 2 \n\n3  4\n")
    assert read_table(path, delimiter=None) == [
        (2, {"a": "1", "b": "2"}),
        (4, {"a": "3", "b": "4"}),
    ]


def test_a_table_with_single_tabs_may_have_empty_cells(tmp_path):
    path = tmp_path / "table"
    path.write_text("a\tb\tc\n1\t\t3\n")
    assert read_table(path, delimiter=None) == [(2, {"a": "1", "b": "", "c": "3"})]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("a b\n", "has a header but no rows"),
        ("a c\n1 2\n", "1: no column b; the header has a, c"),
        ("a b b\n1 2 3\n", "1: column b appears more than once; rename or remove one"),
        ("a b\n1 2\n1\n", "3: 1 fields, but 2 are needed"),
    ],
)
def test_faults_of_a_spaced_table(tmp_path, text, message):
    path = tmp_path / "table"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_table(path, delimiter=None, required=("a", "b"))

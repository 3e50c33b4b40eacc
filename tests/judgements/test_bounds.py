"""Hostile files of some hundred kilobytes are read, or refused, in a moment and in words."""

import json
import time

import pytest

from concordant.errors import DataError, SpecError
from concordant.judgements.conversion import preferences_of_ratings
from concordant.judgements.detection import read
from concordant.judgements.entities import resolve_entities
from concordant.judgements.files import read_table
from concordant.judgements.readers.markup import scan
from concordant.records import Rating

SECONDS = 10  # each takes well below one; what was quadratic took minutes
SIZE = 300_000
REPEATED = {
    "tags without an end": "<seg id=",
    "values without an end": "<seg a=b",
    "tags in quoted values": "<seg a='<seg b=\"' b=\"<seg a='\" ",
    "tags in bare values": "<seg a=<seg",
    "quotation marks": "<seg id=\"'",
    "blanks": "<seg  \t ",
    "attributes": ' a="b"',
    "names": "<seg aaaaaaaa ",
    "brackets": "<",
    "closing tags": "</seg>",
    "entities": "&amp",
    "numbers": "&#1",
    "open documents": "<doc>",
}


@pytest.fixture
def clock():
    """Fails a test that takes too long."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began < SECONDS


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("kind", REPEATED)
@pytest.mark.parametrize("head", ["", "<seg ", "<seg id='", "<tstset>"])
def test_markup_takes_time_by_its_length_only(kind, head):
    piece = REPEATED[kind]
    found = scan(head + piece * (SIZE // len(piece)))
    assert len(found.segments) + len(found.faults) <= 1 + SIZE


def test_an_entity_with_more_digits_than_python_reads_stays_as_it_is():
    long = "&#" + "9" * 5000 + ";"
    assert resolve_entities(f"{long} &#8211; &#x2013;") == f"{long} – –"


def test_a_segment_too_long_is_named_with_its_line(tmp_path):
    path = tmp_path / "a.sgm"
    text = "x" * 1_000_001
    path.write_text(
        f'<tstset setid="s">\n<doc docid="d">\n<seg id="1">{text}</seg></doc></tstset>\n'
    )
    with pytest.raises(DataError, match=r"a.sgm:3: <seg> has more than 1,000,000 characters"):
        read(path)


@pytest.mark.usefixtures("clock")
def test_many_columns_are_read_and_named_in_short(tmp_path):
    path = tmp_path / "wide.csv"
    names = [f"c{i}" for i in range(100_000)]
    path.write_text(",".join(names) + "\n" + ",".join(["1"] * len(names)) + "\n")
    ((line, row),) = read_table(path, delimiter=",")
    assert (line, len(row)) == (2, 100_000)
    with pytest.raises(DataError) as caught:
        list(read_table(path, delimiter=",", required=("system",)))
    assert str(caught.value).endswith("c18, c19, … and 99980 more")
    path.write_text(",".join(["system", "score", *names[:50_000] * 2]) + "\n")
    with pytest.raises(
        DataError, match=r"… and 49980 more appears more than once; rename"
    ) as twice:
        list(read_table(path, delimiter=","))
    assert len(str(twice.value)) < 400


def test_a_cell_too_long_is_named_in_words(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('system,score\nA,1\nB,"2\n' + "x,y\n" * 50_000)
    words = r"a.csv:3: a cell has more than 131,072 characters, the longest allowed; is a quot"
    with pytest.raises(DataError, match=words):
        read(path)


@pytest.mark.parametrize("row", ["B,x", "B,1,2"])
def test_a_thousand_faults_are_enough(tmp_path, row):
    path = tmp_path / "a.csv"
    path.write_text("system,score\n" + f"{row}\n" * 100_000)
    with pytest.raises(DataError, match="… and more; reading stopped at 1000 faults") as caught:
        read(path)
    assert len(caught.value.faults) == 1000


@pytest.mark.usefixtures("clock")
def test_many_references_of_one_segment(tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"de-en,s,m{i},r{i},0.5,{i},1\n" for i in range(10_000))
    path.write_text(f"lp,src,mt,ref,score,system,segment\n{rows}de-en,s,m0,r0,0.5,0,1\n")
    (testset,) = read(path).testsets
    assert len(testset.references) == 10_000
    assert testset.references["reference-2"] == {1: "r1"}


@pytest.mark.usefixtures("clock")
def test_many_language_pairs_of_one_submission(tmp_path):
    path = tmp_path / "a.tsv"
    pairs = [f"{a}{b}-{c}{d}" for a in "abcdef" for b in "abcdef" for c in "abcdefghij"
             for d in "abcdefghij"]  # fmt: skip
    rows = "".join(f"M\t{pair}\tt\tA\t1\t0.5\n" for pair in pairs)
    path.write_text("METRIC\tLP\tTESTSET\tSYSTEM\tSCORE\tHUMAN\n" + rows.replace("\t0.5", "\t2"))
    assert len(read(path).ratings) == len(pairs)


@pytest.mark.usefixtures("clock")
def test_a_json_object_with_many_keys_and_a_ranking_of_many(tmp_path):
    path = tmp_path / "a.jsonl"
    ranking = {"record": "ranking", "testset": "", "pair": "", "segment": 1,
               "systems": [f"s{i}" for i in range(101)], "ranks": [1] * 101}  # fmt: skip
    path.write_text(json.dumps(ranking) + "\n")
    with pytest.raises(DataError, match="101 systems in a ranking; at most 100 are read"):
        read(path)
    path.write_text('{"record": "rating", ' + ", ".join(['"k": 1'] * 50_000) + "}\n")
    with pytest.raises(DataError, match="key k appears more than once"):
        read(path)


def test_more_pairs_of_ratings_than_memory_holds():
    ratings = [Rating("", "de-en", f"s{i}", 1, 0.5) for i in range(10_000)]
    with pytest.raises(SpecError, match=r"the ratings make 49,995,000 pairs of translations"):
        preferences_of_ratings(ratings)


HUGE = "9" * 5000
NUMBERS = {
    "1e16": r"beyond ±1e\+15, too large|at most ±1e\+15",
    "-1e160": r"beyond ±1e\+15, too large|at most ±1e\+15",
    "1e999": r"is not a finite number|at most ±1e\+15",
    "NaN": "is not a finite number",
    "Infinity": "is not a finite number",
    HUGE: "too large|is not a finite number",
}


@pytest.mark.parametrize("form", ["csv", "jsonl", "scores", "submission", "mqm", "da"])
@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:10])
def test_one_rule_for_numbers_in_all_readers(tmp_path, form, number):
    record = '"record": "rating", "testset": "", "pair": "", "segment": 1, "system": "A"'
    row = "M\tde-en\tt\t"
    name, text = {
        "csv": ("a.csv", f"system,score\nA,{number}\n"),
        "jsonl": ("a.jsonl", f'{{{record}, "score": {number}}}\n'),
        "scores": ("a.scores", f"0.5\n0.6\n0.7\n{number}\n"),
        "submission": ("a.tsv", f"{row}B\t1\n{row}C\t1\n{row}A\t{number}\n"),
        "mqm": ("a.tsv", f"system mqm_avg_score seg_id\nA -{number.lstrip('-')} 1\n"),
        "da": ("a.csv", f"SYS SID RAW.SCR Z.SCR N\nA 1 50 {number} 1\n"),
    }[form]
    (tmp_path / name).write_text(text)
    if form == "submission" and number == "NaN":
        assert "1 rows without a score" in read(tmp_path / name).notes[0]
        return
    with pytest.raises(DataError, match=NUMBERS[number]) as caught:
        read(tmp_path / name)
    assert len(str(caught.value)) < 400
    assert caught.value.faults[0].line is not None


@pytest.mark.parametrize("number", [HUGE, "1" + "0" * 14 + "01"], ids=["huge", "large"])
@pytest.mark.parametrize("column", ["segment", "count"])
def test_whole_numbers_have_a_bound_too(tmp_path, column, number):
    values = {"segment": "1", "count": "1", column: number}
    path = tmp_path / "a.csv"
    path.write_text(f"segment,better,worse,count\n{values['segment']},A,B,{values['count']}\n")
    with pytest.raises(
        DataError, match=rf'2: {column} ".*" is beyond 1,000,000,000(,000,000)?, too large'
    ):
        read(path)
    path = tmp_path / "a.jsonl"
    record = '"record": "preference", "testset": "", "pair": "", "better": "A", "worse": "B"'
    path.write_text(f'{{{record}, "segment": {values["segment"]}, "count": {values["count"]}}}\n')
    with pytest.raises(DataError, match=r"a.jsonl:1: .*(1,000,000,000(,000,000)?, not|too large)"):
        read(path)

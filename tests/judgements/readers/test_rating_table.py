import pytest

from concordant.errors import DataError
from concordant.judgements.readers.rating_tables import read_plain as read
from concordant.records import Rating


def write(folder, text, name="ratings.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_ratings_of_segments(tmp_path):
    collection = read(write(tmp_path, "segment,system,score\n3,A,-0.5\n3,A,-0.5\n", "r.de-en.csv"))
    assert collection.ratings == (Rating("", "de-en", "A", 3, -0.5),) * 2
    assert [each.line for each in collection.ratings] == [2, 3]


def test_without_a_segment_column_the_ratings_are_of_systems(tmp_path):
    collection = read(write(tmp_path, "score,system\n0.25,A\n"))
    assert collection.ratings == (Rating("", "", "A", None, 0.25),)


def test_every_column_with_tabs(tmp_path):
    text = (
        "segment\tsystem\tscore\tpair\ttestset\tjudge\traw\tannotators\tmood\n"
        '1\tA\t1\tde-en\tmine\tj\t80\t3\t"so\tso"\n'
        "2\tnewstest2016.B.de-en\t2\t\t\t\t\t1\t\n"
    )
    assert read(write(tmp_path, text)).ratings == (
        Rating("mine", "de-en", "A", 1, 1.0, 80.0, 3, "j", (("mood", "so\tso"),)),
        Rating("newstest2016", "de-en", "B", 2, 2.0, extra=(("mood", ""),)),
    )


def test_a_second_column_of_the_same_meaning_is_kept(tmp_path):
    text = "segment,system,score,lp,pair,count,annotators\n1,A,1,de-en,x,2,9\n"
    rating = Rating("", "de-en", "A", 1, 1.0, count=2, extra=(("pair", "x"), ("annotators", "9")))
    assert read(write(tmp_path, text)).ratings == (rating,)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (",A,1,1,1", 'segment "" is not a line number of 1 or more'),
        ("0,A,1,1,1", 'segment "0" is not a line number of 1 or more'),
        ("A,1,1,1,1", 'segment "A" is not a line number of 1 or more'),
        ("1,,1,1,1", "system is empty"),
        ("1,1,A,1,1", 'score "A" is not a finite number'),
        ("1,A,,1,1", 'score "" is not a finite number'),
        ("1,A,nan,1,1", 'score "nan" is not a finite number'),
        ("1,A,1,inf,1", 'raw "inf" is not a finite number'),
        ("1,A,1,1,1.5", 'count "1.5" is not a whole number from 1'),
    ],
)
def test_faults(tmp_path, row, message):
    path = write(tmp_path, f"segment,system,score,raw,count\n1,A,1,1,1\n{row}\n")
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:3: {message}"


def test_every_fault_is_shown(tmp_path):
    path = write(tmp_path, "segment,system,score\nx,A,1\n1,A,1\n1,A,x\n")
    with pytest.raises(DataError) as caught:
        read(path)
    assert [fault.line for fault in caught.value.faults] == [2, 4]


def test_an_empty_file_and_a_missing_or_repeated_column(tmp_path):
    with pytest.raises(DataError, match="is empty"):
        read(write(tmp_path, ""))
    with pytest.raises(DataError, match="no column score; the header has segment, system"):
        read(write(tmp_path, "segment,system\n1,A\n"))
    with pytest.raises(DataError, match="column score appears more than once"):
        read(write(tmp_path, "segment,system,score,score\n1,A,1,2\n"))

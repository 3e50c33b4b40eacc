import pytest

from concordant.errors import DataError
from concordant.judgements.readers.preference_tables import read_pairs as read
from concordant.records import Preference


def write(folder, text, name="pairs.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_smallest_file(tmp_path):
    collection = read(write(tmp_path, "segment,better,worse\n3,A,B\n"))
    assert collection.preferences == (Preference("", "", 3, "A", "B"),)
    assert collection.preferences[0].line == 2
    assert collection.notes == ()


def test_every_column_in_another_order(tmp_path):
    text = (
        "tie,count,judge,worse,better,testset,lp,segment\n"
        "yes,4,j1,B,A,mine,German-English,3\n"
        ",1,,A,B,,cs-en,4\n"
    )
    assert read(write(tmp_path, text)).preferences == (
        Preference("mine", "de-en", 3, "A", "B", tie=True, count=4, judge="j1"),
        Preference("", "cs-en", 4, "B", "A"),
    )


def test_the_pair_comes_from_the_system_or_else_from_the_file(tmp_path):
    text = "segment,better,worse\n3,newstest2014.A.1.ru-en,newstest2014.B.ru-en\n4,A,B\n"
    assert read(write(tmp_path, text, "pairs.cs-en.csv")).preferences == (
        Preference("newstest2014", "ru-en", 3, "A.1", "B"),
        Preference("", "cs-en", 4, "A", "B"),
    )


def test_a_column_that_is_not_used_is_noted(tmp_path):
    path = write(tmp_path, "segment,better,worse,mood\n3,A,B,good\n")
    assert read(path).notes == (f"{path}: columns mood are not used",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("de-en,x,A,B,1,", 'segment "x" is not a line number of 1 or more'),
        ("de-en,A,3,B,1,", 'segment "A" is not a line number of 1 or more'),
        ("de-en,1,,B,1,", "better is empty"),
        ("de-en,1,A,A,1,", "better and worse are the same system A"),
        ("de-en,1,newstest2014.A.de-en,A,1,", "better and worse are the same system A"),
        ("de-en,1,A,B,0,", 'count "0" is not a whole number from 1'),
        ("de-en,1,A,B,,", 'count "" is not a whole number from 1'),
        ("de-en,1,A,B,1,perhaps", 'tie "perhaps" is not one of 1, true, yes, 0, false, no'),
        ("german,1,A,B,1,", 'lp "german" is not a language pair such as de-en'),
        ("de-en,1,newstest2014.A.cs-en,B,1,", "system A is of cs-en, the row of de-en"),
    ],
)
def test_faults(tmp_path, row, message):
    path = write(tmp_path, f"lp,segment,better,worse,count,tie\nde-en,1,A,B,1,0\n{row}\n")
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:3: {message}"


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "pairs"),
    [
        ("wmt13/pairs.cs-en.csv.gz", 85_469),
        ("wmt13/pairs.de-en.csv.gz", 128_668),
        ("wmt13/pairs.es-en.csv.gz", 67_832),
        ("wmt13/pairs.fr-en.csv.gz", 80_741),
        ("wmt14/pairs.cs-en.csv.gz", 15_732),
        ("wmt14/pairs.de-en.csv.gz", 18_310),
        ("wmt14/pairs.fr-en.csv.gz", 19_620),
        ("wmt14/pairs.hi-en.csv.gz", 18_603),
        ("wmt14/pairs.ru-en.csv.gz", 28_838),
    ],
)
def test_real_files(data, file, pairs):
    preferences = read(data / file).preferences
    assert len(preferences) == pairs
    testset = f"newstest20{file[3:5]}"
    assert {(each.testset, each.pair) for each in preferences} == {(testset, file[12:17])}

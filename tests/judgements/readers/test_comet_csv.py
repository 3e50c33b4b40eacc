import pytest

from concordant.errors import DataError
from concordant.judgements.readers.comet_csv import read
from concordant.records import Preference, Rating


def write(folder, text, name="scores.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def fault_of(path):
    with pytest.raises(DataError) as caught:
        read(path)
    return str(caught.value).removeprefix(str(path))


def test_segments_and_outputs_are_numbered_as_they_appear(tmp_path):
    text = (
        "src,mt,ref,score\n"
        "jedna,won,one,0.5\n"
        "dva,two,two,1\n"
        'jedna,"one, ""1""",one,-1\n'
        "jedna,won,one,0.25\n"
    )
    collection = read(write(tmp_path, text, "scores.cs-en.csv"))
    assert collection.ratings == (
        Rating("", "cs-en", "output-1", 1, 0.5),
        Rating("", "cs-en", "output-1", 2, 1.0),
        Rating("", "cs-en", "output-2", 1, -1.0),
        Rating("", "cs-en", "output-1", 1, 0.25),
    )
    assert [each.line for each in collection.ratings] == [2, 3, 4, 5]
    (texts,) = collection.testsets
    assert texts.source == {1: "jedna", 2: "dva"}
    assert texts.references == {"reference": {1: "one", 2: "two"}}
    assert texts.translations == {"output-1": {1: "won", 2: "two"}, "output-2": {1: 'one, "1"'}}


def test_named_columns_are_used_and_others_kept(tmp_path):
    text = (
        "lp,src,mt,ref,score,raw,annotators,system,seg_id,testset,annotator,domain\n"
        "cs-en,jedna,won,one,0.5,80,3,A,7,mine,ann,news\n"
        "de-en,eins,one,one,1,,1,B,7,mine,,\n"
    )
    collection = read(write(tmp_path, text))
    assert collection.ratings == (
        Rating("mine", "cs-en", "A", 7, 0.5, 80.0, 3, "ann", (("domain", "news"),)),
        Rating("mine", "de-en", "B", 7, 1.0, extra=(("domain", ""),)),
    )
    assert [(each.name, each.pair, each.source) for each in collection.testsets] == [
        ("mine", "cs-en", {7: "jedna"}),
        ("mine", "de-en", {7: "eins"}),
    ]


def test_preferences(tmp_path):
    text = "src,ref,pos,neg,judge,count,mood\njedna,one,one,won,j,2,x\njedna,one,won,no,,1,x\n"
    path = write(tmp_path, text)
    collection = read(path)
    assert collection.preferences == (
        Preference("", "", 1, "output-1", "output-2", count=2, judge="j"),
        Preference("", "", 1, "output-2", "output-3"),
    )
    translations = {"output-1": {1: "one"}, "output-2": {1: "won"}, "output-3": {1: "no"}}
    assert collection.testsets[0].translations == translations
    assert collection.notes == (f"{path}: columns mood are not used",)


def test_a_segment_with_two_references_has_both(tmp_path):
    text = "src,mt,ref,score,system,segment\nj,w,one,1,A,1\nj,w,a one,1,A,1\nd,t,two,1,A,2\n"
    path = write(tmp_path, text)
    collection = read(path)
    assert collection.testsets[0].references == {
        "reference": {1: "one", 2: "two"},
        "reference-2": {1: "a one"},
    }
    assert collection.notes == (f"{path}: 1 segments have further references (reference-2 …)",)


def test_an_empty_text_is_one_that_is_not_there_but_an_empty_output_is(tmp_path):
    (texts,) = read(write(tmp_path, "src,mt,ref,score\n,,one,1\nj,a,,1\n")).testsets
    assert (texts.source, texts.references) == ({2: "j"}, {"reference": {1: "one"}})
    assert texts.translations == {"output-1": {1: "", 2: "a"}}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("other,w,one,1,A,1", ":3: segment 1 has another source text than in a row above; "),
        ("j,x,one,1,A,1", ":3: system A has another text for segment 1 than in a row above; "),
        ("j,w,one,w,A,1", ':3: score "w" is not a finite number'),
        ("j,w,one,nan,A,1", ':3: score "nan" is not a finite number'),
        ("j,w,one,1,,1", ":3: system is empty"),
        ("j,w,one,1,A,0", ':3: segment "0" is not a line number of 1 or more'),
        ("j,w,one,1,A", ":3: 5 fields, but 6 are needed"),
    ],
)
def test_faults_of_ratings(tmp_path, row, message):
    path = write(tmp_path, f"src,mt,ref,score,system,segment\nj,w,one,1,A,1\n{row}\n")
    assert fault_of(path).startswith(message)


def test_the_same_segment_of_two_test_sets_is_no_contradiction(tmp_path):
    text = "src,mt,ref,score,system,segment,testset\nj,w,o,1,A,1,x\nother,w,o,1,A,1,y\n"
    assert len(read(write(tmp_path, text)).testsets) == 2


def test_faults_of_preferences(tmp_path):
    assert fault_of(write(tmp_path, "src,ref,pos,neg\nj,o,a,a\n")) == (
        ":2: pos and neg are the same text"
    )
    assert fault_of(write(tmp_path, "src,ref,pos,neg\n,,a,b\n")) == (
        ":2: src and ref are both empty, and there is no segment column"
    )
    assert fault_of(write(tmp_path, "src,ref,pos\nj,o,a\n")) == (
        ":1: no column neg; the header has src, ref, pos"
    )


@pytest.mark.data
def test_real_files(data):
    collections = [read(path) for path in sorted((data / "da21").glob("*.csv.gz"))]
    assert sum(len(each.ratings) for each in collections) == 107_261
    assert [each.notes for each in collections] == [()] * 7
    segments = {each.pair: len(each.segments) for read_ in collections for each in read_.testsets}
    assert segments == {
        "cs-en": 1000,
        "de-en": 1000,
        "ha-en": 997,
        "is-en": 1000,
        "ja-en": 1005,
        "ru-en": 1000,
        "zh-en": 1948,
    }


def test_an_empty_cell_of_an_optional_column_is_not_given(tmp_path):
    path = tmp_path / "a.en-ru.csv"
    path.write_text(
        "lp,src,mt,ref,score,raw,annotators,system,segment\n"
        "en-ru,a,b,c,-1,,,A,1\n"
        "en-ru,a,d,c,0,50,3,B,1\n"
    )
    found = [(each.raw, each.count) for each in read(path).ratings]
    assert found == [(None, 1), (50.0, 3)]

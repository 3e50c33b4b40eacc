import pytest

from concordant.errors import DataError
from concordant.judgements.detection import detect, read
from concordant.records import Preference


def write(folder, text, name="preferences.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def fault_of(path):
    with pytest.raises(DataError) as caught:
        read(path)
    return str(caught.value).removeprefix(str(path))


def test_the_smallest_file(tmp_path):
    path = write(tmp_path, 'reference,better,worse\none,"one, ""1""",won\none,won,no\ntwo,two,to\n')
    assert str(detect(path)).endswith(
        "looks like preferences with their texts because its header has reference, better and worse"
    )
    collection = read(path)
    assert collection.preferences == (
        Preference("", "", 1, "output-1", "output-2"),
        Preference("", "", 1, "output-2", "output-3"),
        Preference("", "", 2, "output-1", "output-2"),
    )
    assert [each.line for each in collection.preferences] == [2, 3, 4]
    (texts,) = collection.testsets
    assert texts.source == {}
    assert texts.references == {"reference": {1: "one", 2: "two"}}
    assert texts.translations == {
        "output-1": {1: 'one, "1"', 2: "two"},
        "output-2": {1: "won", 2: "to"},
        "output-3": {1: "no"},
    }
    assert collection.notes == ()


def test_every_column_in_another_order(tmp_path):
    text = (
        "tie,worse,better,count,judge,testset,pair,seg_id,src,ref\n"
        "yes,won,one,2,ada,mine,German-English,7,eins,one\n"
        "0,to,two,1,,,cs-en,1,dva,two\n"
    )
    collection = read(write(tmp_path, text))
    assert collection.preferences == (
        Preference("mine", "de-en", 7, "output-1", "output-2", tie=True, count=2, judge="ada"),
        Preference("", "cs-en", 1, "output-1", "output-2"),
    )
    assert [each.source for each in collection.testsets] == [{7: "eins"}, {1: "dva"}]


def test_a_tsv_is_never_quoted(tmp_path):
    text = 'reference\tbetter\tworse\n"One" he said\t"One", he said\t"one\n'
    (texts,) = read(write(tmp_path, text, "mine.de-en.tsv")).testsets
    assert texts.pair == "de-en"
    assert texts.translations == {"output-1": {1: '"One", he said'}, "output-2": {1: '"one'}}


def test_the_same_reference_of_two_sources_is_two_segments(tmp_path):
    text = "source,reference,better,worse\nja,yes,yes,yeah\njo,yes,yes,yeah\nja,yes,yes,no\n"
    found = read(write(tmp_path, text))
    assert [each.segment for each in found.preferences] == [1, 2, 1]


def test_a_numbered_segment_may_have_two_references(tmp_path):
    path = write(tmp_path, "segment,reference,better,worse\n4,one,a,b\n4,a one,a,c\n")
    collection = read(path)
    references = {"reference": {4: "one"}, "reference-2": {4: "a one"}}
    assert collection.testsets[0].references == references
    assert collection.notes == (f"{path}: 1 segments have further references (reference-2 …)",)


def test_without_references_a_source_will_do(tmp_path):
    (texts,) = read(write(tmp_path, "source,reference,better,worse\nja,,yes,no\n")).testsets
    assert (texts.source, texts.references) == ({1: "ja"}, {})


def test_what_is_left_out_is_told(tmp_path):
    path = write(tmp_path, "reference,better,worse,mood\none,a,a,x\none,a,b,x\ntwo,,,x\n")
    collection = read(path)
    assert len(collection.preferences) == 1
    assert collection.notes == (
        f"{path}: columns mood are not used",
        f"{path}: 2 rows compare a text with itself and are left out (the first: line 2)",
    )
    path = write(tmp_path, "reference,better,worse\none,a,a\n")
    assert fault_of(path) == ": better and worse are the same text in every row"


def test_it_is_told_apart_from_its_neighbours(tmp_path):
    for header, name in {
        "segment,better,worse": "judged-pairs",
        "segment,better,worse,reference": "preference-texts",
        "better,worse,ref,system,score": "preference-texts",
        "src,ref,pos,neg": "comet-csv",
        "segment\tbetter\tworse\tref": "preference-texts",
    }.items():
        path = write(tmp_path, f"{header}\n")
        assert detect(path).format.name == name


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("de-en,0,one,a,b,1,", ':3: segment "0" is not a line number of 1 or more'),
        ("de-en,1,one,a,b,0,", ':3: count "0" is not a whole number from 1'),
        ("de-en,1,one,a,b,1,maybe", ':3: tie "maybe" is not one of 1, true, yes, 0, false, no'),
        ("german,1,one,a,b,1,", ':3: lp "german" is not a language pair such as de-en'),
        ("de-en,1,one,a,b,1", ":3: 6 fields, but 7 are needed"),
    ],
)
def test_faults(tmp_path, row, message):
    header = "lp,segment,reference,better,worse,count,tie"
    assert fault_of(write(tmp_path, f"{header}\nde-en,1,one,a,b,1,\n{row}\n")) == message


def test_a_row_without_anything_to_know_its_segment_by(tmp_path):
    path = write(tmp_path, "reference,better,worse\n,a,b\n")
    assert fault_of(path) == ":2: src and ref are both empty, and there is no segment column"
    path = write(tmp_path, "better,worse\na,b\n")
    with pytest.raises(DataError, match="no column reference; the header has better, worse"):
        read(path, as_format="preference-texts")

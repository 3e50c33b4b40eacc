import gzip

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.da_seg import FORMAT, is_companion, read
from concordant.judgements.readers.formats import head_of
from concordant.records import Rating

DETAILS = (
    "LP\tDATA\t\tTHIS.SID\tORIG.SID\tSYSTEM\n"
    "cs-en\tnewstest2016\t1\t\t1158\t\tB\n"
    "cs-en\tnewstest2016\t2\t\t7\t\tA\n"
)


@pytest.fixture
def folder(tmp_path):
    """A set of two lines without details."""
    texts = {
        "human": "0.5\n-1.25\n",
        "source": "\ufeffjedna\ndva\n",
        "reference": "one\ntwo\n",
        "mt-system": "won\r\n\r\n",
    }
    for part, text in texts.items():
        name_of(tmp_path, part).write_bytes(text.encode())
    return tmp_path


def name_of(folder, part):
    return folder / f"DAseg.newstest2016.{part}.cs-en"


def fault_of(path):
    with pytest.raises(DataError) as caught:
        read(path)
    return str(caught.value).replace(f"{path.parent}/", "")


def test_a_set_without_details(folder):
    collection = read(name_of(folder, "human"))
    assert collection.ratings == (
        Rating("DAseg-newstest2016", "cs-en", "mt-system", 1, 0.5),
        Rating("DAseg-newstest2016", "cs-en", "mt-system", 2, -1.25),
    )
    (texts,) = collection.testsets
    assert (texts.name, texts.pair) == ("DAseg-newstest2016", "cs-en")
    assert texts.source == {1: "jedna", 2: "dva"}
    assert texts.references == {"reference": {1: "one", 2: "two"}}
    assert texts.translations == {"mt-system": {1: "won", 2: ""}}
    assert collection.notes == ()


def test_details_name_the_systems(folder):
    name_of(folder, "details").write_text(DETAILS)
    collection = read(name_of(folder, "human"))
    assert [(each.system, each.segment, each.extra) for each in collection.ratings] == [
        ("B", 1, (("original_segment", "1158"),)),
        ("A", 2, (("original_segment", "7"),)),
    ]
    assert collection.testsets[0].translations == {"B": {1: "won"}, "A": {2: ""}}


def test_details_of_another_pair_are_left_out_with_a_note(folder):
    details = name_of(folder, "details")
    details.write_text(DETAILS.replace("cs-en", "de-en"))
    collection = read(name_of(folder, "human"))
    assert {each.system for each in collection.ratings} == {"mt-system"}
    assert collection.notes == (
        f"{details}: left out because it is of de-en, not of cs-en; the systems are unknown",
    )


def test_files_may_be_packed(folder):
    plain = read(name_of(folder, "human"))
    for path in list(folder.iterdir()):
        (folder / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    packed = read(folder / "DAseg.newstest2016.human.cs-en.gz")
    assert (packed.ratings, packed.testsets) == (plain.ratings, plain.testsets)


def test_a_missing_text_is_noted(folder):
    name_of(folder, "reference").unlink()
    name_of(folder, "mt-system").unlink()
    human = name_of(folder, "human")
    collection = read(human)
    assert collection.notes == (
        f"{human}: there is no reference file next to it",
        f"{human}: there is no mt-system file next to it",
    )
    assert (collection.testsets[0].references, collection.testsets[0].translations) == ({}, {})


def test_different_counts_of_lines(folder):
    name_of(folder, "source").write_text("jedna\n")
    name_of(folder, "mt-system").write_text("a\nb\nc\n")
    assert fault_of(name_of(folder, "human")) == (
        "DAseg.newstest2016.source.cs-en: has 1 lines where DAseg.newstest2016.human.cs-en has 2\n"
        "DAseg.newstest2016.mt-system.cs-en: has 3 lines where DAseg.newstest2016.human.cs-en has 2"
    )


@pytest.mark.parametrize("score", ["", "nan", "won"])
def test_a_score_that_is_none(folder, score):
    human = name_of(folder, "human")
    human.write_text(f"0.5\n{score}\n")
    assert fault_of(human) == f'{human.name}:2: score "{score}" is not a finite number'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2\t\t7", "1\t\t7", ":3: THIS.SID is 1 where line 2 of the set is due"),
        ("\t\t7\t", "\t\tseven\t", ':3: ORIG.SID "seven" is not a line number of 1 or more'),
        ("ORIG.SID", "ORIGINAL", ":1: no column ORIG.SID; the header has LP, DATA, "),
        ("cs-en\tnewstest2016\t2\t\t7\t\tA\n", "", ": has details of 1 lines where "),
    ],
)
def test_faults_of_details(folder, old, new, message):
    name_of(folder, "details").write_text(DETAILS.replace(old, new))
    fault = fault_of(name_of(folder, "human"))
    assert fault.startswith(f"DAseg.newstest2016.details.cs-en{message}")


def test_a_file_of_another_name(tmp_path):
    path = tmp_path / "scores"
    path.write_text("1\n")
    assert fault_of(path) == "scores: is not named like DAseg.newstest2016.human.cs-en"


def test_only_the_scores_are_the_format_and_the_rest_are_companions(folder):
    claimed = [path.name for path in folder.iterdir() if FORMAT.looks_like(head_of(path))]
    assert claimed == ["DAseg.newstest2016.human.cs-en"]
    assert FORMAT.companion is is_companion
    companions = {path.name.split(".")[2] for path in folder.iterdir() if is_companion(path)}
    assert companions == {"source", "reference", "mt-system"}


def test_a_text_without_scores_beside_it_is_no_companion(folder):
    name_of(folder, "human").unlink()
    assert not is_companion(name_of(folder, "source"))


@pytest.mark.data
@pytest.mark.parametrize(("year", "pairs", "lines"), [("15", 5, 500), ("16", 7, 560)])
def test_real_files(data, year, pairs, lines):
    folder = data / f"da{year}"
    humans = sorted(folder.glob("*.human.*"))
    assert len(humans) == pairs
    for path in humans:
        collection = read(path)
        assert len(collection.ratings) == lines
        assert len(collection.testsets[0].references["reference"]) == lines
    assert all(is_companion(path) for path in folder.iterdir() if path not in humans)


@pytest.mark.data
def test_the_details_of_2016_are_those_of_cs_en(data):
    collections = {
        path.name[-5:]: read(path) for path in (data / "da16").glob("DAseg.newstest2016.human.*")
    }
    noted = {pair for pair, each in collections.items() if each.notes}
    assert noted == {"de-en", "fi-en", "ro-en", "ru-en", "tr-en"}
    assert len(collections["cs-en"].testsets[0].translations) == 5

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.wmt_rankings import read_two_way as read
from concordant.records import Ranking

HEADER = (
    "srclang,trglang,srcIndex,segmentId,judgeID,"
    "system1Id,system1rank,system2Id,system2rank,rankingID"
)
GOOD = (
    f"{HEADER}\n"
    "cs,en,12,12,j1,newstest2015.A.1.cs-en,3,newstest2015.B.cs-en,3,87\n"
    "cs,en,13,13,,onlineB,2,C,5,\n"
)


def write(folder, text):
    path = folder / "two.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_row_is_a_ranking_of_two(tmp_path):
    collection = read(write(tmp_path, GOOD))
    assert collection.rankings == (
        Ranking("newstest2015", "cs-en", 12, ("A.1", "B"), (3, 3), "j1", "87"),
        Ranking("", "cs-en", 13, ("onlineB", "C"), (2, 5)),
    )
    assert [each.line for each in collection.rankings] == [2, 3]
    assert collection.notes == ()


def test_an_unranked_output_leaves_nothing_to_compare(tmp_path):
    path = write(tmp_path, f"{GOOD}cs,en,13,13,j,A,-1,B,2,4\n")
    collection = read(path)
    assert len(collection.rankings) == 2
    assert collection.notes == (f"{path}: 1 rows with an unranked translation (-1) are left out",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("c5,en,1,1,j,A,1,B,2,4", 'unknown language "c5"'),
        ("cs,en,-3,1,j,A,1,B,2,4", 'srcIndex "-3" is not a line number of 1 or more'),
        ("cs,en,1,1,j,1,A,2,B,4", 'rank "A" is not one of 1, 2, 3, 4, 5 or -1 (not ranked)'),
        ("cs,en,1,1,j,A,1,B,6,4", 'rank "6" is not one of 1, 2, 3, 4, 5 or -1 (not ranked)'),
        ("cs,en,1,1,j,A,1,,2,4", "system2Id is empty"),
        ("cs,en,1,1,j,A,1,newstest2015.A,2,4", "system A is compared with itself"),
        ("cs,en,1,1,j,A,1,B,2", "9 fields, but 10 are needed"),
    ],
)
def test_faults(tmp_path, row, message):
    path = write(tmp_path, f"{GOOD}{row}\n")
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:4: {message}"


def test_a_missing_column(tmp_path):
    path = write(tmp_path, GOOD.replace("rankingID", "screen"))
    with pytest.raises(DataError, match="no column rankingID; the header has srclang, "):
        read(path)


@pytest.mark.data
@pytest.mark.parametrize(("year", "rows", "unranked"), [("15", 540_143, 35), ("16", 534_873, 0)])
def test_real_files(data, year, rows, unranked):
    read_files = [read(path) for path in sorted((data / f"wmt{year}").glob("wmt*.csv.gz"))]
    assert sum(len(each.rankings) for each in read_files) == rows - unranked
    notes = [note for each in read_files for note in each.notes]
    assert len(notes) == (1 if unranked else 0)
    assert all(f": {unranked} rows with an unranked" in note for note in notes)

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.wmt_rankings import FORMAT, read
from concordant.records import Ranking

PLACES = range(1, 6)
HEADER = ",".join(
    ["srclang", "trglang", "srcIndex", "judgeId"]
    + [f"system{i}Id" for i in PLACES]
    + [f"system{i}rank" for i in PLACES]
)
GOOD = f"{HEADER}\nCzech,English,7,j1,newstest2012.A.cs-en,B,C,D,E,1,2,2,-1,5\n"


def write(folder, text):
    path = folder / "ranks.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_ranking_leaves_out_what_was_not_ranked_and_says_so(tmp_path):
    path = write(tmp_path, GOOD)
    collection = read(path)
    ranking = Ranking("newstest2012", "cs-en", 7, ("A", "B", "C", "E"), (1, 2, 2, 5), "j1")
    assert collection.rankings == (ranking,)
    assert collection.rankings[0].line == 2
    assert collection.notes == (f"{path}: 1 translations shown but not ranked (-1) are left out",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("Klingon!,English,7,j,A,B,C,D,E,1,2,3,4,5", 'unknown language "Klingon!"'),
        ("cs,en,0,j,A,B,C,D,E,1,2,3,4,5", 'srcIndex "0" is not a line number of 1 or more'),
        (
            "cs,en,7,j,A,B,C,D,E,1,2,3,4,7",
            'rank "7" is not one of 1, 2, 3, 4, 5 or -1 (not ranked)',
        ),
        ("cs,en,7,j,A,,C,D,E,1,2,3,4,5", "system2Id is empty"),
        ("cs,en,7,j,A,A,C,D,E,1,2,3,4,5", "a system is ranked twice in one row"),
        ("cs,en,7", "3 fields, but 14 are needed"),
    ],
)
def test_faults(tmp_path, row, message):
    path = write(tmp_path, f"{GOOD}{row}\n")
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:3: {message}"


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "rankings"),
    [("wmt12/wmt12.RNK_results.csv", 12_339), ("wmt13/wmt13.fr-en.RNK_results.csv.gz", 9_996)],
)
def test_real_files(data, file, rankings):
    assert len(FORMAT.read(data / file).rankings) == rankings

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.rating_tables import read_da as read
from concordant.records import Rating


def write(folder, text, name="ad-seg-scores-de-en.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_ratings_of_segments(tmp_path):
    folder = tmp_path / "newstest2019-humaneval"
    folder.mkdir()
    text = "SYS SID RAW.SCR Z.SCR N \nA.6750 12 87.5 0.25 2 \nnewstest2018.B.de-en 3 40 -1e-1 1\n"
    collection = read(write(folder, text))
    assert collection.ratings == (
        Rating("newstest2019", "de-en", "A.6750", 12, 0.25, 87.5, 2),
        Rating("newstest2018", "de-en", "B", 3, -0.1, 40.0, 1),
    )
    assert [each.line for each in collection.ratings] == [2, 3]


def test_ratings_of_systems_in_another_order_with_a_further_column(tmp_path):
    text = "RAW.SCR Z.SCR N SYS N.ALL \n62.5 0.107 487 A.0 490 \n"
    rating = Rating("", "xh-zu", "A.0", None, 0.107, 62.5, 487, extra=(("N.ALL", "490"),))
    assert read(write(tmp_path, text, "ad-sys-scores-xh-zu.csv")).ratings == (rating,)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("12 A 87.5 0.25 2", 'SID "A" is not a line number of 1 or more'),
        ("A 12 87.5 NA 2", 'Z.SCR "NA" is not a finite number'),
        ("A 12 nan 0.25 2", 'RAW.SCR "nan" is not a finite number'),
        ("A 12 87.5 0.25 0", 'N "0" is not a whole number from 1'),
        ("A 12 87.5 0.25", "4 fields, but 5 are needed"),
    ],
)
def test_faults(tmp_path, row, message):
    path = write(tmp_path, f"SYS SID RAW.SCR Z.SCR N\nA 1 87.5 0.25 2\n{row}\n")
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:3: {message}"

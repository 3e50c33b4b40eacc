import pytest

from concordant.errors import DataError
from concordant.judgements.readers.rating_tables import read_mqm as read
from concordant.records import Rating

NAME = "mqm_newstest2020_ende.avg_seg_scores.tsv"


def write(folder, text):
    path = folder / NAME
    path.write_text(text, encoding="utf-8")
    return path


def test_published_scores_are_below_zero_and_stay(tmp_path):
    text = "system mqm_avg_score seg_id\nA.737 -2.333333 1\nA.737\t-0.000000 2\n"
    collection = read(write(tmp_path, text))
    assert collection.ratings == (
        Rating("newstest2020", "en-de", "A.737", 1, -2.333333),
        Rating("newstest2020", "en-de", "A.737", 2, 0.0),
    )
    assert str(collection.ratings[1].score) == "0.0"
    assert collection.notes == ()


def test_weights_of_errors_are_turned_round(tmp_path):
    path = write(tmp_path, "seg_id\tsystem\tmqm_avg_score\n1\tA\t5\n2\tA\t0\n")
    collection = read(path)
    assert [each.score for each in collection.ratings] == [-5.0, 0.0]
    assert str(collection.ratings[1].score) == "0.0"
    assert collection.notes == (
        f"{path}: scores are error weights (higher is worse); they are negated",
    )


def test_what_was_not_annotated_is_left_out_and_counted(tmp_path):
    path = write(tmp_path, "system\tmqm_avg_score\tseg_id\nA\tNone\t1\nA\t-1\t2\nA\t\t3\n")
    collection = read(path)
    assert [(each.segment, each.line) for each in collection.ratings] == [(2, 3)]
    assert collection.notes == (f"{path}: 2 rows without a score (None) are left out",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("A x 2", '3: mqm_avg_score "x" is not a finite number'),
        ("A nan 2", '3: mqm_avg_score "nan" is not a finite number'),
        ("A -1 0", '3: seg_id "0" is not a line number of 1 or more'),
        ("A -1", "3: 2 fields, but 3 are needed"),
        (
            "A 5 2",
            (
                "3: mqm_avg_score 5.0 is above zero and -1.0 in line 2 below it, so the "
                "direction is unclear; write all scores with one sign"
            ),
        ),
    ],
)
def test_faults(tmp_path, row, message):
    path = write(tmp_path, f"system mqm_avg_score seg_id\nA -1 1\n{row}\n")
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:{message}"


def test_a_file_without_any_score(tmp_path):
    path = write(tmp_path, "system mqm_avg_score seg_id\nA None 1\n")
    with pytest.raises(DataError, match="has no row with a score"):
        read(path)

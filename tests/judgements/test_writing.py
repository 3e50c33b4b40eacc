"""What is written is read again, as it is or recast."""

from concordant.judgements.detection import read
from concordant.judgements.recasting import Recasting, recast
from concordant.judgements.writing import write_judgements
from concordant.output_files import output_place
from concordant.records import Collection, Ranking, Rating

COLLECTION = Collection(
    rankings=(Ranking("t", "de-en", 1, ("a", "b"), (1, 1), "j"),),
    ratings=(Rating("t", "de-en", "a", 2, 0.25), Rating("t", "de-en", "b", 2, 0.5)),
)


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "out.jsonl"
    write_judgements(COLLECTION, output_place(path))
    again = read(path)
    assert (again.rankings, again.ratings) == (COLLECTION.rankings, COLLECTION.ratings)


def test_recasting_to_preferences():
    made = recast(COLLECTION, Recasting(target="preferences"))
    assert [(p.better, p.worse, p.tie) for p in made.preferences] == [
        ("a", "b", True),
        ("b", "a", False),
    ]
    assert not made.rankings
    assert not made.ratings
    dropped = recast(COLLECTION, Recasting(target="preferences", drop_ties=True))
    assert len(dropped.preferences) == 1

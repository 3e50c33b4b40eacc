"""Files are replaced whole or not at all."""

import pytest

from concordant.errors import DataError
from concordant.judgements.detection import read
from concordant.judgements.recasting import Recasting, recast
from concordant.judgements.writing import replace_file, write_text
from concordant.records import Collection, Ranking, Rating

COLLECTION = Collection(
    rankings=(Ranking("t", "de-en", 1, ("a", "b"), (1, 1), "j"),),
    ratings=(Rating("t", "de-en", "a", 2, 0.25), Rating("t", "de-en", "b", 2, 0.5)),
)


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "deep" / "out.jsonl"
    write_text(COLLECTION, str(path))
    again = read(path)
    assert (again.rankings, again.ratings) == (COLLECTION.rankings, COLLECTION.ratings)


def test_an_interruption_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "out.jsonl"
    path.write_text("old", encoding="utf-8")

    def stop(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("concordant.judgements.writing.os.fdopen", stop)
    with pytest.raises(KeyboardInterrupt):
        replace_file(path, "new")
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="cannot be written"):
        replace_file(blocker / "out.jsonl", "new")


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

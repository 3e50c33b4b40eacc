"""What a folder holds, counted."""

from concordant.judgements.summary import holdings
from concordant.records import Collection, Preference, Ranking, Rating, TestSet


def test_counts_ties_judges_and_gaps():
    collection = Collection(
        testsets=(TestSet("t", "de-en", references={"r": {1: "x"}}, translations={"a": {1: "x"}}),),
        rankings=(
            Ranking("t", "de-en", 1, ("a", "b", "c"), (1, 1, 2), "j"),
            Ranking("t", "de-en", 2, ("a", "b"), (1, 2), "k"),
        ),
        preferences=(Preference("t", "de-en", 1, "a", "b", tie=True, count=3),),
        ratings=(Rating("u", "cs-en", "a", None, 1.0),),
    )
    ranked, preferred, rated = holdings(collection)
    assert (ranked.judgements, ranked.pairs, ranked.ties, ranked.judges) == (2, 4, 1, 2)
    assert ranked.missing == "source, references of 1 segments, 4 judged translations"
    assert (preferred.pairs, preferred.ties) == (3, 3)
    assert (rated.kind, rated.segments, rated.missing) == ("system ratings", 0, "texts")


def test_texts_without_judgements_are_listed():
    (only,) = holdings(Collection(testsets=(TestSet("t", "de-en", source={1: "x", 2: "y"}),)))
    assert (only.kind, only.segments, only.missing) == ("texts only", 2, "judgements")

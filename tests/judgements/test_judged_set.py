"""Every kind of judgement becomes pairs of texts; what teaches nothing is left out and counted."""

import numpy as np
import pytest

from concordant.errors import ConcordantError, DataError, SpecError
from concordant.judgements import judged_columns
from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.records import Collection, Preference, Ranking, Rating, TestSet

OUTPUTS = {"A": {1: "one", 2: "two"}, "B": {1: "won", 2: "to"}, "C": {1: "one", 2: "too"}}
TEXTS = TestSet("t", "de-en", {1: "eins", 2: "zwei"}, {"reference": {1: "one", 2: "two"}}, OUTPUTS)


def prefer(better, worse, segment=1, **options):
    return Preference("t", "de-en", segment, better, worse, **options)


def collected(*preferences, texts=TEXTS, **others):
    return Collection((texts,), preferences=preferences, **others)


def judged_pairs(collection, *kinds, language_pairs=(), human=None, **options):
    judged = JudgedSet.of(collection, *kinds, language_pairs=language_pairs, human=human)
    return judged.pairs(**options)


def texts_of(pairs):
    """(better text, worse text) of every pair."""
    return [
        (pairs.translations[b], pairs.translations[w])
        for b, w in zip(pairs.better, pairs.worse, strict=True)
    ]


def test_preferences_come_with_their_texts():
    pairs = judged_pairs(collected(prefer("A", "B"), prefer("B", "C", 2, count=3)))
    assert texts_of(pairs) == [("one", "won"), ("to", "too")]
    assert pairs.weight.tolist() == [1, 3]
    assert pairs.references[pairs.better[1]] == ("two",)
    assert pairs.sources[pairs.worse[0]] == "eins"
    assert pairs.places[pairs.better[0]] == ("de-en", "t", 1)
    assert pairs.language_pair == ["de-en"] * 2
    assert len(set(pairs.segment.tolist())) == len(pairs) == 2
    assert pairs.notes == ()
    assert pairs.by_test_set() == {("de-en", "t"): [0, 1, 2, 3]}


def test_segments_of_two_language_pairs_of_one_test_set_are_one():
    other = TestSet("t", "cs-en", {}, TEXTS.references, OUTPUTS)
    given = (prefer("A", "B"), Preference("t", "cs-en", 1, "A", "B"))
    pairs = judged_pairs(Collection((TEXTS, other), preferences=given))
    assert pairs.segment.tolist() == [0, 0]
    assert pairs.language_pair == ["de-en", "cs-en"]


def test_rankings_and_ratings_become_pairs():
    ranking = Ranking("t", "de-en", 2, ("A", "B", "C"), (2, 1, 2))
    pairs = judged_pairs(Collection((TEXTS,), rankings=(ranking,)))
    assert texts_of(pairs) == [("to", "two"), ("to", "too")]
    assert pairs.notes == ("1 ties are left out",)
    ratings = tuple(
        Rating("t", "de-en", system, 2, score)
        for system, score in (("A", 70.0), ("B", 50.0), ("C", 65.0))
    )
    rated = Collection((TEXTS,), ratings=(*ratings, Rating("t", "de-en", "A", None, 1.0)))
    assert texts_of(judged_pairs(rated)) == [("two", "to"), ("two", "too"), ("too", "to")]
    assert texts_of(judged_pairs(rated, minimum_gap=15)) == [("two", "to"), ("too", "to")]
    with pytest.raises(
        ConcordantError, match="two translations of a segment that are rated 99 apart"
    ):
        judged_pairs(rated, minimum_gap=99)


def test_one_kind_of_judgement_is_chosen_where_there_are_several():
    ratings = tuple(Rating("t", "de-en", s, 1, score) for s, score in (("A", 1.0), ("B", 2.0)))
    collection = collected(prefer("A", "B", 2), ratings=ratings)
    both = judged_pairs(collection)
    assert texts_of(both) == [("two", "to"), ("won", "one")]
    assert both.notes == (
        "preferences and ratings are used together; data.kind selects one of them",
    )
    assert texts_of(judged_pairs(collection, "ratings")) == [("won", "one")]
    assert judged_pairs(collection, "preferences").notes == ()
    with pytest.raises(SpecError, match="there are no rankings; there are preferences, ratings"):
        judged_pairs(collection, "rankings")


def test_one_of_several_human_scores_is_chosen():
    ratings = tuple(
        Rating("t", "de-en", system, 1, score, extra=(("human", human),))
        for human, system, score in (
            ("mqm", "A", 1.0), ("mqm", "B", 2.0), ("da", "A", 9.0), ("da", "B", 3.0),
        )
    )  # fmt: skip
    collection = Collection((TEXTS,), ratings=ratings)
    assert texts_of(judged_pairs(collection, human="da")) == [("one", "won")]
    assert texts_of(judged_pairs(collection, human="mqm")) == [("won", "one")]
    with pytest.raises(SpecError, match="several human scores: da, mqm; choose one"):
        judged_pairs(collection)
    with pytest.raises(SpecError, match='there is no human score "sqm"; there is da, mqm'):
        judged_pairs(collection, human="sqm")


def test_ties_and_equal_texts_are_left_out_and_counted():
    given = [prefer("A", "B"), prefer("A", "B", tie=True), prefer("A", "C"), prefer("C", "A", 2)]
    pairs = judged_pairs(collected(*given))
    assert texts_of(pairs) == [("one", "won"), ("too", "two")]
    assert pairs.notes == ("1 ties are left out", "1 judgements of two equal texts are left out")
    assert len(judged_pairs(collected(*given), equal_texts=True)) == 3


def test_nothing_to_learn_from_is_told():
    with pytest.raises(ConcordantError, match="all 2 judgements are ties; there is nothing to lea"):
        judged_pairs(collected(prefer("A", "B", tie=True), prefer("A", "C", tie=True)))
    with pytest.raises(ConcordantError, match="every judged pair is of two equal texts"):
        judged_pairs(collected(prefer("A", "C")))
    with pytest.raises(SpecError, match="there are no judgements, only texts or scores"):
        judged_pairs(Collection((TEXTS,)))
    with pytest.raises(ConcordantError, match="no judgements that compare two translations"):
        judged_pairs(Collection((TEXTS,), ratings=(Rating("t", "de-en", "A", 1, 3.0),)))


def test_contradictions_are_counted_and_all_of_them_are_an_error():
    given = [prefer("A", "B"), prefer("B", "A"), prefer("A", "B", 2)]
    assert judged_pairs(collected(*given)).notes == (
        "2 of 3 judgements are contradicted by another one",
    )
    words = "all 2 judgements contradict each other: every pair was judged as often one way"
    with pytest.raises(ConcordantError, match=words):
        judged_pairs(collected(*given[:2]))
    with pytest.raises(ConcordantError, match="all 4 judgements contradict each other"):
        judged_pairs(collected(*given[:2], *given[:2]))
    with pytest.raises(ConcordantError, match="contradict each other"):
        judged_pairs(collected(prefer("A", "B", count=2), prefer("B", "A"), prefer("B", "A")))
    assert len(judged_pairs(collected(prefer("A", "B", count=2), prefer("B", "A")))) == 2


def test_the_majority_decides_a_pair_once():
    given = [
        prefer("A", "B"), prefer("B", "A", count=3), prefer("A", "B"),  # 2 : 3
        prefer("B", "C"), prefer("C", "B"),  # as many for as against
        prefer("A", "B", 2), prefer("A", "B", 2),
    ]  # fmt: skip
    pairs = judged_pairs(collected(*given)).majority()
    assert texts_of(pairs) == [("won", "one"), ("two", "to")]
    assert pairs.weight.tolist() == [1, 1]
    even = judged_pairs(collected(prefer("A", "B"), prefer("B", "A"), prefer("A", "C", 2)))
    with pytest.raises(ConcordantError, match="no pair has a majority of judgements"):
        even.take(np.array([0, 1])).majority()


def test_patterns_choose_language_pairs():
    texts = (TEXTS, TestSet("u", "en-de", {}, {"reference": {1: "eins"}}, OUTPUTS))
    given = (prefer("A", "B"), Preference("u", "en-de", 1, "A", "B"))
    both = Collection(texts, preferences=given)
    assert len(judged_pairs(both)) == 2
    for pattern in ("de-en", "*-en", "t *"):
        assert judged_pairs(both, language_pairs=[pattern]).language_pair == ["de-en"]
    assert len(judged_pairs(both, language_pairs=["de-en", "u *"])) == 2
    with pytest.raises(
        SpecError, match="no language pair matches fr-en; there are: t de-en, u en-de"
    ):
        judged_pairs(both, language_pairs=["de-en", "fr-en"])
    unnamed = Collection((), preferences=(Preference("", "", 1, "A", "B"),))
    with pytest.raises(SpecError, match="no language pair matches fr-en; there are: unnamed"):
        judged_pairs(unnamed, language_pairs=["fr-en"])


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (TestSet("u", "de-en"), "there are no texts for t de-en; add a file or folder that has"),
        (
            TestSet("t", "de-en", translations={"A": {7: "x"}}),
            'system "B" has no translation in t de-en',
        ),
        (
            TestSet("t", "de-en", translations={"A": {7: "x"}, "B": {7: "x"}}),
            'system "B" has no translation of segment 7',
        ),
        (TestSet("t", "de-en", translations=OUTPUTS), "segment 1 of t de-en has no reference"),
        (
            TestSet("t", "de-en", {}, TEXTS.references, OUTPUTS),
            "segment 1 of t de-en has no source",
        ),
    ],
)
def test_what_the_texts_lack_is_told_with_its_place(texts, message):
    segment = 1 if len(texts.translations) == 3 else 7
    if "of segment 7" in message:
        texts = TestSet("t", "de-en", translations={"A": {7: "x"}, "B": {1: "x"}})
    given = prefer("A", "B", segment, file="mine.csv", line=12)
    with pytest.raises(DataError) as caught:
        judged_pairs(collected(given, texts=texts), needs=("reference", "source"))
    assert str(caught.value).startswith(f"mine.csv:12: {message}")


def test_what_is_not_needed_may_be_missing():
    bare = TestSet("t", "de-en", {1: "eins"}, {}, OUTPUTS)
    given = collected(prefer("A", "B"), texts=bare)
    assert len(judged_pairs(given, needs=())) == 1
    assert len(judged_pairs(given, needs=("source",))) == 1
    with pytest.raises(DataError, match="segment 1 of t de-en has no reference"):
        judged_pairs(given)


@pytest.mark.parametrize("kind", ["preferences", "rankings", "ratings"])
def test_evaluation_and_training_see_the_same_judgements(kind):
    collection = read("examples/de-en")
    judged = JudgedSet.of(collection, kind)
    (column,) = judged.columns()
    if kind == "ratings":
        rated = judged.rated()
        assert rated.ratings.tolist() == column.ratings.tolist()
        names = zip(rated.systems, rated.places, strict=True)
        assert [(s, seg) for s, (_, _, seg) in names] == [(o[2], o[3]) for o in column.places]
        return
    pairs = judged.pairs(ties=True, equal_texts=True)
    for mine, its in ((pairs.better, column.pairs.better), (pairs.worse, column.pairs.worse)):
        assert mine.tolist() == its.tolist()
    assert pairs.weight.tolist() == column.pairs.count.tolist()
    assert list(pairs.translations) == judged_columns.texts_of(column, "bleu")[0]


def test_both_views_refuse_a_judgement_without_its_text():
    stray = prefer("A", "AB", file="mine.csv", line=3)
    with pytest.raises(
        DataError, match=r'mine\.csv:3: system "AB" has no translation in t de-en; did'
    ):
        JudgedSet.of(collected(stray))
    with pytest.raises(DataError, match=r"mine\.csv:3: there are no texts for t de-en"):
        JudgedSet.of(Collection(preferences=(stray,))).pairs()
    assert JudgedSet.of(Collection(preferences=(stray,))).columns()[0].texts is None

"""Agreement of judges from records, and people's ranking of systems."""

import pytest

from concordant.errors import SpecError
from concordant.evaluation.annotators import annotator_agreement
from concordant.evaluation.system_ranking import system_ranking
from concordant.judgements.judged_set import JudgedSet
from concordant.records import Collection, Preference, Ranking, Rating


def ranking(judge, ranks, segment):
    return Ranking("t", "de-en", segment, ("a", "b"), ranks, judge)


def test_judges_of_one_mind_have_kappa_1():
    rankings = [
        ranking(judge, ranks, segment)
        for segment, ranks in enumerate([(1, 2), (2, 1), (1, 1)] * 4, 1)
        for judge in ("x", "y")
    ]
    inter, intra = annotator_agreement(Collection(rankings=tuple(rankings)), resamples=20)
    assert (inter.coefficient, inter.estimate.value) == ("κ inter-annotator", 1.0)
    assert inter.judges == 2
    assert intra.estimate is None
    assert "no item was judged twice by the same judge" in intra.undefined


def test_alpha_of_ratings():
    ratings = [
        Rating("t", "de-en", "a", segment, score, judge=judge)
        for segment, score in enumerate([1.0, 5.0, 3.0], 1)
        for judge in ("x", "y")
    ]
    (alpha,) = annotator_agreement(Collection(ratings=tuple(ratings)), resamples=20)
    assert alpha.estimate.value == 1.0


def test_judgements_without_judges_are_undefined_not_wrong():
    pairs = (Preference("t", "de-en", 1, "a", "b"), Preference("t", "de-en", 1, "b", "a"))
    for each in annotator_agreement(Collection(preferences=pairs), resamples=20):
        assert each.estimate is None
        assert each.undefined


def column(pairs):
    return JudgedSet.of(Collection(preferences=tuple(pairs)), "preferences").columns()[0]


def test_a_system_that_always_wins_stands_alone_at_the_top():
    pairs = [
        Preference("t", "de-en", segment, better, worse)
        for segment in range(1, 41)
        for better, worse in (("a", "b"), ("a", "c"), ("bc"[segment % 2], "cb"[segment % 2]))
    ]
    first, second, third = system_ranking(column(pairs), resamples=200)
    assert (first.system, first.score, first.cluster) == ("a", 1.0, 1)
    assert (first.rank_low, first.rank_high) == (1, 1)
    assert second.cluster == third.cluster == 2


def test_one_system_cannot_be_ranked():
    collection = Collection(ratings=(Rating("t", "de-en", "a", 1, 1.0),))
    with pytest.raises(SpecError, match="has 1 system; at least two are needed"):
        system_ranking(JudgedSet.of(collection, "ratings").columns()[0])

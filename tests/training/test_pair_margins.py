"""How far apart a pair should be: one for all, by agreement, by ratings; and ties."""

import numpy as np
import pytest

from concordant.errors import ConcordantError
from concordant.judgements.judged_set import JudgedSet
from concordant.models.linear.margins import margin_pairs
from concordant.records import Collection, Preference, Rating, TestSet

OUTPUTS = {s: {1: f"{s} one", 2: f"{s} two"} for s in "ABC"}
TEXTS = TestSet("t", "de-en", {}, {"reference": {1: "one", 2: "two"}}, OUTPUTS)


def prefer(better, worse, segment=1, **options):
    return Preference("t", "de-en", segment, better, worse, **options)


def pairs_of(*preferences, ratings=(), **options):
    collection = Collection((TEXTS,), preferences=preferences, ratings=ratings)
    return JudgedSet.of(collection).pairs(**options)


def systems_of(pairs, found):
    return [
        (pairs.systems[b], pairs.systems[w], round(float(m), 3))
        for b, w, m in zip(found.better, found.worse, found.margin, strict=True)
    ]


def test_the_paper_wants_one_for_every_judgement():
    pairs = pairs_of(prefer("A", "B", count=2), prefer("B", "A"), prefer("C", "B", 2))
    found = margin_pairs(pairs)
    assert systems_of(pairs, found) == [("A", "B", 1)] * 2 + [("B", "A", 1), ("C", "B", 1)]
    assert found.tie is None


def test_a_pair_that_judges_disagree_on_is_asked_for_less():
    given = [prefer("A", "B", count=3), prefer("B", "A"), prefer("C", "B", 2, count=2)]
    given += [prefer("A", "C"), prefer("C", "A")]
    pairs = pairs_of(*given)
    found = margin_pairs(pairs, "agreement")
    assert systems_of(pairs, found) == [("A", "B", 0.5)] * 3 + [("C", "B", 1.0)] * 2


def test_ties_count_as_disagreement_and_stay_ties():
    pairs = pairs_of(prefer("A", "B"), prefer("A", "B", tie=True), ties=True)
    found = margin_pairs(pairs, "agreement")
    assert found.tie.tolist() == [False, True]
    assert found.margin[0] == 0.5


def test_nobody_won_is_told():
    pairs = pairs_of(prefer("A", "B"), prefer("B", "A"), prefer("C", "B", 2))
    rows = np.flatnonzero(pairs.segment == pairs.segment[0])
    with pytest.raises(ConcordantError, match="no pair has a majority of judgements"):
        margin_pairs(pairs.take(rows), "agreement")


def test_ratings_say_how_far_and_are_one_on_average():
    scores = {"A": 90.0, "B": 60.0, "C": 50.0}
    rated = tuple(Rating("t", "de-en", s, 1, score) for s, score in scores.items())
    pairs = pairs_of(ratings=rated)
    found = margin_pairs(pairs, "ratings")
    assert found.margin.mean() == pytest.approx(1)
    gaps = {(b, w): m for b, w, m in systems_of(pairs, found)}
    assert gaps["A", "B"] == pytest.approx(3 * gaps["B", "C"], rel=1e-3)


def test_ratings_that_are_not_there_are_told():
    with pytest.raises(ConcordantError, match=r'objective\.margin = "ratings" needs ratings'):
        margin_pairs(pairs_of(prefer("A", "B")), "ratings")
    some = (Rating("t", "de-en", "A", 1, 3.0),)
    with pytest.raises(ConcordantError, match="1 judged pairs have a translation without a rating"):
        margin_pairs(pairs_of(prefer("A", "B"), ratings=some), "ratings")


def test_ties_are_only_kept_when_asked_for():
    given = (prefer("A", "B"), prefer("B", "C", tie=True))
    assert pairs_of(*given).tie is None
    assert pairs_of(*given).notes == ("1 ties are left out",)
    kept = pairs_of(*given, ties=True)
    assert kept.tie.tolist() == [False, True]
    assert kept.notes == ()
    assert kept.take(np.array([1])).tie.tolist() == [True]

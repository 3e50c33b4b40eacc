"""Conversions lose nothing unasked, and say what they cannot do."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import DataError
from concordant.judgements.conversion import (
    mean_ratings,
    merge_repeats,
    preferences_of_rankings,
    preferences_of_ratings,
    standardise,
)
from concordant.records import Preference, Ranking, Rating

ranks = st.lists(st.integers(1, 5), min_size=1, max_size=5)


def ranking(values, *, segment=1, judge="j"):
    systems = tuple("abcde"[: len(values)])
    return Ranking("t", "de-en", segment, systems, tuple(values), judge, file="f", line=3)


@given(ranks)
def test_every_pair_of_a_ranking_becomes_one_preference(values):
    pairs = preferences_of_rankings([ranking(values)])
    rank = dict(zip("abcde", values, strict=False))
    found = {frozenset((p.better, p.worse)) for p in pairs}
    assert found == {frozenset(c) for c in itertools.combinations(rank, 2)}
    assert len(pairs) == len(found)
    for pair in pairs:
        assert pair.tie == (rank[pair.better] == rank[pair.worse])
        assert rank[pair.better] <= rank[pair.worse]
        assert (pair.judge, pair.file, pair.line) == ("j", "f", 3)


@given(st.lists(ranks, max_size=6))
def test_merging_repeats_keeps_the_number_of_judgements(many):
    kept = preferences_of_rankings([ranking(values) for values in many])
    merged = merge_repeats(kept)
    assert sum(pair.count for pair in merged) == len(kept)
    keys = [(p.segment, p.better, p.worse, p.tie) for p in merged]
    assert len(set(keys)) == len(keys)


def test_judges_who_disagree_stay_two_records():
    two = [ranking([1, 2], judge="x"), ranking([2, 1], judge="y"), ranking([1, 2], judge="z")]
    merged = merge_repeats(preferences_of_rankings(two))
    assert [(p.better, p.worse, p.count) for p in merged] == [("a", "b", 2), ("b", "a", 1)]


def test_a_tie_merges_whichever_way_round_it_was_written():
    ties = [
        Preference("t", "de-en", 1, "a", "b", tie=True),
        Preference("t", "de-en", 1, "b", "a", tie=True),
    ]
    assert [pair.count for pair in merge_repeats(ties)] == [2]


def rating(system, score, *, judge=None, raw=None, segment=1, line=1):
    return Rating(
        "t", "de-en", system, segment, score, raw=raw, judge=judge, file="r.csv", line=line
    )


def test_darr_keeps_pairs_at_least_the_gap_apart():
    ratings = [rating("a", 0.1, raw=30.0), rating("b", 0.2, raw=55.0), rating("c", 0.3, raw=79.0)]
    pairs = preferences_of_ratings(ratings, minimum_gap=25, raw=True)
    assert [(p.better, p.worse) for p in pairs] == [("b", "a"), ("c", "a")]


def test_darr_without_raw_scores_is_an_error_with_its_line():
    with pytest.raises(DataError, match=r"r\.csv:7: has no raw score, which DARR needs"):
        preferences_of_ratings([rating("a", 1.0, line=7), rating("b", 2.0, raw=3.0)], raw=True)


def test_equal_ratings_are_ties_and_kept():
    (pair,) = preferences_of_ratings([rating("a", 1.0), rating("b", 1.0)])
    assert pair.tie


def test_ratings_of_whole_systems_compare_no_segments():
    assert preferences_of_ratings([rating("a", 1.0, segment=None)]) == []


def test_the_mean_over_judges_comes_before_the_comparison():
    judged = [rating("a", 10.0, judge="x"), rating("a", 50.0, judge="y"), rating("b", 20.0)]
    (pair,) = preferences_of_ratings(judged)
    assert (pair.better, pair.worse) == ("a", "b")
    assert [r.score for r in mean_ratings(judged)] == [30.0, 20.0]


def test_standardised_ratings_have_mean_0_and_deviation_1_for_each_judge():
    judged = [rating("a", s, judge=j, segment=i) for j in "xy" for i, s in enumerate([1, 2, 6], 1)]
    result = standardise(judged)
    for judge in "xy":
        scores = [r.score for r in result if r.judge == judge]
        assert sum(scores) == pytest.approx(0)
        assert sum(s * s for s in scores) / 2 == pytest.approx(1)
    assert [r.raw for r in result] == [r.score for r in judged]


def test_a_judge_with_one_rating_has_no_scale():
    judged = [
        rating("a", 1.0, judge="x"),
        rating("b", 2.0, judge="x"),
        rating("c", 3.0, judge="y", line=9),
    ]
    with pytest.raises(DataError, match=r'r\.csv:9: judge "y" has one rating only and so no scale'):
        standardise(judged)


def test_a_judge_with_equal_ratings_has_no_scale():
    with pytest.raises(DataError, match='judge "x" has 2 equal ratings'):
        standardise([rating("a", 1.0, judge="x"), rating("b", 1.0, judge="x")])

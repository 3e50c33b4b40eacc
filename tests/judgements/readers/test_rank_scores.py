"""Scores of likeness from rankings: their arithmetic, Algorithm 1, and what is kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import ConcordantError
from concordant.judgements.readers.rank_scores import (
    largest_variance,
    rank_scores,
    with_rank_scores,
)
from concordant.records import Collection, Preference, Ranking, TestSet

NAMES = ("a", "b", "c", "same as a")


def collection(rankings=(), preferences=()):
    texts = {name: {1: f"output {name[-1]}", 2: f"second {name}"} for name in NAMES}
    testset = TestSet("t", "de-en", references={"ref": {1: "one", 2: "two"}}, translations=texts)
    return Collection((testset,), tuple(rankings), tuple(preferences))


def ranking(ranks, systems=("a", "b", "c"), segment=1):
    return Ranking("t", "de-en", segment, systems, ranks)


def test_a_score_is_six_minus_the_mean_rank():
    found = rank_scores(collection([ranking((1, 3, 5)), ranking((2, 3, 4))])).scores
    by_system = {each.system: each for each in found.values()}
    assert {name: each.score for name, each in by_system.items()} == {"a": 4.5, "b": 3, "c": 1.5}
    assert by_system["a"].variance == np.var([1, 2])
    assert by_system["b"].variance == 0


def test_equal_texts_are_ranked_together_and_once_a_screen():
    screens = [ranking((1, 2), ("a", "b")), ranking((3, 4, 3), ("a", "b", "same as a"))]
    found = rank_scores(collection(screens)).scores
    assert len(found) == 2
    assert found["t", 1, "output a"].ranks == (1.0, 3.0)
    other = rank_scores(collection([ranking((1, 3), ("a", "same as a"), segment=2)]))
    assert len(other.scores) == 2


def test_scores_of_pairs_need_no_ranks():
    pairs = [Preference("t", "de-en", 1, *each) for each in ("ab", "ac", "bc")]
    found = rank_scores(collection(preferences=pairs))
    assert found.notes == ("3 judged pairs are joined into 1 rankings",)
    assert [each.score for each in found.scores.values()] == [5, 4, 3]
    both = rank_scores(collection([ranking((1, 1, 1))], pairs))
    assert [each.score for each in both.scores.values()] == [5, 5, 5]  # rankings go before pairs


def test_what_is_kept_agrees():
    screens = [ranking(ranks) for ranks in ((1, 3, 5), (1, 3, 4), (1, 5, 4), (1, 5, 4))]
    found = rank_scores(collection(screens))
    limits = found.limits()
    assert limits[4].of == 3
    kept = found.ratings(fewest=4, limits=limits)
    assert {each.system for each in kept} == {"a", "c"}
    assert limits[4].kept == 2
    assert all(each.count == 4 for each in kept)
    assert len(found.ratings(fewest=4)) == 3
    assert found.ratings(fewest=5) == []


def test_the_collection_has_ratings_instead_of_rankings():
    found = with_rank_scores(collection([ranking((1, 3, 5))]), fewest=1, filtered=False)
    assert found.rankings == ()
    assert [each.score for each in found.ratings] == [5, 3, 1]
    assert found.notes == ("3 translations have a score from 1 or more ranks",)


def slow_algorithm(pairs):
    """Algorithm 1 as it is printed."""
    best, v = -1.0, 0.25
    while v <= 4.0 + 1e-9:
        kept = [sign for variance, sign in pairs if variance < v - 1e-12]
        if kept and sum(kept) / len(kept) < 0.78:
            break
        if kept:
            best = v
        v += 0.05
    return best


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.3, 0.61, 1.02, 2.22]),
                          st.sampled_from([1, 1, 1, -1])), min_size=1))  # fmt: skip
def test_algorithm_1_is_as_printed(pairs):
    found, tau = largest_variance(sorted(pairs))
    slow = slow_algorithm(sorted(pairs))
    top = max(variance for variance, _ in pairs)
    # Above the largest variance there is nothing more to keep, and ours stops.
    assert found == pytest.approx(slow) or (slow > top and found > top)
    assert (tau is None) == (found == -1.0)


def test_rankings_without_texts_are_an_error_that_says_where():
    lost = Ranking("t", "de-en", 9, ("a", "b"), (1, 2), file="ranks.csv", line=4)
    with pytest.raises(ConcordantError, match=r"ranks\.csv:4: a has no translation of segment 9"):
        rank_scores(collection([lost]))
    with pytest.raises(ConcordantError, match="no rankings or judged pairs"):
        rank_scores(collection())

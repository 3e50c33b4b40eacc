"""Screens put together from their pairs are the screens that were cut."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.judgements.conversion import preferences_of_rankings
from concordant.judgements.detection import read
from concordant.judgements.readers.screens import (
    expected_ranks,
    joined_screens,
    levels_of,
    screens_of_pairs,
    spread_ranks,
    with_ties,
)
from concordant.records import Preference, Ranking

SYSTEMS = st.permutations("abcdefg").map(lambda names: tuple(names[:5]))
RANKS = st.tuples(*[st.integers(1, 5)] * 5).filter(lambda ranks: len(set(ranks)) > 1)


def order_of(ranking):
    _, level = levels_of(ranking.ranks)
    return ranking.segment, frozenset(zip(ranking.systems, level, strict=True))


@given(st.lists(st.tuples(SYSTEMS, RANKS), max_size=8))
def test_cut_and_put_together(screens):
    """Segments differ, as nearly always in WMT's files; then nothing is lost but the spacing."""
    rankings = [Ranking("t", "de-en", i, *each) for i, each in enumerate(screens)]
    pairs = [each for each in preferences_of_rankings(rankings) if not each.tie]
    found = screens_of_pairs(pairs)
    assert [order_of(each) for each in found.rankings] == [order_of(each) for each in rankings]
    assert found.disordered == 0


@given(st.lists(st.tuples(SYSTEMS, RANKS), max_size=8))
def test_ties_come_back(screens):
    rankings = [Ranking("t", "de-en", i, *each) for i, each in enumerate(screens)]
    cut = [each for each in preferences_of_rankings(rankings) if not each.tie]
    assert sorted(map(_judged, with_ties(cut))) == sorted(
        map(_judged, preferences_of_rankings(rankings))
    )


def test_pairs_that_are_no_order_get_no_ties():
    circle = [Preference("t", "de-en", 1, a, b) for a, b in ("ab", "bc", "ca")]
    assert with_ties(circle) == circle


def _judged(each):
    pair = (each.better, each.worse)
    return each.segment, *(sorted(pair) if each.tie else pair), each.tie


def test_a_repeated_pair_begins_a_new_screen():
    ranking = Ranking("t", "de-en", 1, tuple("abcde"), (1, 2, 3, 4, 5))
    pairs = preferences_of_rankings([ranking, ranking])
    assert [each.ranks for each in screens_of_pairs(pairs).rankings] == [(1, 2, 3, 4, 5)] * 2


def test_pairs_that_are_no_order_are_counted_and_left_out():
    circle = [Preference("t", "de-en", 1, a, b) for a, b in ("ab", "bc", "ca")]
    found = screens_of_pairs(circle)
    assert found.rankings == ()
    assert found.disordered == 1


def test_two_way_rows_of_one_screen_are_one_ranking():
    whole = Ranking("t", "de-en", 3, tuple("abc"), (2, 1, 2), "judge", "12")
    rows = [
        Ranking("t", "de-en", 3, (whole.systems[i], whole.systems[j]),
                (whole.ranks[i], whole.ranks[j]), "judge", "12")
        for i, j in itertools.combinations(range(3), 2)
    ]  # fmt: skip
    other = Ranking("t", "de-en", 3, ("a", "b"), (1, 1), "judge", "13")
    assert joined_screens([*rows, other]) == [whole, other]


def test_levels_get_the_ranks_that_judges_gave_such_levels():
    ranked = [Ranking("t", "p", 1, tuple("abc"), ranks) for ranks in ((1, 4, 4), (3, 5, 5))]
    expected = expected_ranks(ranked)
    cut = Ranking("t", "p", 2, tuple("xyz"), (2, 1, 2))
    assert spread_ranks(cut, expected) == (4.5, 2.0, 4.5)
    assert spread_ranks(Ranking("t", "p", 2, tuple("xyz"), (1, 2, 3)), expected) == (1, 2, 3)


@pytest.mark.data
def test_wmt13s_french_screens_are_put_together_exactly(data):
    """All 9,996 five-way rankings of fr-en come back from its 80,741 pairs."""
    collection = read(data / "wmt13")
    pairs = [each for each in collection.preferences if each.pair == "fr-en"]
    found = screens_of_pairs(pairs)
    assert found.disordered == 0
    assert sorted(map(repr, map(_key, found.rankings))) == sorted(
        map(repr, map(_key, collection.rankings))
    )


def _key(ranking):
    segment, levels = order_of(ranking)
    return segment, sorted(levels)


@pytest.mark.data
def test_wmt14s_screens_all_have_five_outputs(data):
    """So its file has kept the order of its pairs, and ties can be put back."""
    found = screens_of_pairs(read(data / "wmt14").preferences)
    assert {len(each.systems) for each in found.rankings} == {5}
    assert (len(found.rankings), found.disordered) == (12_238, 1)

"""No segment is on two sides, whatever the kind of judgement or the language pair."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import SpecError
from concordant.judgements.splits import assign_segments, parse_shares, split_collection
from concordant.records import Collection, Preference, Ranking, Rating

SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}


def collection(segments):
    return Collection(
        rankings=tuple(Ranking("t", "de-en", s, ("a", "b"), (1, 2)) for s in segments),
        preferences=tuple(Preference("t", "cs-en", s, "a", "b") for s in segments),
        ratings=tuple(Rating("t", "fr-en", "a", s, 1.0) for s in segments),
    )


@given(st.sets(st.integers(1, 500), min_size=3), st.integers(0, 2**32))
def test_a_segment_is_on_one_side_in_all_language_pairs(segments, seed):
    parts = split_collection(collection(sorted(segments)), SHARES, seed=seed)
    sides = {}
    for name, part in parts.items():
        for record in (*part.rankings, *part.preferences, *part.ratings):
            assert sides.setdefault(record.segment, name) == name
    assert set(sides) == segments


@given(st.integers(0, 1000))
def test_shares_and_seed_decide_alone(seed):
    places = [("t", n) for n in range(100)]
    sides = assign_segments(places, SHARES, seed=seed)
    assert sides == assign_segments(places[::-1], SHARES, seed=seed)
    assert [list(sides.values()).count(name) for name in SHARES] == [80, 10, 10]


def test_seeds_differ_and_zero_is_one_of_them():
    places = [("t", n) for n in range(100)]
    assert assign_segments(places, SHARES, seed=0) == assign_segments(places, SHARES, seed=0)
    assert assign_segments(places, SHARES, seed=0) != assign_segments(places, SHARES, seed=1)


@pytest.mark.parametrize("text", ["train", "train=", "=3", "train=x", ""])
def test_bad_shares_say_how_to_write_them(text):
    with pytest.raises(SpecError, match="is not NAME=SHARE; write for example train=80,dev=20"):
        parse_shares(text)


def test_negative_shares_and_too_few_segments_are_refused():
    with pytest.raises(SpecError, match="must all be above 0"):
        assign_segments([("t", 1)], {"train": -1.0}, seed=0)
    with pytest.raises(SpecError, match="1 segments are too few for 2 sides"):
        assign_segments([("t", 1)], {"a": 1.0, "b": 1.0}, seed=0)


def test_ratings_of_whole_systems_cannot_be_split():
    with pytest.raises(SpecError, match="no segment to split by"):
        split_collection(
            Collection(ratings=(Rating("t", "de-en", "a", None, 1.0),)), SHARES, seed=0
        )

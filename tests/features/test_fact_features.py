"""Facts that a translation loses or adds: numbers, names, negations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.features.extraction import feature_set
from concordant.features.fact_features import COLUMNS, MOST, differences


@pytest.mark.parametrize(
    ("translation", "reference", "changed"),
    [
        (
            "The train leaves at 9:15.",
            "The train leaves at 7:45.",
            {"numbers lost", "numbers added"},
        ),
        ("It costs 1,000 euros.", "It costs 1000 euros.", set()),
        ("The bank will raise its fees.", "The bank won't raise its fees.", {"negations lost"}),
        ("He cannot come.", "He can not come.", set()),
        ("We met Emma.", "We met Anna.", {"names lost", "names added"}),
        ("we met anna.", "We met Anna.", set()),
        ("Anna came.", "Then Anna came.", set()),
        ("Then Anna came.", "She came.", {"names added"}),
    ],
)
def test_what_changed_is_counted(translation, reference, changed):
    found = dict(zip(COLUMNS, differences(translation, reference), strict=True))
    assert {name.removeprefix("facts ") for name, count in found.items() if count} == changed


@given(st.text(), st.text())
def test_counts_are_bounded_and_a_text_loses_nothing_of_itself(one, other):
    assert set(differences(one, one)) == {0}
    assert all(0 <= count <= MOST for count in differences(one, other))


def test_the_nearest_reference_counts():
    found = feature_set("facts").extract(["I saw 3 cats."], [["I saw 4 cats.", "I saw 3 cats"]])
    assert found.tolist() == [[0.0] * len(COLUMNS)]


def test_no_segments_are_no_rows():
    assert feature_set("facts").extract([], []).shape == (0, len(COLUMNS))
